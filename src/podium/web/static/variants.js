// Ablations and tunings on the page of their run: what each part contributes, what each parameter does, what tests confirmed.

import { intervals, plotted, ticks } from "podium/chart.js";
import { h } from "podium/dom.js";
import { count, elo, untrusted, milliseconds, percent, signed } from "podium/format.js";
import { table } from "podium/table.js";

/** What an ablation or a tuning found, or nothing for other runs. @param {any} run */
export function variants(run) {
  if (run.parts) return ablation(run);
  if (run.parameters) return tuning(run);
  return null;
}

/** @param {any} run */
function ablation(run) {
  const rows = run.parts.map((/** @type {any} */ part) => ({
    bot: part.part,
    elo: part.elo,
    low: part.low,
    high: part.high,
  }));
  return h(
    "section",
    null,
    h("h2", null, "Elo lost by changing each part"),
    intervals(rows, 0),
    table(
      ["part", "result", "Elo", "95 %", "games", "time", "whole bot"],
      run.parts.map((/** @type {any} */ part) => [
        untrusted(part.part, 60),
        part.sentence,
        ...(part.games
          ? [elo(part.elo), `${elo(part.low)} to ${elo(part.high)}`, count(part.games), milliseconds(part.milliseconds), milliseconds(part.whole_milliseconds)]
          : ["–", "–", "0", "–", "–"]),
      ]),
      2,
    ),
  );
}

/** @param {any} run */
function tuning(run) {
  return h(
    "section",
    null,
    h("h2", null, "Effect of each parameter"),
    table(
      ["parameter", "base", "best", "95 %", "Elo", "95 %"],
      run.parameters.map((/** @type {any} */ one) => [
        untrusted(one.name, 60),
        untrusted(written(one.base), 30),
        untrusted(written(one.best), 30),
        one.sure === null ? `${one.low} to ${one.high}` : `probability ${percent(one.sure, 0)}`,
        signed(one.gain.elo),
        `${signed(one.gain.low)} to ${signed(one.gain.high)}`,
      ]),
    ),
    h("div", { class: "report" }, run.parameters.map(effect)),
    run.validations.length
      ? [
          h("h2", null, "Validation matches against the current bot"),
          table(
            ["run", "limits", "games", "Elo", "accepted"],
            run.validations.map((/** @type {any} */ test) => [
              h("a", { href: `/runs/${test.run}` }, test.run),
              test.limits,
              count(test.games),
              `${elo(test.elo[0])} (${elo(test.elo[1])} to ${elo(test.elo[2])})`,
              test.accepted === "H1" ? "stronger" : test.accepted ? "not stronger" : "undecided",
            ]),
          ),
        ]
      : null,
    run.line ? h("p", null, h("code", null, untrusted(run.line, 400))) : null,
  );
}

/** A value as it stands in the text that names a bot. @param {any} value */
function written(value) {
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

/** The gain over the values of a parameter, with its band; of words their intervals. @param {any} one */
function effect(one) {
  if (one.sure !== null) {
    const rows = one.curve.map((/** @type {any} */ point) => ({ ...point, bot: written(point.value) }));
    return h("figure", { key: one.name }, h("figcaption", null, untrusted(one.name, 60)), intervals(rows, 0));
  }
  const at = (/** @type {number} */ value) => (one.log ? Math.log10(value) : value);
  const line = (/** @type {"elo" | "low" | "high"} */ which) =>
    one.curve.map((/** @type {any} */ point) => /** @type {[number, number]} */ ([at(point.value), point[which]]));
  const all = one.curve.flatMap((/** @type {any} */ point) => [point.low, point.high]);
  const mark = (/** @type {number} */ value, /** @type {string} */ colour, /** @type {string} */ name) => {
    const far = (/** @type {any} */ point) => Math.abs(at(point.value) - at(value));
    const near = one.curve.reduce((/** @type {any} */ a, /** @type {any} */ b) => (far(b) < far(a) ? b : a));
    return { x: at(near.value), y: near.elo, colour, title: `${name}: ${value}` };
  };
  const [first, last] = [one.curve[0].value, one.curve.at(-1).value];
  return h(
    "figure",
    { key: one.name },
    h("figcaption", null, untrusted(one.name, 60), h("span", null, `best ${one.best}, current ${one.base}`)),
    plotted({
      title: `gain in Elo over ${one.name}`,
      height: 150,
      x: [at(first), at(last)],
      y: [Math.min(0, ...all), Math.max(1, ...all)],
      xTicks: (one.log ? decades(first, last) : ticks(first, last, 5)).map((value) => ({
        at: at(value),
        name: String(value),
      })),
      show: (value) => signed(value),
      levels: [{ at: 0, name: "" }],
      bands: [{ low: line("low"), high: line("high"), colour: "var(--accent)" }],
      lines: [{ points: line("elo"), colour: "var(--accent)" }],
      marks: [mark(one.base, "var(--quiet)", "current"), mark(one.best, "var(--accent)", "best")],
    }),
  );
}

/** The values 1, 2 and 5 of each power of ten that lie in a range. @param {number} low @param {number} high */
function decades(low, high) {
  const powers = Array.from({ length: 40 }, (_, i) => Math.floor(Math.log10(low)) + i);
  return powers
    .flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)))
    .filter((value) => low <= value && value <= high);
}
