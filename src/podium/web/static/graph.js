// The game as curves: what each bot thought its position was worth, with the key moments, and how long it thought.

import { bars, plotted } from "podium/chart.js";
import { h } from "podium/dom.js";
import { clean, milliseconds, turnName } from "podium/format.js";

const FENCE = 2; // spans of the middle half that the scale reaches beyond it

/**
 * @typedef {{seat: number, unit: string, points: [number, number][], judge?: string}} Series turns count from 0
 * @typedef {{turn: number, seat: number, title: string}} Mark
 */

/** @param {any} game @returns {Series[]} */
function series(game) {
  return game.bots.map((/** @type {string} */ _, /** @type {number} */ seat) => {
    /** @type {[number, number][]} */
    const points = [];
    let unit = "";
    game.turns.forEach((/** @type {any} */ turn, /** @type {number} */ number) => {
      const answer = turn.answers.find((/** @type {any} */ a) => a.seat === seat);
      if (!answer || answer.value === null || answer.value === undefined) return;
      unit = answer.thoughts?.unit ?? unit;
      points.push([number, answer.value]);
    });
    return { seat, unit, points };
  });
}

/** The range that matters: proofs of millions of points must not flatten the rest. @param {number[]} values @returns {[number, number]} */
function range(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.round(share * (sorted.length - 1))];
  const reach = FENCE * Math.max(at(0.75) - at(0.25), 1e-9);
  const [low, high] = [Math.max(at(0), at(0.25) - reach), Math.min(at(1), at(0.75) + reach)];
  const margin = 0.08 * (high - low) || 1;
  return [low - margin, high + margin];
}

/** Values over turns. @param {any} game @param {number} turn @param {(turn: number) => void} go @param {Mark[]} reviewed @param {Series | null} judged */
export function graph(game, turn, go, reviewed, judged) {
  const all = [...series(game), ...(judged ? [judged] : [])].filter((s) => s.points.length > 1);
  if (!all.length)
    return h(
      "figure",
      { class: "graph empty" },
      h("figcaption", null, "Values"),
      h("p", { class: "quiet" }, "No bot reported an evaluation in this game."),
    );
  const units = [...new Set(all.map((s) => s.unit))];
  const unit = units[0];
  const joint = units.length === 1;
  const ranges = all.map((s) =>
    unit === "win rate" && joint
      ? /** @type {[number, number]} */ ([0, 1])
      : range((joint ? all : [s]).flatMap((x) => x.points.map(([, value]) => value))),
  );
  const own = (/** @type {number} */ index) => (/** @type {number} */ value) =>
    joint
      ? value
      : (Math.min(Math.max(value, ranges[index][0]), ranges[index][1]) - ranges[index][0]) /
        (ranges[index][1] - ranges[index][0]);
  const marks = [
    ...game.moments.map((/** @type {any} */ m) => ({
      ...m,
      title: `${turnName(m.turn)}: ${clean(game.bots[m.seat], 40)} evaluated its position lower one turn later`,
    })),
    ...reviewed.map((mark) => ({ ...mark, judge: judged?.judge })),
  ].flatMap((mark) => {
    const index = all.findIndex((s) => s.seat === mark.seat && s.judge === mark.judge);
    const point = all[index]?.points.find(([at]) => at === mark.turn);
    return point
      ? [{ x: mark.turn + 1, y: own(index)(point[1]), colour: `var(--seat-${mark.seat % 4})`, title: mark.title }]
      : [];
  });
  return h(
    "figure",
    { class: "graph" },
    h(
      "figcaption",
      null,
      "Evaluation by each bot",
      joint && unit ? `, in ${unit === "win rate" ? "percent" : unit}` : ", each on its own scale",
      h(
        "span",
        { class: "hint" },
        judged
          ? `dashed: evaluation by ${clean(judged.judge ?? "", 40)} · circles: key moments`
          : "click to go there · circles: key moments",
      ),
    ),
    plotted({
      title: "evaluations of the bots by turn",
      height: 170,
      x: [1, game.turns.length],
      y: joint ? ranges[0] : [0, 1],
      ticks: joint ? undefined : [],
      show: (value) => `${+(unit === "win rate" ? 100 * value : value).toPrecision(3)}`.replace("-", "−"),
      lines: all.map((s, index) => ({
        colour: `var(--seat-${s.seat % 4})`,
        dashed: Boolean(s.judge),
        points: s.points.map(([at, value]) => /** @type {[number, number]} */ ([at + 1, own(index)(value)])),
      })),
      marks,
      cursor: turn + 1,
      picked: (at) => go(at - 1),
    }),
    game.moments.length
      ? h(
          "p",
          { class: "moments" },
          "Key moments: ",
          game.moments.map((/** @type {any} */ m, /** @type {number} */ i) => [
            i ? ", " : null,
            h(
              "button",
              { type: "button", class: `link seat-text-${m.seat % 4}`, onclick: () => go(m.turn) },
              turnName(m.turn),
            ),
          ]),
        )
      : null,
  );
}

/** Time per turn. @param {any} game @param {number} turn @param {(turn: number) => void} go */
export function timing(game, turn, go) {
  const known = game.turns.flatMap((/** @type {any} */ t) => t.answers.flatMap((/** @type {any} */ a) => a.ms ?? []));
  if (!known.length)
    return h(
      "figure",
      { class: "graph empty" },
      h("figcaption", null, "Time per move"),
      h("p", { class: "quiet" }, "The times of this game are unknown."),
    );
  const most = Math.max(1e-3, ...known);
  return h(
    "figure",
    { class: "graph" },
    h("figcaption", null, "Time per move"),
    bars({
      title: "time per move",
      height: 74,
      x: [0, game.turns.length - 1],
      most,
      show: milliseconds,
      cursor: turn,
      picked: go,
      groups: game.turns.map((/** @type {any} */ t, /** @type {number} */ at) => ({
        at,
        bars: t.answers.map((/** @type {any} */ a) => ({
          value: a.ms ?? 0,
          colour: `var(--seat-${a.seat % 4})`,
          title: `${turnName(at)}, ${clean(game.bots[a.seat], 40)}: ${milliseconds(a.ms)}`,
        })),
      })),
    }),
  );
}
