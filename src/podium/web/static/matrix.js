// A turn in which several seats choose at the same time: every seat's moves with their shares, and the matrix of joint choices.

import { h } from "podium/dom.js";
import { clean, count, dot, opinion, percent } from "podium/format.js";
import { table } from "podium/table.js";

const COLUMNS = 8; // others' choices shown
const ROWS = 12; // own moves shown
const MOVES = 8; // of a seat's table

/** @typedef {{rows: string[], columns: string[], values: (number | null)[][], row_shares: number[], column_shares: number[]}} Matrix */

/** The matrix for the seat that searched: its moves against the others' most probable choices. @param {Matrix} matrix @param {string} [unit] */
export function matrixView(matrix, unit = "") {
  const columns = matrix.columns.slice(0, COLUMNS);
  const order = matrix.rows.map((_, i) => i).sort((a, b) => matrix.row_shares[b] - matrix.row_shares[a]);
  const known = matrix.values.flatMap((row) => row.slice(0, COLUMNS)).filter((value) => value !== null);
  const [low, high] = [Math.min(...known.map(Number)), Math.max(...known.map(Number))];
  const left = [more(matrix.rows.length - ROWS, "row"), more(matrix.columns.length - COLUMNS, "column")].filter(Boolean);
  return h(
    "figure",
    { class: "matrix", key: "matrix" },
    h("figcaption", null, "The turn as a matrix ", h("span", { class: "hint" }, "own moves down, the others' across, each with its share")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "matrix of the turn" },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h("tr", null, h("td", { colspan: 2 }), columns.map((name) => h("th", { scope: "col" }, name.split(" / ").map((move) => h("div", null, code(move)))))),
          h("tr", null, h("td", { colspan: 2 }), columns.map((_, i) => h("td", { class: "part" }, percent(matrix.column_shares[i], 0)))),
        ),
        h(
          "tbody",
          null,
          order.slice(0, ROWS).map((i) =>
            h(
              "tr",
              { key: String(i) },
              h("th", { scope: "row" }, code(matrix.rows[i])),
              h("td", { class: "part" }, percent(matrix.row_shares[i], 0)),
              columns.map((_, j) => cell(matrix.values[i][j], low, high, unit)),
            ),
          ),
        ),
      ),
    ),
    left.length ? h("p", { class: "quiet small" }, `and ${left.join(" and ")}`) : null,
  );
}

/** @param {number} number @param {string} what */
function more(number, what) {
  return number > 0 ? `${count(number)} more ${what}${number === 1 ? "" : "s"}` : "";
}

/** @param {string} move */
function code(move) {
  return h("code", { title: move.length > 24 ? clean(move, 200) : null }, clean(move, 24));
}

/** @param {number | null} value @param {number} low @param {number} high @param {string} unit */
function cell(value, low, high, unit) {
  if (value === null) return h("td", { class: "number untried", title: "not tried" }, "·");
  const part = high > low ? (2 * (value - low)) / (high - low) - 1 : 0;
  const side = part < 0 ? "low" : "high";
  const background = `color-mix(in srgb, var(--value-${side}) ${Math.round(45 * Math.abs(part))}%, transparent)`;
  return h("td", { class: "number", style: { background } }, opinion(value, unit));
}

/**
 * The moves of every seat that chooses, the most visited or most probable first.
 * @param {any} turn what the server knows of the turn @param {string[]} names of the seats @param {any} tree
 * @param {(place: number, move: number) => number} visitsOf visits of a seat's move at the moment that is shown
 * @param {(place: number, move: number, text: any) => any} linked the text of a seat's move as a link to its row, if it has one
 */
export function seatTables(turn, names, tree, visitsOf, linked) {
  const drawn = [2, 3].includes(tree.facts.parameters.selection); // regret and exp3 draw their moves
  return turn.seats.map((/** @type {any} */ seat, /** @type {number} */ place) => {
    const has = (/** @type {string} */ name) => seat.moves[0]?.[name] !== undefined;
    const moves = seat.moves.map((/** @type {any} */ move) => ({ ...move, now: has("visits") ? visitsOf(place, move.number) : 0 }));
    const total = moves.reduce((/** @type {number} */ sum, /** @type {any} */ move) => sum + move.now, 0);
    const share = (/** @type {any} */ move) => (tree.isEarlier() ? move.now / Math.max(1, total) : move.share);
    moves.sort((/** @type {any} */ a, /** @type {any} */ b) => share(b) - share(a));
    const ends = !tree.isEarlier(); // of values and scores only the end is known
    const next = has("score") && ends && !drawn ? Math.max(...seat.moves.map((/** @type {any} */ move) => move.score ?? Infinity)) : NaN;
    const columns = /** @type {[string, boolean, (move: any) => string][]} */ ([
      ["share", true, (move) => percent(share(move), 0)],
      ["visits", has("visits"), (move) => count(move.now)],
      ["value", ends && has("value"), (move) => (has("visits") && !move.visits ? "–" : opinion(move.value))],
      [drawn ? "chance" : "score", ends && has("score"), (move) => (drawn ? percent(move.score, 0) : score(move, next))],
    ]).filter(([, shown]) => shown);
    return h(
      "div",
      { class: "movestable", key: `seat${seat.seat}` },
      h("h3", null, dot(seat.seat), clean(names[seat.seat] ?? `seat ${seat.seat}`, 40), tree.facts.seat === seat.seat ? h("span", { class: "quiet" }, " searched") : null),
      table(
        ["move", ...columns.map(([name]) => name)],
        moves.slice(0, MOVES).map((/** @type {any} */ move) => [linked(place, move.number, code(move.move)), ...columns.map(([, , show]) => show(move))]),
      ),
      moves.length > MOVES ? h("p", { class: "quiet small" }, `and ${count(moves.length - MOVES)} more`) : null,
    );
  });
}

/** What selection goes by; the highest is chosen next. @param {any} move @param {number} highest */
function score(move, highest) {
  const value = move.score ?? Infinity; // JSON has no infinity
  const text = value > 1e300 ? "untried" : opinion(value);
  return value === highest ? `${text} ← next` : text;
}
