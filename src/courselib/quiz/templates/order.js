"use strict";
// Steps to put in order: buttons first, arrow keys on a step, and a grip to drag. Nothing counts as an answer until a step
// has moved or the order was confirmed.
const earlier = new Map(); // question id -> the drafts before this one, for undo

function orderWidget(question, own, changed) {
  own.draft ??= { placed: [...question.start], aside: [], touched: false };
  const past = earlier.get(question.id) ?? [];
  earlier.set(question.id, past);
  const box = make("div", { class: "order" });
  const text = (id) => inLang(question.steps.find((s) => s.id === id).text);

  function draw(focus) {
    box.replaceChildren(steps(), undo(), tray());
    if (focus) box.querySelector(focus)?.focus({ preventScroll: true });
    box.querySelector(":focus")?.scrollIntoView({ block: "nearest" });
  }

  function put(draft, said, focus) {
    past.push(own.draft);
    changed({ ...draft, touched: true });
    draw(focus);
    announce(said);
  }

  function shift(id, to, focus) {
    const placed = own.draft.placed.filter((other) => other !== id);
    if (to < 0 || to > placed.length) return announce(word("at_end", plain(text(id))));
    placed.splice(to, 0, id);
    return put({ ...own.draft, placed }, word("moved", plain(text(id)), digits(to + 1), digits(placed.length)), focus);
  }

  function button(kind, id, sign, gone, act) {
    const label = word(kind, plain(text(id)));
    return make("button", { type: "button", class: kind, "aria-label": label, "aria-disabled": gone ? "true" : null, onclick: act }, sign);
  }

  function step(id, n) {
    const last = own.draft.placed.length - 1;
    const nudge = (by, kind) => () => shift(id, n + by, `[data-id="${id}"] .${kind}`);
    const arrows = (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      shift(id, n + by, `[data-id="${id}"] .${event.target.className}`);
    };
    const grip = make("span", { class: "grip", "aria-hidden": "true", onpointerdown: (e) => drag(e, n, shift) }, digits(n + 1));
    const buttons = [
      button("up", id, "↑", n === 0, nudge(-1, "up")),
      button("down", id, "↓", n === last, nudge(1, "down")),
      button("aside", id, "×", false, () => setAside(id)),
    ];
    return make("li", { class: "step", "data-id": id, onkeydown: arrows }, grip, make("div", { html: text(id) }), make("div", { class: "moves" }, buttons));
  }

  function steps() {
    return make("ol", { "aria-label": word("steps") }, ...own.draft.placed.map(step));
  }

  function setAside(id) {
    const at = own.draft.placed.indexOf(id);
    const placed = own.draft.placed.filter((other) => other !== id);
    const neighbour = placed[Math.min(at, placed.length - 1)];
    const focus = neighbour ? `[data-id="${neighbour}"] .aside` : ".put_back";
    put({ placed, aside: [...own.draft.aside, id] }, word("set_aside", plain(text(id))), focus);
  }

  function putBack(id) {
    const placed = [...own.draft.placed, id];
    const said = word("moved", plain(text(id)), digits(placed.length), digits(placed.length));
    put({ placed, aside: own.draft.aside.filter((other) => other !== id) }, said, `[data-id="${id}"] .up`);
  }

  function undo() {
    const back = () => {
      if (!past.length) return;
      changed(past.pop());
      draw(".undo");
      announce(word("undone"));
    };
    return make("button", { type: "button", class: "undo quiet", "aria-disabled": past.length ? null : "true", onclick: back }, word("undo"));
  }

  function tray() {
    const kept = own.draft.aside.map((id) =>
      make("li", { class: "step" }, make("div", { html: text(id) }), make("div", { class: "moves" }, button("put_back", id, "+", false, () => putBack(id)))),
    );
    const inside = kept.length ? make("ul", {}, ...kept) : make("p", { class: "soft" }, word("tray_empty"));
    return make("section", { class: "tray", "aria-label": word("tray") }, make("h3", {}, word("tray")), inside);
  }

  draw();
  return box;
}

// Dragging by the grip: the step follows the pointer and the others make room; it lands where it is let go.
function drag(event, from, shift) {
  event.preventDefault();
  const item = event.target.closest("li");
  const all = [...item.parentNode.children];
  const boxes = all.map((li) => li.getBoundingClientRect());
  const [startY, startScroll] = [event.clientY, window.scrollY];
  let to = from;
  const follow = (move) => {
    const by = move.clientY - startY + window.scrollY - startScroll;
    const middle = (boxes[from].top + boxes[from].bottom) / 2 + by;
    to = boxes.filter((b, n) => n !== from && (b.top + b.bottom) / 2 < middle).length;
    all.forEach((li, n) => {
      const room = n > from && n <= to ? -1 : n < from && n >= to ? 1 : 0;
      li.style.transform = `translateY(${n === from ? by : room * boxes[from].height}px)`;
    });
  };
  const drop = (end) => {
    listening.abort();
    item.classList.remove("dragged");
    for (const li of all) li.style.transform = "";
    if (end.type === "pointerup" && to !== from) shift(item.dataset.id, to);
  };
  const listening = new AbortController();
  item.classList.add("dragged");
  document.addEventListener("pointermove", follow, { signal: listening.signal });
  document.addEventListener("pointerup", drop, { signal: listening.signal });
  document.addEventListener("pointercancel", drop, { signal: listening.signal });
}
