"use strict";
// From a verdict to what the learner is told: the twin of telling.py, in HTML.
const MARKS = { right: "✓", part: "◐", wrong: "✗", unreadable: "!", unanswered: "○", open: "○", self: "★", answered: "●" };
const sentence = (kind, name, values) => fill(escaped(inLang(DATA.sentences[kind][name])), values);
const itemOf = (items, id) => items.find((item) => item.id === id);

function tell(question, [note, ...args]) {
  if (note === "why") return args.length ? ofChoice(question, args[0], "why") : inLang(question.why);
  if (note === "left_out") return ofChoice(question, args[0], "left_out");
  if (note === "slip") return ofSlip(question, args[0]);
  if (note === "hint") return sentence("hints", args[0], [escaped(Object.keys(question.units).join(", "))]);
  if (note === "off_by") return sentence("factors", args[0], []);
  return sentence("notes", note, args.map((a) => named(question, a))) + ofAuthor(question, note, args);
}

function named(question, arg) {
  const step = question.steps && itemOf(question.steps, arg);
  return step ? inLang(step.text) : `<code>${escaped(arg)}</code>`;
}

// The author's own reason that goes with a note: why a step is extra, why a name has its dtype.
function ofAuthor(question, note, [name]) {
  if (note === "extra") return ` ${inLang(itemOf(question.steps, name).why)}`;
  if (note === "name_right") return ` ${inLang(question.names.find((n) => n.name === name).why)}`;
  return "";
}

function ofChoice(question, id, what) {
  const choice = itemOf(question.choices, id);
  const reason = inLang(choice[what] ?? choice.why);
  if (question.type === "choice") return reason;
  const sign = what === "left_out" ? MARKS.unanswered : choice.right ? MARKS.right : MARKS.wrong;
  return `<b>${sign} ${inLang(choice.text)}</b><br>${reason}`;
}

function ofSlip(question, id) {
  const slip = itemOf(question.slips, id);
  return (slip.name ? `<code>${escaped(slip.name)}</code>: ` : "") + inLang(slip.why);
}

function badge(state, label, brief) {
  return make("span", { class: `badge ${state}` }, make("span", { "aria-hidden": "true" }, `${MARKS[state]} `), make("span", { class: brief ? "hidden-words" : null }, label));
}

const percent = (score) => Number((exact(score)[0] * 100n) / exact(score)[1]);
const stateName = (state) => inLang(DATA.sentences.states[state]);

function feedback(question, own) {
  const { state, score, notes } = own.last;
  const share = state === "part" ? ` (${digits(percent(score))}%)` : "";
  const moves = notes.filter(([code]) => code === "above" || code === "below").slice(1); // one at a time: the rest is the learner's
  const told = notes.filter((note) => !moves.includes(note)).map((note) => make("li", { html: tell(question, note) }));
  const better = own.best && own.best.state !== "wrong" && own.best.state !== state;
  const foot = [own.tries ? word("tries", digits(own.tries)) : "", better ? word("best", stateName(own.best.state)) : ""];
  return make("div", { class: `told ${state}` }, badge(state, stateName(state) + share), make("ul", {}, ...told), make("p", { class: "soft" }, foot.filter(Boolean).join(" · ")));
}

const item = (html) => make("li", { html });
const line = (html) => make("p", { html });

// A right answer with its reason.
const ANSWERS = {
  choice: (q) => q.choices.filter((c) => c.right).map((c) => line(`<b>${inLang(c.text)}</b><br>${inLang(c.why)}`)),
  choices: (q) => [make("ul", {}, ...q.choices.filter((c) => c.right).map((c) => item(`<b>${inLang(c.text)}</b><br>${inLang(c.why)}`)))],
  number: (q) => [line(`<b>${escaped(`${q.shown} ${q.unit}`)}</b>`), make("div", { html: inLang(q.why) })],
  order: (q) => [make("ol", {}, ...inOrder(q).map((s) => item(inLang(s.text)))), make("div", { html: inLang(q.why) })],
  dtypes: (q) => [make("ul", {}, ...q.names.map((n) => item(`<code>${escaped(n.name)}</code>: <b>${n.dtype}</b><br>${inLang(n.why)}`)))],
  shape: (q) => [line(`<b>${shapeText(q.shape)}</b>`), make("div", { html: inLang(q.why) })],
  reveal: (q) => [make("div", { html: inLang(q.model) })],
};

function answer(question) {
  const head = word(question.type === "reveal" ? "model" : "the_answer");
  const note = question.type === "reveal" ? null : make("p", { class: "soft" }, word("after_shown"));
  return make("div", { class: "told answer" }, make("h3", {}, head), ...ANSWERS[question.type](question), note);
}

// The steps that belong, in a right order: the author's own as far as it may stand.
function inOrder(question) {
  const out = [];
  const left = question.steps.filter((s) => !s.extra);
  while (left.length) {
    const at = left.findIndex((s) => s.after.every((name) => itemOf(out, name)));
    out.push(...left.splice(at, 1));
  }
  return out;
}
