"use strict";
// The last screen: what is right, what to look at again, what is open, the file to hand in.
function points() {
  const counted = DATA.questions.filter((q) => q.points);
  const earned = counted.map((q) => times(exact(ownOf(q).best?.score ?? "0/1"), [BigInt(q.points), 1n]));
  const sum = earned.reduce(([a, b], [c, d]) => fraction(a * d + c * b, b * d), [0n, 1n]);
  return word("score", rounded(sum), digits(counted.reduce((all, q) => all + q.points, 0)));
}

function summary() {
  const right = DATA.questions.filter((q) => ownOf(q).first === "right").length;
  const lines = DATA.graded ? [] : [make("p", { class: "score" }, points()), make("p", { class: "soft" }, word("first_try", digits(right)))];
  return [...lines, fileBox(), ...shelves(), startAnew()];
}

const BRIEF = new Set(["open", "fine"]); // where the title says it all, a line of each question is enough

function shelves() {
  const standings = new Map(DATA.questions.map((q, n) => [n, standing(q)]));
  const those = (...states) => [...standings].filter(([, state]) => states.includes(state));
  const shelf = (title, rows) => (rows.length ? make("section", { class: BRIEF.has(title) ? "shelf brief" : "shelf" }, make("h3", {}, word(title)), make("ul", {}, ...rows.map((r) => row(title, ...r)))) : null);
  return [
    shelf("again", those("wrong", "part", "unreadable")),
    shelf("open", those("open")),
    shelf("fine", those("right", "answered")),
    shelf("ratings", those("self")),
  ].filter(Boolean);
}

function row(title, n, state) {
  const question = DATA.questions[n];
  const own = ownOf(question);
  const label = { open: word("open"), answered: word("answered"), self: word("rated", digits(own.draft?.rating)) }[state] ?? stateName(state);
  const seen = own.shown && question.type !== "reveal" ? `, ${word("seen")}` : "";
  const head = make("span", { class: "head" }, `${digits(n + 1)}. `, badge(state, label + seen, BRIEF.has(title)));
  return make("li", {}, make("button", { type: "button", class: "jump", onclick: () => go(n) }, head, make("span", { class: "asked" }, plain(inLang(asMet(question).ask)))));
}

function fileBox() {
  const name = `${DATA.quiz}.json`;
  const text = make("textarea", { readonly: true, rows: "6", "aria-label": word("file_text"), spellcheck: "false" });
  text.value = sheet();
  return make(
    "section",
    { class: "file" },
    make("button", { type: "button", class: "primary", id: "download", onclick: () => save(name) }, word("download")),
    make("p", { class: "soft" }, word("hand_in", name)),
    make("details", {}, make("summary", {}, word("file_text")), text),
  );
}

function save(name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([sheet()], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function startAnew() {
  const erase = (event) => {
    if (!event.target.dataset.sure) {
      event.target.dataset.sure = "yes";
      event.target.textContent = word("sure");
      return announce(word("sure"));
    }
    stored(`${KEY}/${student}`, null);
    progress = fresh();
    earlier.clear();
    return go(-1);
  };
  return make("button", { type: "button", class: "quiet", id: "anew", onclick: erase }, word("anew"));
}
