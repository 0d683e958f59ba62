"use strict";
// How far an order is from a right one: the twin of courselib.ordering. `before` maps each step that belongs to the list
// of all that must come before it.
function longestRightPart(order, before) {
  const conflicts = order.map((item, i) => order.flatMap((other, j) => (j > i && before.get(item)?.includes(other) ? [j] : [])));
  const partner = new Map();
  for (const i of order.keys()) augment(i, conflicts, partner, new Set());
  const matched = new Set(partner.values());
  const left = new Set([...order.keys()].filter((i) => !matched.has(i)));
  const right = new Set();
  for (const i of left) { // grows as it is walked
    for (const j of conflicts[i].filter((other) => !right.has(other))) {
      right.add(j);
      left.add(partner.get(j));
    }
  }
  return order.filter((_, i) => left.has(i) && !right.has(i));
}

function augment(i, conflicts, partner, seen) {
  for (const j of conflicts[i]) {
    if (seen.has(j)) continue;
    seen.add(j);
    if (!partner.has(j) || augment(partner.get(j), conflicts, partner, seen)) {
      partner.set(j, i);
      return true;
    }
  }
  return false;
}

// The fewest moves, one after another, that make `order` right: ["above" | "below", item, other].
function moves(order, before) {
  const line = [...order];
  const settled = new Set(longestRightPart(order, before));
  return order.filter((item) => !settled.has(item)).map((item) => {
    const made = move(line, item, settled, before);
    settled.add(item);
    return made;
  });
}

function move(line, item, settled, before) {
  const at = line.indexOf(item);
  const later = line.slice(0, at).filter((other) => settled.has(other) && before.get(other)?.includes(item));
  const earlier = line.slice(at).filter((other) => settled.has(other) && before.get(item)?.includes(other));
  const made = later.length ? ["above", item, later[0]] : ["below", item, earlier.at(-1)];
  line.splice(at, 1);
  line.splice(line.indexOf(made[2]) + (made[0] === "below" ? 1 : 0), 0, item);
  return made;
}
