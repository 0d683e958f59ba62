"use strict";
// How each kind of question takes an answer. Every widget writes to `own.draft` and calls `changed`.
const code = (text) => make("pre", {}, make("code", {}, text));
const caption = (text) => make("legend", { id: "how" }, text);
const group = (...children) => make("fieldset", { "aria-labelledby": "ask how" }, ...children);

function option(type, value, html, checked, pick) {
  const input = make("input", { type, name: "option", value, checked, onchange: pick });
  return make("label", { class: "option", "data-id": value }, input, make("span", { class: "sign", "aria-hidden": "true" }), make("span", { html }));
}

function shuffled(question, student) {
  if (!question.shuffle) return question.choices;
  const place = (c) => hashed(`${student}/${c.id}/${question.id}/${DATA.quiz}`);
  return [...question.choices].sort((a, b) => place(a) - place(b));
}

function choiceWidget(question, own, changed, student) {
  const pick = (event) => changed(event.target.value);
  const options = shuffled(question, student).map((c) => option("radio", c.id, inLang(c.text), own.draft === c.id, pick));
  return group(caption(word("pick_one")), ...options);
}

function choicesWidget(question, own, changed, student) {
  const pick = () => changed([...box.querySelectorAll(":checked")].map((input) => input.value));
  const options = shuffled(question, student).map((c) => option("checkbox", c.id, inLang(c.text), own.draft?.includes(c.id), pick));
  const box = group(caption(word("pick_some")), ...options);
  return box;
}

// A line to type in, with what was read from it below.
function lineWidget(label, unit, own, changed, readBack, mode) {
  const back = make("p", { id: "read", class: "back" }, readBack(own.draft ?? ""));
  const typed = (event) => {
    changed(event.target.value);
    back.textContent = readBack(event.target.value);
  };
  const settings = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "done", inputmode: mode };
  const input = make("input", { id: "entry", type: "text", "aria-describedby": "ask read", ...settings, oninput: typed });
  input.value = own.draft ?? "";
  return make("div", { class: "line" }, make("label", { for: "entry" }, label), make("div", { class: "field" }, input, unit), back);
}

function numberWidget(question, own, changed) {
  const readBack = (typed) => {
    const number = readNumber(typed, question.units);
    return number.value ? word("you_wrote", typed.trim(), [plainNumber(number.value), question.unit].join(" ").trim()) : "";
  };
  const unit = question.unit ? make("span", { class: "unit" }, question.unit) : null;
  return lineWidget(`${word("answer")} (${plain(inLang(question.allowed))})`, unit, own, changed, readBack, "decimal");
}

function shapeWidget(question, own, changed) {
  const readBack = (typed) => {
    const shape = tidy(typed) ? readShape(typed) : null;
    return shape ? word("you_wrote", typed.trim(), shapeText(shape)) : "";
  };
  const label = make("code", {}, `${question.name}.shape`);
  return make("div", {}, code(question.program), lineWidget(label, null, own, changed, readBack, "text"));
}

const shapeText = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

function dtypesWidget(question, own, changed) {
  const pick = () => {
    const picked = [...rows.querySelectorAll("select")].filter((s) => s.value).map((s) => [s.dataset.name, s.value]);
    changed(Object.fromEntries(picked));
  };
  const row = ({ name }, n) => {
    const blank = make("option", { value: "" }, word("pick_dtype"));
    const options = question.options.map((d) => make("option", { value: d, selected: own.draft?.[name] === d }, d));
    const select = make("select", { id: `name-${n}`, "data-name": name, onchange: pick }, blank, ...options);
    return make("div", { class: "name" }, make("label", { for: `name-${n}` }, make("code", {}, name)), select);
  };
  const rows = make("div", { class: "names" }, ...question.names.map(row));
  return make("div", {}, code(question.program), rows);
}

function revealWidget(question, own, changed) {
  const write = (event) => changed({ ...own.draft, text: event.target.value });
  const area = make("textarea", { id: "entry", rows: "4", "aria-describedby": "ask", oninput: write });
  area.value = own.draft?.text ?? "";
  return make("div", { class: "line" }, make("label", { for: "entry" }, word("your_own")), area);
}

function rating(own, changed) {
  const rate = (event) => changed({ text: "", ...own.draft, rating: Number(event.target.value) });
  const options = [0, 1, 2].map((n) => option("radio", n, escaped(digits(word(`rate_${n}`))), own.draft?.rating === n, rate));
  return make("fieldset", { class: "rating" }, make("legend", {}, word("rate")), ...options);
}

const WIDGETS = {
  choice: choiceWidget,
  choices: choicesWidget,
  number: numberWidget,
  order: orderWidget,
  dtypes: dtypesWidget,
  shape: shapeWidget,
  reveal: revealWidget,
};
