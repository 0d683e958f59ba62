"use strict";
// Marking one answer: the twin of marking.py, to the letter. `dtypes` maps every way to write a dtype to its name.
const FACTORS = "-1 1000 1/1000 1024 1/1024 1000000 1/1000000 1048576 1/1048576 8 1/8".split(" ").map(exact);
const SEPARATOR = "(?: ?[,×xX*] ?| )";
const SHAPE = new RegExp(`^(?:torch\\.size)? ?\\(? ?[\\[(]? ?((?:[0-9]{1,9}(?:${SEPARATOR}[0-9]{1,9})*)?) ?,? ?[\\])]? ?\\)?$`, "i");
const WHITE = /[\s\x1c-\x1f\x85]+/g;

function mark(question, answer, dtypes) {
  return blank(answer) ? verdict("unanswered") : MARKERS[question.type](question, answer, dtypes);
}

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function blank(answer) {
  if (typeof answer === "string") return !tidy(answer);
  return answer === null || answer === undefined || (typeof answer === "object" && Object.keys(answer).length === 0);
}

const verdict = (state, score = [0n, 1n], notes = []) => ({ state, score: written(score), notes });
const unreadable = (...note) => verdict("unreadable", [0n, 1n], [note]);

function scored(n, d, notes) {
  const score = fraction(BigInt(n), BigInt(d));
  return verdict(n === d ? "right" : n ? "part" : "wrong", score, notes);
}

function shownText(value) {
  if (typeof value === "string") return [...value].slice(0, LONGEST).join("");
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "boolean") return "bool";
  return value === null ? "NoneType" : Array.isArray(value) ? "list" : "dict";
}

function markChoice(question, answer) {
  const found = question.choices.find((c) => c.id === answer);
  return found ? scored(found.right ? 1 : 0, 1, [["why", found.id]]) : unreadable("unknown_choice", shownText(answer));
}

function listOf(answer, known, code) {
  const picked = typeof answer === "string" ? [answer] : answer;
  const strange = Array.isArray(picked) ? picked.filter((a) => !known.includes(a)) : [answer];
  return strange.length ? { amiss: unreadable(code, shownText(strange[0])) } : { picked };
}

function markChoices(question, answer) {
  const { amiss, picked } = listOf(answer, question.choices.map((c) => c.id), "unknown_choice");
  if (amiss) return amiss;
  const taken = (c) => picked.includes(c.id);
  const notes = question.choices.filter((c) => taken(c) || c.right).map((c) => [taken(c) ? "why" : "left_out", c.id]);
  const right = question.choices.filter((c) => c.right).length;
  const hits = question.choices.filter((c) => c.right && taken(c)).length;
  const wrong = question.choices.filter((c) => !c.right && taken(c)).length;
  if (question.credit === "all") return scored(hits === right && !wrong ? 1 : 0, 1, notes);
  return scored(Math.max(0, hits - wrong), right, notes);
}

function markNumber(question, answer) {
  if (typeof answer !== "string" && typeof answer !== "number") return unreadable("hint", "not_number");
  const number = readNumber(String(answer), question.units);
  if (number.hint) return unreadable("hint", number.hint);
  const note = reason(question, number.value);
  return scored(note[0] === "why" ? 1 : 0, 1, number.mixed ? [note, ["mixed"]] : [note]);
}

function reason(question, value) {
  const [key, near] = [exact(question.key), exact(question.within)];
  const lies = (centre, reach) => atMost(size(less(value, centre)), reach);
  if (lies(key, near)) return ["why"];
  const slip = question.slips.find((s) => lies(exact(s.key), exact(s.within)));
  if (slip) return ["slip", slip.id];
  const factor = question.unit && key[0] ? FACTORS.find((f) => lies(times(key, f), times(near, size(f)))) : undefined;
  return factor ? ["off_by", written(factor)] : ["wrong"];
}

function markOrder(question, answer) {
  const { amiss, picked } = listOf(answer, question.steps.map((s) => s.id), "unknown_step");
  if (amiss) return amiss;
  const twice = picked.find((step, n) => picked.indexOf(step) < n);
  if (twice !== undefined) return unreadable("repeated_step", twice);
  return judged(question, picked);
}

function judged(question, placed) {
  const before = new Map(question.steps.filter((s) => !s.extra).map((s) => [s.id, s.after]));
  const order = placed.filter((step) => before.has(step));
  const extras = question.steps.filter((s) => s.extra && placed.includes(s.id)).map((s) => s.id);
  const missing = [...before.keys()].filter((step) => !order.includes(step));
  const notes = [...extras.map((s) => ["extra", s]), ...missing.map((s) => ["missing", s]), ...moves(order, before)];
  if (!notes.length) return scored(1, 1, [["why"]]);
  const kept = longestRightPart(order, before).length;
  return scored(Math.max(0, kept - question.width - extras.length), before.size - question.width, notes);
}

function readDtype(text, dtypes) {
  const name = text.replace(WHITE, "").toLowerCase().replace(/^torch\./, "");
  return Object.hasOwn(dtypes, name) ? dtypes[name] : null;
}

function markDtypes(question, answer, dtypes) {
  const names = question.names.map((n) => n.name);
  const strange = isMap(answer) ? Object.keys(answer).filter((name) => !names.includes(name)) : [answer];
  if (strange.length) return unreadable("unknown_name", shownText(strange[0]));
  const notes = [];
  for (const { name, dtype } of question.names) {
    const text = Object.hasOwn(answer, name) ? answer[name] : null;
    if (text === null || (typeof text === "string" && !tidy(text))) {
      notes.push(["name_blank", name]);
      continue;
    }
    const given = typeof text === "string" ? readDtype(tidy(text), dtypes) : null;
    if (given === null) return unreadable("unknown_dtype", name, shownText(text));
    notes.push(ofName(question, name, dtype, given));
  }
  const count = (code) => notes.filter((note) => note[0] === code).length;
  if (count("name_blank") === notes.length) return verdict("unanswered");
  return scored(count("name_right"), notes.length, notes);
}

function ofName(question, name, key, given) {
  if (given === key) return ["name_right", name];
  const slip = question.slips.find((s) => s.name === name && s.dtype === given);
  return slip ? ["slip", slip.id] : ["name_wrong", name];
}

function markShape(question, answer) {
  const [given, key] = [readShape(answer), question.shape];
  if (given === null) return unreadable("not_shape");
  const same = (a, b) => a.length === b.length && a.every((n, i) => n === b[i]);
  if (same(given, key)) return scored(1, 1, [["why"]]);
  const slip = question.slips.find((s) => same(s.shape, given));
  if (slip) return scored(0, 1, [["slip", slip.id]]);
  if (given.length !== key.length) return scored(0, 1, [["rank"]]);
  return scored(0, 1, [["dims", given.filter((n, i) => n === key[i]).length]]);
}

function readShape(answer) {
  const fine = (n) => Number.isInteger(n) && n >= 0 && n < 1e9;
  if (fine(answer)) return [answer];
  if (Array.isArray(answer)) return answer.every(fine) ? [...answer] : null;
  const text = typeof answer === "string" ? asciiDigits(tidy(answer))[0] : "?";
  const found = [...text].length <= LONGEST ? SHAPE.exec(text) : null;
  return found ? (found[1].match(/[0-9]+/g) ?? []).map(Number) : null;
}

const MARKERS = {
  choice: markChoice,
  choices: markChoices,
  number: markNumber,
  order: markOrder,
  dtypes: markDtypes,
  shape: markShape,
  reveal: () => verdict("self", [0n, 1n], [["model"]]),
};

// Which of `among` variants a student has: the twin of variants.py.
function hashed(text) {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text.normalize("NFC"))) state = Math.imul(state ^ byte, 0x01000193);
  for (const [shift, factor] of [[16, 0x85ebca6b], [13, 0xc2b2ae35], [16, 1]]) state = Math.imul(state ^ (state >>> shift), factor);
  return state >>> 0;
}

// An id as it is compared: case, blanks, the script of its digits and its spelling in Unicode say nothing.
const knownAs = (student) => asciiDigits(tidy(student.normalize("NFC")))[0].toLowerCase().normalize("NFC");
const variantOf = (quiz, question, student, among) => hashed(`${quiz}/${question}/${knownAs(student)}`) % among;
const ofVariant = (question, n) => (question.variants ? { ...question, ...question.variants[n % question.variants.length] } : question);
