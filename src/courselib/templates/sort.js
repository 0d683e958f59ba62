"use strict";
// A click on a column's head sorts its table: numbers from the largest, words from the first; what is blank stays last.
for (const head of document.querySelectorAll("thead th")) {
  head.querySelector("button").addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const numeric = head.classList.contains("n");
    const was = head.getAttribute("aria-sort");
    const way = was ? (was === "ascending" ? "descending" : "ascending") : numeric ? "descending" : "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", way);
    const sign = way === "ascending" ? 1 : -1;
    const keyed = Array.from(body.rows, (row) => {
      const cell = row.cells[head.cellIndex];
      const text = (cell.dataset.v ?? cell.textContent).trim();
      const blank = text === "" || text === "–";
      return { row, blank, key: numeric ? parseFloat(text) : text };
    });
    const words = new Intl.Collator(["bn", "en"], { numeric: true });
    keyed.sort((a, b) => {
      if (a.blank || b.blank) return a.blank - b.blank;
      return sign * (numeric ? a.key - b.key : words.compare(a.key, b.key));
    });
    body.append(...keyed.map((k) => k.row));
  });
}
