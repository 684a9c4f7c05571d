// Studies of the lab on the page of their run: what each part is worth, what each parameter does, what tests confirmed.

import { intervals, plotted } from "podium/chart.js";
import { h } from "podium/dom.js";
import { count, foreign, milliseconds, percent, signed } from "podium/format.js";

/** What a study found, or nothing for other runs. @param {any} run */
export function study(run) {
  if (run.parts) return ablation(run);
  if (run.parameters) return tuning(run);
  return null;
}

/** @param {string[]} names @param {(string | import("podium/dom.js").VNode)[][]} rows */
function table(names, rows) {
  return h(
    "table",
    { class: "figures-table" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        names.map((name, i) => h("th", { class: i ? "number" : null }, name)),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map((cells, index) =>
        h(
          "tr",
          { key: String(index) },
          cells.map((cell, i) => h("td", { class: i ? "number" : null }, cell)),
        ),
      ),
    ),
  );
}

/** @param {any} run */
function ablation(run) {
  const rows = run.parts.map((/** @type {any} */ part) => ({
    bot: part.part,
    elo: part.worth,
    low: part.low,
    high: part.high,
  }));
  return h(
    "section",
    null,
    h("h2", null, "What the change of each part costs, in Elo"),
    intervals(rows),
    table(
      ["part", "Elo", "95 %", "games", "time", "whole bot"],
      run.parts.map((/** @type {any} */ part) => [
        foreign(part.part, 60),
        signed(part.worth),
        `${signed(part.low)} to ${signed(part.high)}`,
        count(part.games),
        milliseconds(part.milliseconds),
        milliseconds(part.whole_milliseconds),
      ]),
    ),
  );
}

/** @param {any} run */
function tuning(run) {
  return h(
    "section",
    null,
    h("h2", null, "What each parameter does"),
    table(
      ["parameter", "base", "best", "95 %", "Elo", "95 %"],
      run.parameters.map((/** @type {any} */ one) => [
        foreign(one.name, 60),
        foreign(String(one.base), 30),
        foreign(String(one.best), 30),
        one.sure === null ? `${one.low} to ${one.high}` : `sure by ${percent(one.sure, 0)}`,
        signed(one.gain.elo),
        `${signed(one.gain.low)} to ${signed(one.gain.high)}`,
      ]),
    ),
    h("div", { class: "report" }, run.parameters.map(effect)),
    run.confirmations.length
      ? [
          h("h2", null, "Tests against the bot as it is"),
          table(
            ["run", "limits", "games", "Elo", "accepted"],
            run.confirmations.map((/** @type {any} */ test) => [
              h("a", { href: `/runs/${test.run}` }, test.run),
              test.limits,
              count(test.games),
              `${signed(test.elo[0])} (${signed(test.elo[1])} to ${signed(test.elo[2])})`,
              test.accepted === "H1" ? "stronger" : test.accepted ? "not stronger" : "undecided",
            ]),
          ),
        ]
      : null,
    h("p", null, h("code", null, foreign(run.line, 400))),
  );
}

/** The gain over the values of a parameter, with its band; of words their intervals. @param {any} one */
function effect(one) {
  if (one.sure !== null) {
    const rows = one.curve.map((/** @type {any} */ point) => ({ ...point, bot: String(point.value) }));
    return h("figure", { key: one.name }, h("figcaption", null, foreign(one.name, 60)), intervals(rows));
  }
  const at = (/** @type {number} */ value) => (one.log ? Math.log10(value) : value);
  const line = (/** @type {"elo" | "low" | "high"} */ which) =>
    one.curve.map((/** @type {any} */ point) => /** @type {[number, number]} */ ([at(point.value), point[which]]));
  const all = one.curve.flatMap((/** @type {any} */ point) => [point.low, point.high]);
  const best = one.curve.reduce((/** @type {any} */ a, /** @type {any} */ b) =>
    Math.abs(at(b.value) - at(one.best)) < Math.abs(at(a.value) - at(one.best)) ? b : a,
  );
  return h(
    "figure",
    { key: one.name },
    h("figcaption", null, foreign(one.name, 60), h("span", null, `best ${one.best}, as it is ${one.base}`)),
    plotted({
      title: `gain in Elo over ${one.name}`,
      height: 150,
      x: [at(one.curve[0].value), at(one.curve.at(-1).value)],
      y: [Math.min(0, ...all), Math.max(1, ...all)],
      xName: one.log ? `log10 ${one.name}` : one.name,
      show: (value) => signed(value),
      levels: [{ at: 0, name: "" }],
      bands: [{ low: line("low"), high: line("high"), colour: "var(--accent)" }],
      lines: [{ points: line("elo"), colour: "var(--accent)" }],
      marks: [{ x: at(one.best), y: best.elo, colour: "var(--accent)", title: `best: ${one.best}` }],
    }),
  );
}
