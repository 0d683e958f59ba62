"use strict";
// What every part of the page is made of: texts in the language of the moment, elements, announcements.
const DATA = JSON.parse(await unpacked(document.getElementById("data").textContent));
let lang = DATA.lang;

function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const inLang = (text) => (typeof text === "string" ? text : text[lang]);
const digits = (value) => (lang === "bn" ? String(value).replace(/[0-9]/g, (d) => "০১২৩৪৫৬৭৮৯"[d]) : String(value));
const fill = (sentence, values) => sentence.replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");
const word = (code, ...values) => fill(inLang(DATA.words[code]), values);

function make(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "html") made.innerHTML = value; // only what the quiz's own build rendered
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function plain(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.textContent.trim();
}

function escaped(text) {
  return make("i", {}, String(text)).innerHTML;
}

function announce(text) {
  const status = document.getElementById("status");
  status.textContent = "";
  setTimeout(() => (status.textContent = text), 60); // an unchanged text would not be read again
}

// A block that scrolls sideways must be within reach of the keyboard.
function reachable(root) {
  for (const block of root.querySelectorAll("pre, math[display=block]")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }
}

// A number as people write it: exact where it ends within nine places, else six figures.
function plainNumber([n, d]) {
  if (n < 0n) return `−${plainNumber([-n, d])}`;
  const whole = String(n / d);
  if (n && (whole.length > 21 || n * 1000000n < d)) return scientific(n, d, whole);
  const part = String((n % d) * 10n ** 9n / d).padStart(9, "0").replace(/0+$/, "");
  const text = whole + (part ? `.${part}` : "");
  return (n * 10n ** 9n) % d ? `≈ ${Number(Number(text).toPrecision(6))}` : text;
}

function scientific(n, d, whole) {
  const power = n >= d ? whole.length - 1 : -String((d - 1n) / n).length;
  const figures = power < 0 ? (n * 10n ** BigInt(5 - power)) / d : n / (d * 10n ** BigInt(power - 5));
  const [first, ...rest] = String(figures);
  return `≈ ${first}.${rest.slice(0, 5).join("")} × 10^${power}`;
}

// Points earned: two places at most.
const rounded = ([n, d]) => digits(Math.round((Number(n) / Number(d)) * 100) / 100);
