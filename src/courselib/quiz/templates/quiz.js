"use strict";
// The page: one question at a time, a bar to get about, and what the buttons do.
const LAST = DATA.questions.length;
const $ = (id) => document.getElementById(id);

function go(at) {
  if (at === LAST) progress.from = Math.max(0, progress.at);
  progress.at = Math.max(-1, Math.min(at, LAST));
  keep();
  draw();
  window.scrollTo(0, 0);
  $("place")?.focus({ preventScroll: true });
}

function draw() {
  const { at } = progress;
  document.documentElement.lang = lang;
  document.title = $("title").textContent = inLang(DATA.title);
  $("main").replaceChildren(at < 0 ? cover() : at === LAST ? end() : card(DATA.questions[at]));
  if (DATA.questions[at]) after(DATA.questions[at]);
  reachable($("main"));
  header(at);
  bar(at);
}

function header(at) {
  const done = DATA.questions.filter((q) => !["open", "unreadable"].includes(standing(q))).length;
  $("all").textContent = word("all");
  $("all").hidden = at === LAST;
  $("legend").textContent = word("language");
  $("progress").hidden = at < 0;
  $("title").classList.toggle("hidden-words", at < 0);
  $("done").textContent = word("progress", digits(done), digits(LAST));
  $("segments").replaceChildren(...DATA.questions.map((q, n) => make("span", { class: standing(q) + (n === at ? " here" : "") })));
}

function bar(at) {
  const question = DATA.questions[at];
  const label = checkLabel(question);
  $("bar").setAttribute("aria-label", word("buttons"));
  $("bar").hidden = at < 0;
  $("back").hidden = at < 0;
  $("next").hidden = at === LAST;
  $("back").replaceChildren("‹ ", make("span", {}, word("back")));
  $("next").textContent = at === LAST - 1 ? word("finish") : `${word("next")} ›`;
  $("check").hidden = !label;
  $("check").textContent = label;
  const settled = !label || ["right", "self"].includes(question && standing(question)) || (question && DATA.graded && standing(question) === "answered");
  $("check").classList.toggle("primary", !settled);
  $("next").classList.toggle("primary", Boolean(settled));
}

function checkLabel(question) {
  if (!question) return "";
  if (question.type === "order") return word("confirm");
  if (DATA.graded) return "";
  if (question.type === "reveal") return ownOf(question).shown ? "" : word("show_model");
  return word("check");
}

function place(text) {
  return make("h2", { id: "place", tabindex: "-1" }, text);
}

function cover() {
  const known = Object.keys(progress.own).length > 0;
  const start = make("button", { type: "submit", class: "primary", id: "start" }, word(known && !DATA.graded ? "resume" : "start"));
  return make(
    "form",
    { id: "cover", onsubmit: begin },
    place(inLang(DATA.title)),
    make("div", { class: "ask", html: inLang(DATA.about) }),
    make("p", {}, word(DATA.graded ? "graded" : "count", digits(LAST))),
    make("p", { class: "soft" }, word("kept")),
    DATA.graded ? studentField() : null,
    start,
  );
}

function studentField() {
  const input = make("input", { id: "student", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "student-help" });
  input.value = student || stored(KEY) || "";
  const help = make("p", { id: "student-help", class: "back" }, word("student_help"));
  return make("div", { class: "line" }, make("label", { for: "student" }, word("student")), input, help);
}

function begin(event) {
  event.preventDefault();
  if (DATA.graded) {
    const typed = tidy($("student").value.normalize("NFC"));
    if (!typed) {
      $("student").focus();
      return announce(word("student_missing"));
    }
    student = typed;
    stored(KEY, typed);
    restore();
  }
  return go(Math.max(0, progress.at));
}

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
  header(progress.at);
  bar(progress.at);
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
  header(progress.at);
  bar(progress.at);
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
  header(progress.at);
  bar(progress.at);
  announce(word("rated", digits(draft.rating)));
}

function submit(event) {
  event.preventDefault();
  const source = DATA.questions[progress.at];
  const [question, own] = [asMet(source), ownOf(source)];
  if (question.type === "order") own.draft = { ...own.draft, touched: true };
  if (DATA.graded) return handOn(question, own);
  if (question.type === "reveal") return showAnswer(source, own);
  const given = answerOf(question, own);
  takeTry(question, own, given, mark(question, given, DATA.dtypes));
  keep();
  after(source);
  header(progress.at);
  bar(progress.at);
  document.querySelector("#told .told").scrollIntoView({ block: "nearest" });
  return announce($("told").innerText);
}

// On a graded page: note the answer and go on, or say why it cannot be read.
function handOn(question, own) {
  keep();
  noted(question, own);
  const given = answerOf(question, own);
  if (question.type === "order" || (given !== null && readable(question, given))) return announce($("told").innerText);
  return go(progress.at + 1);
}

function end() {
  return make("article", {}, place(word("done")), ...summary());
}

lang = DATA.words.start[stored("courselib/language")] ? stored("courselib/language") : lang;
for (const radio of document.querySelectorAll("input[name=language]")) {
  radio.checked = radio.value === lang;
  radio.addEventListener("change", () => {
    lang = radio.value;
    stored("courselib/language", lang);
    draw();
  });
}
$("all").addEventListener("click", () => go(LAST));
$("back").addEventListener("click", () => go(progress.at === LAST ? (progress.from ?? LAST - 1) : progress.at - 1));
$("next").addEventListener("click", () => go(progress.at + 1));
if (!DATA.graded) restore();
draw();
