// Values that bots gave names on standard error (`@podium set NAME VALUE`), as curves over the turns of a game.

import { plotted } from "podium/chart.js";
import { h } from "podium/dom.js";
import { clean } from "podium/format.js";

const MOST = 6; // curves on a page

/** @typedef {Map<string, Map<number, [number, number][]>>} Values by name, by seat: turns from 1 and values */

/** The numbers among the values. @param {any} game @returns {Values} */
function numbers(game) {
  /** @type {Values} */
  const found = new Map();
  game.turns.forEach((/** @type {any} */ turn, /** @type {number} */ at) => {
    for (const answer of turn.answers)
      for (const [name, value] of Object.entries(answer.attributes ?? {})) {
        if (typeof value !== "number") continue;
        const seats = found.get(name) ?? new Map();
        found.set(name, seats.set(answer.seat, [...(seats.get(answer.seat) ?? []), [at + 1, value]]));
      }
  });
  return new Map([...found].filter(([, seats]) => [...seats.values()].some((points) => points.length > 1)));
}

/** A figure for each name. @param {any} game @param {number} turn @param {(turn: number) => void} go */
export function attributeCurves(game, turn, go) {
  const all = [...numbers(game)];
  return all.slice(0, MOST).map(([name, seats]) => {
    const values = [...seats.values()].flatMap((points) => points.map(([, value]) => value));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.08 * (high - low) || 1;
    const left = all.length > MOST && name === all[MOST - 1][0] ? ` · and ${all.length - MOST} more` : "";
    return h(
      "figure",
      { class: "graph attribute", key: `attribute ${name}` },
      h("figcaption", null, clean(name, 40), h("span", { class: "hint" }, `set by the bots${left}`)),
      plotted({
        title: `${clean(name, 40)} by turn`,
        height: 110,
        x: [1, game.turns.length],
        y: [low - margin, high + margin],
        show: (value) => `${+value.toPrecision(3)}`.replace("-", "−"),
        lines: [...seats].map(([seat, points]) => ({ colour: `var(--seat-${seat % 4})`, points })),
        cursor: turn + 1,
        picked: (at) => go(at - 1),
      }),
    );
  });
}
