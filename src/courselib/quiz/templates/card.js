"use strict";
// One question on the screen, and what stands below its answer: the verdict, hints, what can be done next.
function card(source) {
  const own = ownOf(source);
  const question = asMet(source);
  const worth = question.points ? word("points", digits(question.points)) : word("no_points");
  const changed = (draft) => {
    own.draft = draft;
    keep();
    if (DATA.graded) noted(question, own);
  };
  const answers = make("form", { id: "form", onsubmit: submit }, WIDGETS[question.type](question, own, changed, student));
  return make(
    "article",
    {},
    place(word("question", digits(progress.at + 1), digits(LAST))),
    make("p", { class: "soft worth" }, worth),
    make("div", { id: "ask", class: "ask", html: inLang(question.ask) }),
    answers,
    make("div", { id: "told" }),
    make("div", { id: "help" }),
  );
}

// What stands below the answer: hints, the verdict, the answer, what can be done next.
function after(source) {
  const [question, own] = [asMet(source), ownOf(source)];
  if (DATA.graded) noted(question, own);
  else if (question.type === "reveal") $("told").replaceChildren(...(own.shown ? [answer(question), rating(own, (draft) => rate(source, draft))] : []));
  else $("told").replaceChildren(...[own.last && feedback(question, own), own.shown && answer(question)].filter(Boolean));
  if (question.choices && own.last && !DATA.graded) signs(question, own.last);
  $("help").replaceChildren(hints(source, question, own), ...helpers(source, own));
  reachable($("main"));
}

function noted(question, own) {
  const given = answerOf(question, own);
  const amiss = given === null ? undefined : readable(question, given);
  const told = amiss === "shape" ? tell(question, ["not_shape"]) : amiss ? tell(question, ["hint", amiss]) : given === null ? "" : escaped(word("noted"));
  const state = amiss ? "unreadable" : "answered";
  $("told").replaceChildren(...(told ? [make("p", { class: `told ${state}` }, badge(state, ""), make("span", { html: told }))] : []));
  refresh();
}

function signs(question, { answer: given }) {
  for (const label of document.querySelectorAll("#form .option")) {
    const taken = [given].flat().includes(label.dataset.id);
    const state = !taken ? "" : itemOf(question.choices, label.dataset.id).right ? "right" : "wrong";
    label.classList.remove("right", "wrong");
    if (state) label.classList.add(state);
    label.querySelector(".sign").textContent = state ? MARKS[state] : "";
  }
}

function hints(source, question, own) {
  const shown = question.hints.slice(0, own.hints);
  const items = shown.map((h, n) => make("li", {}, make("b", {}, word("hint_number", digits(n + 1))), " ", make("span", { html: inLang(h) })));
  return make("ul", { class: "hints", hidden: !shown.length }, ...items);
}

function helpers(source, own) {
  const [question, made] = [asMet(source), []];
  const button = (id, label, act) => made.push(make("button", { type: "button", class: "quiet", id, onclick: act }, label));
  if (own.hints < question.hints.length) {
    button("hint", word("hint", digits(own.hints + 1), digits(question.hints.length)), () => showHint(source, own));
  }
  if (DATA.graded || question.type === "reveal") return made;
  if (own.misses >= 2 && !own.shown && own.last?.state !== "right") button("show", word("show_answer"), () => showAnswer(source, own));
  if (question.variants?.length > 1 && own.tries) button("renew", word("new_numbers"), () => renew(source, own));
  return made;
}

function showHint(source, own) {
  own.hints += 1;
  keep();
  after(source);
  ($("hint") ?? $("check")).focus();
  announce(plain(inLang(asMet(source).hints[own.hints - 1])));
}

function showAnswer(source, own) {
  own.shown = true;
  keep();
  after(source);
  refresh();
  const shown = document.querySelector(".told.answer");
  shown.tabIndex = -1;
  shown.focus();
}

function renew(source, own) {
  const best = own.best;
  Object.assign(own, { variant: (own.variant + 1) % source.variants.length, draft: "", last: null, misses: 0, hints: 0, shown: false, best });
  keep();
  draw();
  $("entry").focus();
  announce(`${word("renewed")} ${plain(inLang(asMet(source).ask))}`);
}

function rate(source, draft) {
  ownOf(source).draft = draft;
  keep();
  refresh();
  announce(word("rated", digits(draft.rating)));
}
