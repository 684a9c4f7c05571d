// A table of figures that scrolls sideways on a narrow screen.

import { h } from "podium/dom.js";

/**
 * The first columns hold words, all others numbers.
 * @param {import("podium/dom.js").Child[]} names @param {import("podium/dom.js").Child[][]} rows @param {number} words
 */
export function table(names, rows, words = 1) {
  const kinds = names.map((name, index) => (index >= words ? "number" : name ? "words" : null));
  const cells = (/** @type {string} */ tag, /** @type {import("podium/dom.js").Child[]} */ row) =>
    row.map((cell, index) => h(tag, { class: kinds[index] }, cell));
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "figures-table" },
      h("thead", null, h("tr", null, cells("th", names))),
      h(
        "tbody",
        null,
        rows.map((row, index) => h("tr", { key: String(index) }, cells("td", row))),
      ),
    ),
  );
}
