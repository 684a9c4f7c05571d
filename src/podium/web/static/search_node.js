// What is known of one node of a search, in words and in a table of its moves.

import { standingText } from "podium/beam_layers.js";
import { h } from "podium/dom.js";
import { clean, count, opinion } from "podium/format.js";
import { KEPT, REASONS, SEARCHED, SHORT_REASONS, SOURCES, TOO_LOW, WORSE_TWIN } from "podium/search_tree.js";
import { table } from "podium/table.js";

/** @typedef {import("podium/search_tree.js").SearchTree} SearchTree */
/** @typedef {import("podium/trace_source.js").TraceSource} TraceSource */

const BOUNDS = ["", "", "at least ", "at most "];
const ATTEMPTS = ["with reduced depth", "with a null window", "with its parent's window"];
const MOVES = 14; // of a table
const UNTRIED = 10; // scores from here on are of moves that have to be tried first
const PROOFS = new Map([
  [1, "win"],
  [-1, "loss"],
  [2, "draw"],
]);

/** The sentences about a row. @param {TraceSource} source @param {number} row @returns {[string, string][]} */
export function nodeFacts(source, row) {
  const { tree } = source;
  const { arrays } = tree;
  /** @type {[string, string][]} */
  const facts = [];
  const add = (/** @type {string} */ name, /** @type {string | null} */ text) => text && facts.push([name, text]);
  if (Number.isFinite(tree.values[row]) && (!tree.isTree || tree.visits[row]))
    add("value", `${BOUNDS[arrays.bound?.[row] ?? 0]}${opinion(tree.values[row])}`);
  add(tree.isTree ? "visits" : "nodes", count(tree.weight(row)));
  if (arrays.proof?.[row]) add("proven", PROOFS.get(arrays.proof[row]) ?? "");
  if (arrays.low && arrays.high) add("window", windowText(arrays.low[row], arrays.high[row]));
  if (arrays.attempt && arrays.parent[row] >= 0)
    add("searched", `${ATTEMPTS[arrays.attempt[row] % 4]}${tree.isAgain(row) ? ", again" : ""}`);
  if (arrays.reason?.[row]) add("ordered by", REASONS[arrays.reason[row]]);
  if (arrays.source && !(tree.isBeam && row === 0)) add("value from", sourceText(source, row));
  if (arrays.share && arrays.parent[row] >= 0) add("share of the mover", opinion(arrays.share[row]));
  if (tree.isCut(row)) add("cut", cutText(source, row));
  if (cutsOthers(tree, row)) add("cut off", othersText(tree, arrays.parent[row]));
  if (arrays.exact?.[row]) add("proven", "the value is that of the game");
  if (arrays.seat) add("value and visits", "of the seat whose tree it is; a node stands for all positions that its moves may lead to");
  if (tree.isTree && arrays.twin?.[row] >= 0) add("same position", `its moves are below row ${count(arrays.twin[row])}`);
  return facts;
}

/** @param {number} low @param {number} high */
function windowText(low, high) {
  const end = (/** @type {number} */ value) => (Number.isFinite(value) ? opinion(value) : value < 0 ? "−∞" : "∞");
  if (Number.isFinite(low) && high - low < 1e-9 * Math.max(1, Math.abs(low))) return `null window at ${end(low)}`;
  return `${end(low)} to ${end(high)}`;
}

/** @param {TraceSource} source @param {number} row */
function sourceText(source, row) {
  const { arrays } = source.tree;
  const from = arrays.source[row];
  if (from === TOO_LOW) return `${SOURCES[from]} (${opinion(arrays.low[row])} was needed)`;
  if (from === WORSE_TWIN) return `${SOURCES[from]} (${opinion(arrays.value[arrays.twin[row]])})`;
  if (from === KEPT) return `${SOURCES[from]}, ${standingText(source.tree, row)}`;
  return SOURCES[from];
}

/** @param {TraceSource} source @param {number} row */
function cutText(source, row) {
  const by = clean(source.text(source.tree.lastChild(row)) ?? "…", 30);
  return `${by} made ${othersText(source.tree, row)} unnecessary`;
}

/** Whether a move made its siblings unnecessary. @param {SearchTree} tree @param {number} row */
function cutsOthers(tree, row) {
  const above = tree.arrays.parent[row];
  return above >= 0 && tree.isCut(above) && tree.lastChild(above) === row;
}

/** The moves of a row that were not searched. @param {SearchTree} tree @param {number} row */
function othersText(tree, row) {
  const { moves } = tree.arrays;
  const left = moves[row] - tree.searchedMoves(row);
  return moves[row] ? `${count(left)} other move${left === 1 ? "" : "s"}` : "generating the other moves";
}

/** The moves of a node, best first. @param {TraceSource} source @param {number} row @param {(row: number) => void} go */
export function movesTable(source, row, go) {
  const { tree } = source;
  const rows = tree.ordered(row);
  if (!rows.length) return null;
  const shown = rows.slice(0, MOVES);
  const columns = tree.isTree ? treeColumns(tree, shown) : rowColumns(tree, shown);
  const next = tree.arrays.score && !tree.isEarlier() ? nextChoice(tree, rows) : -1;
  return h(
    "div",
    { class: "movestable" },
    table(
      [tree.moves.length > 1 ? "joint choice" : "move", ...columns.map(([name]) => name)],
      shown.map((child) => [
        h("button", { type: "button", class: "link", onclick: () => go(child) }, h("code", null, clean(source.text(child) ?? "…", 80))),
        ...columns.map(([, show]) => show(child)),
      ]),
      1,
    ),
    rows.length > MOVES ? h("p", { class: "quiet small" }, `and ${count(rows.length - MOVES)} more`) : null,
    next >= 0
      ? h(
          "p",
          { class: "hint small" },
          "Selection would choose ",
          h("code", null, clean(source.text(next) ?? "…", 34)),
          " next: it has the highest score",
          tree.arrays.mover?.[row] === tree.facts.seat ? "." : ". Scores are for the seat that moves here, values for the searching one.",
        )
      : null,
  );
}

/** @typedef {[string, (row: number) => string][]} Columns */

/** @param {SearchTree} tree @param {number[]} rows of the table @returns {Columns} */
function treeColumns(tree, rows) {
  const { arrays } = tree;
  const number = (/** @type {any} */ column) => (/** @type {number} */ row) => opinion(column[row]);
  /** @type {Columns} */
  const columns = [
    ["visits", (row) => count(tree.visits[row])],
    ["value", (row) => (tree.visits[row] ? opinion(tree.values[row]) : "–")],
  ];
  if (tree.isEarlier()) return columns; // of the rest only the end is known
  if (arrays.amaf_visits) {
    columns.push(["AMAF", (row) => `${opinion(arrays.amaf_value[row])} (${count(arrays.amaf_visits[row])})`]);
    columns.push(["either side", (row) => `${opinion(arrays.general_value[row])} (${count(arrays.general_visits[row])})`]);
  }
  if (arrays.prior && new Set(rows.map((row) => arrays.prior[row])).size > 1) columns.push(["prior", number(arrays.prior)]);
  const sign = arrays.mover?.[arrays.parent[rows[0]]] === tree.facts.seat ? 1 : -1;
  if (arrays.score && !arrays.amaf_visits)
    columns.push(["exploration", (row) => (tree.visits[row] ? opinion(arrays.score[row] - sign * tree.values[row]) : "–")]);
  if (arrays.score) columns.push(["score", (row) => (arrays.score[row] > UNTRIED ? "untried" : opinion(arrays.score[row]))]);
  if (arrays.proof && rows.some((row) => arrays.proof[row])) columns.push(["proven", (row) => PROOFS.get(arrays.proof[row]) ?? ""]);
  if (arrays.exact?.some(Boolean)) columns.push(["proven", (row) => (arrays.exact[row] ? "exact" : "")]);
  return columns;
}

/** @param {SearchTree} tree @param {number[]} rows of the table @returns {Columns} */
function rowColumns(tree, rows) {
  const { arrays } = tree;
  /** @type {Columns} */
  const columns = [
    ["value", (row) => `${BOUNDS[arrays.bound?.[row] ?? 0]}${Number.isFinite(tree.values[row]) ? opinion(tree.values[row]) : "–"}`],
    ["nodes", (row) => count(tree.weight(row))],
  ];
  if (arrays.share) columns.push(["share", (row) => opinion(arrays.share[row])]);
  if (arrays.reason) columns.push(["ordered by", (row) => SHORT_REASONS[arrays.reason[row]]]);
  if (rows.some((row) => arrays.source[row] !== SEARCHED))
    columns.push(["outcome", (row) => (arrays.source[row] === SEARCHED ? "" : SOURCES[arrays.source[row]])]);
  return columns;
}

/** The move that selection would choose next: of those not proven, the highest score. @param {SearchTree} tree @param {number[]} rows */
function nextChoice(tree, rows) {
  const open = rows.filter((row) => !tree.arrays.proof[row]);
  return open.length ? open.reduce((best, row) => (tree.arrays.score[row] > tree.arrays.score[best] ? row : best)) : -1;
}
