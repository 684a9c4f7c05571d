// The layers of a beam: what each kept, what died of what, and how narrowly a line survived.

import { h } from "podium/dom.js";
import { count, opinion } from "podium/format.js";
import { KEPT, TOO_LOW, WORSE_TWIN } from "podium/search_tree.js";
import { table } from "podium/table.js";

/** @typedef {import("podium/search_tree.js").SearchTree} SearchTree */
/** @typedef {{row: number | undefined, kept: number, low: number, twins: number, better: number, worst: number}} Layer the position of the line, positions kept and dropped, those better than the line's, the lowest value kept */

/** The layers from depth 1 to the last that was finished. @param {SearchTree} tree @param {number[]} line rows from the root on @returns {Layer[]} */
export function layersOf(tree, line) {
  const { ply, source, value } = tree.arrays;
  const layers = Array.from({ length: tree.depth + 1 }, (_, depth) => ({ row: line[depth], kept: 0, low: 0, twins: 0, better: 0, worst: Infinity }));
  for (let row = 0; row < tree.size; row++) {
    const layer = layers[ply[row]];
    if (source[row] === TOO_LOW) layer.low++;
    else if (source[row] === WORSE_TWIN) layer.twins++;
    else if (source[row] === KEPT) {
      layer.kept++;
      layer.worst = Math.min(layer.worst, value[row]);
      if (value[row] > value[layer.row]) layer.better++;
    }
  }
  return layers.slice(1).filter(({ kept }) => kept);
}

/** How a position that was kept stood among the others. @param {SearchTree} tree @param {number} row */
export function standingText(tree, row) {
  const { kept, better, worst } = layersOf(tree, tree.path(row))[tree.arrays.ply[row] - 1];
  return `place ${count(better + 1)} of ${count(kept)}, ${opinion(tree.arrays.value[row] - worst)} above the last`;
}

/** @param {SearchTree} tree @param {Layer[]} layers @param {(row: number) => void} go */
export function layersTable(tree, layers, go) {
  const { source, value } = tree.arrays;
  return table(
    ["depth", "kept", "too low", "worse twins", "the line's place", "above the last"],
    layers.map(({ row, kept, low, twins, better, worst }, index) => {
      const survived = row !== undefined && source[row] === KEPT;
      return [
        index + 1,
        count(kept),
        count(low),
        count(twins),
        survived ? h("button", { type: "button", class: "link", onclick: () => go(row) }, `${count(better + 1)} of ${count(kept)}`) : "–",
        survived ? opinion(value[row] - worst) : "–",
      ];
    }),
  );
}
