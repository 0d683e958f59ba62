"use strict";
// What the learner has done so far: kept in the browser where it can be kept, and written to the file to hand in.
const KEY = `courselib/${DATA.quiz}/${DATA.hash}`;
let student = "";
let progress = fresh();

function fresh() {
  return { at: -1, own: {} };
}

// Storage may be forbidden, full or absent; then the quiz goes on without it.
function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    return null;
  }
  return null;
}

const keep = () => stored(`${KEY}/${student}`, JSON.stringify(progress));

function restore() {
  try {
    const kept = JSON.parse(stored(`${KEY}/${student}`));
    progress = kept && typeof kept.own === "object" && Number.isInteger(kept.at) ? kept : fresh();
  } catch {
    progress = fresh();
  }
}

// What is kept of one question: the draft, the hints shown, the tries, the first, last and best of them.
function ownOf(question) {
  const among = question.variants?.length ?? 1;
  const blank = () => ({ variant: variantOf(DATA.quiz, question.id, student, among), hints: 0, tries: 0, misses: 0, shown: false });
  return (progress.own[question.id] ??= blank());
}

const asMet = (question) => ofVariant(question, ownOf(question).variant);

function answerOf(question, own) {
  const { draft } = own;
  if (question.type === "order") return draft?.touched ? draft.placed : null;
  if (question.type === "reveal") return draft?.text?.trim() || draft?.rating !== undefined ? draft : null;
  return blank(draft) ? null : draft;
}

function readable(question, answer) {
  if (question.type === "number") return readNumber(answer, question.units).hint;
  return question.type === "shape" && readShape(answer) === null ? "shape" : undefined;
}

// Where a question stands: open, answered (graded), or how the best try went.
function standing(question) {
  const own = ownOf(question);
  if (DATA.graded) {
    const given = answerOf(question, own);
    return given === null ? "open" : readable(question, given) ? "unreadable" : "answered";
  }
  if (question.type === "reveal") return own.draft?.rating === undefined ? "open" : "self";
  return own.best?.state ?? (own.shown ? "wrong" : "open");
}

function takeTry(question, own, answer, found) {
  const again = JSON.stringify(own.last?.answer) === JSON.stringify(answer);
  own.last = { answer, ...found };
  if (again || ["unanswered", "unreadable"].includes(found.state)) return;
  own.tries += 1;
  own.misses += found.state === "right" ? 0 : 1;
  own.first ??= found.state;
  if (own.shown || (own.best && less(exact(found.score), exact(own.best.score))[0] < 0n)) return;
  own.best = { answer, variant: own.variant, state: found.state, score: found.score };
}

// The answer sheet, as `courselib quiz mark` reads it.
function sheet() {
  const out = { quiz: DATA.quiz, ...(student ? { student } : {}), answers: {} };
  if (!DATA.graded) Object.assign(out, { variants: {}, attempts: {} });
  for (const question of DATA.questions) {
    const own = ownOf(question);
    const given = DATA.graded || question.type === "reveal" ? answerOf(question, own) : own.best?.answer;
    if (given === null || given === undefined) continue;
    out.answers[question.id] = given;
    if (!DATA.graded && question.variants) out.variants[question.id] = own.best.variant;
    if (!DATA.graded && own.tries) out.attempts[question.id] = own.tries;
  }
  return `${JSON.stringify(out, null, 1)}\n`;
}
