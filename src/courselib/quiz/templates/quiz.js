"use strict";
// The page: its screens, the bar to get about, and what happens when an answer is given.
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
  refresh();
}

function refresh() {
  header(progress.at);
  bar(progress.at);
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
      $("student").setAttribute("aria-invalid", "true");
      $("student-help").textContent = word("student_missing");
      $("student-help").classList.add("amiss");
      return announce(word("student_missing"));
    }
    student = typed;
    stored(KEY, typed);
    restore();
  }
  return go(Math.max(0, progress.at));
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
  refresh();
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
