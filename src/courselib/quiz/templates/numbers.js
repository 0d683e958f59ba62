"use strict";
// Reading a typed number: the twin of typed.py. A fraction is a pair of BigInts in lowest terms, its denominator positive.
const LONGEST = 64;
const HIGHEST = 400;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BLANKS = /[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const SIGNS = new Map([..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"].map((c) => [c, "-"]));
SIGNS.set("\uff0b", "+").set("\u00b5", "\u03bc");
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SPECIAL = /^[+-]?(nan|inf|infinity)$/i;
const WHOLE = "\\d{1,3}(?:,\\d{3})+|\\d{1,2}(?:,\\d{2})*,\\d{3}|\\d{1,3}(?: \\d{3})+|\\d+";
const NUMBER = new RegExp(
  `^([+-]?) ?(?:(\\d+)/(\\d+)|(${WHOLE})?(?:\\.(\\d*))?` +
    "(?:[eE]([+-]?\\d+)| ?[×xX*·] ?10(?:\\^([+-]?\\d+)|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?)([^]*)$",
);

function fraction(n, d = 1n) {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b) [a, b] = [b, a % b];
  a = d < 0n ? -a : a;
  return [n / a, d / a];
}

function exact(text) {
  const [n, d = "1"] = text.split("/");
  return fraction(BigInt(n), BigInt(d));
}

const written = ([n, d]) => `${n}/${d}`;
const times = ([a, b], [c, d]) => fraction(a * c, b * d);
const less = ([a, b], [c, d]) => fraction(a * d - c * b, b * d);
const size = ([n, d]) => [n < 0n ? -n : n, d];
const atMost = ([a, b], [c, d]) => a * d <= c * b;

function tidy(text) {
  return text.replace(INVISIBLE, "").replace(BLANKS, " ").replace(/^ +| +$/g, "");
}

// The digits of every script stand in runs of ten, from its zero on.
const DIGIT = /\p{Nd}/u;
function zeroOf(letter) {
  const at = letter.codePointAt(0);
  let before = at;
  while (DIGIT.test(String.fromCodePoint(before - 1))) before -= 1;
  return at - ((at - before) % 10);
}

function asciiDigits(text) {
  const zeros = new Set();
  const out = Array.from(text, (letter) => {
    if (!DIGIT.test(letter)) return letter;
    const zero = zeroOf(letter);
    zeros.add(zero);
    return String(letter.codePointAt(0) - zero);
  });
  return [out.join(""), zeros.size];
}

// Returns {value, unit, mixed} or {hint}; `units` says how much of the question's own unit each other one is worth.
function readNumber(typed, units) {
  const text = tidy(typed.normalize("NFC"));
  if (!text) return { hint: "empty" };
  if ([...text].length > LONGEST) return { hint: "too_long" };
  const [ascii, scripts] = asciiDigits(Array.from(text, (c) => SIGNS.get(c) ?? c).join(""));
  if (ascii.includes("_")) return { hint: "underscore" };
  if (SPECIAL.test(ascii)) return { hint: "special" };
  return parsed(ascii, units, scripts > 1);
}

function parsed(text, units, mixed) {
  const [, sign, top, bottom, whole, part, e, caret, raised, rest] = NUMBER.exec(text);
  if (/^ ?[0-9,.]/.test(rest) || (top === undefined && !whole && !part)) {
    return { hint: text.includes(",") && (whole || top) ? "comma" : "not_number" };
  }
  if (top !== undefined && BigInt(bottom) === 0n) return { hint: "not_number" };
  const power = Number(e ?? caret ?? lowered(raised ?? "⁰"));
  if (Math.abs(power) > HIGHEST) return { hint: "too_big" };
  const unit = rest.replace(/^ +| +$/g, "");
  const factor = worth(unit, units);
  if (factor === null) return { hint: Object.keys(units).length ? "unit" : "not_number" };
  const value = top !== undefined ? fraction(BigInt(top), BigInt(bottom)) : decimal(whole ?? "", part ?? "", power);
  return { value: times(times(value, [sign === "-" ? -1n : 1n, 1n]), factor), unit, mixed };
}

function lowered(raised) {
  return Array.from(raised, (c) => ({ "⁻": "-", "⁺": "+" })[c] ?? SUPERSCRIPTS.indexOf(c)).join("");
}

function decimal(whole, part, power) {
  const digits = BigInt(whole.replace(/[, ]/g, "") + part);
  const shift = power - part.length;
  return shift < 0 ? fraction(digits, 10n ** BigInt(-shift)) : [digits * 10n ** BigInt(shift), 1n];
}

function worth(typed, units) {
  if (!typed) return [1n, 1n];
  if (Object.hasOwn(units, typed)) return exact(units[typed]);
  const near = new Set(Object.keys(units).filter((u) => u.toLowerCase() === typed.toLowerCase()).map((u) => written(exact(units[u]))));
  return near.size === 1 ? exact([...near][0]) : null;
}
