// The lab: what was measured and learned. A measurement is a run with its own page; learning has its curves here.

import { get } from "podium/api.js";
import { colourOf, legend, plotted } from "podium/chart.js";
import { h, render } from "podium/dom.js";
import { count, duration, untrusted, percent } from "podium/format.js";
import { entry } from "podium/pages/home.js";

/** @param {Element} root */
export async function show(root) {
  document.title = "Lab · Podium";
  const { runs, trainings } = await get("/lab");
  const kinds = [...new Set(runs.map((/** @type {any} */ run) => run.kind))];
  render(
    root,
    h(
      "div",
      { class: "heading" },
      h("h1", null, "Lab"),
      h("p", { class: "facts" }, h("a", { href: "/claims" }, "Claims from the write-ups"), ", checked against measurements"),
    ),
    trainings.map(training),
    kinds.map((kind) =>
      h(
        "section",
        { key: String(kind) },
        h("h2", { class: "kind" }, String(kind)),
        h("div", { class: "runs" }, runs.filter((/** @type {any} */ run) => run.kind === kind).map(entry)),
      ),
    ),
    runs.length || trainings.length
      ? null
      : empty(),
  );
}

/** How to begin: each kind of measurement with its command. */
function empty() {
  const ways = [
    ["podium ablate GAME BOT", "what each part of a bot is worth: it plays without it"],
    ["podium tune GAME BOT NAME=RANGE", "better values of a bot's parameters"],
    ["podium calibrate GAME BOT", "the noise of this machine and the fairness of the seats: a bot plays itself"],
    ["podium train GAME", "a network that learns by playing itself"],
    ["podium claims --measure", "whether what the authors claim is so"],
  ];
  return h(
    "section",
    { class: "begin" },
    h("p", null, "No measurements yet. They appear here as they run, if they are kept in this store:"),
    h(
      "dl",
      { class: "ways" },
      ways.map(([command, text]) => [h("dt", null, h("code", null, command)), h("dd", null, text)]),
    ),
    h("p", { class: "quiet" }, "Matches and leagues are under ", h("a", { href: "/" }, "Runs"), "."),
  );
}

/** @param {any} learned */
function training(learned) {
  if (learned.problem) {
    return h(
      "section",
      { key: learned.name, class: "training" },
      h("h2", null, untrusted(learned.name, 80)),
      h("p", { class: "warning" }, untrusted(learned.problem, 400)),
    );
  }
  const log = learned.generations;
  const last = log.at(-1);
  const seconds = log.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.seconds, 0);
  const games = log.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.games, 0);
  const names = Object.keys(last.losses);
  const x = /** @type {[number, number]} */ ([log[0].number, Math.max(last.number, log[0].number + 1)]);
  const losses = log.flatMap((/** @type {any} */ one) => Object.values(one.losses).map(Number));
  const gates = log.filter((/** @type {any} */ one) => one.score !== null);
  const certain = gates.filter((/** @type {any} */ one) => one.low !== null); // older runs have no intervals
  return h(
    "section",
    { key: learned.name, class: "training" },
    h("h2", null, untrusted(learned.name, 80)),
    h(
      "p",
      { class: "facts" },
      `${learned.plan.game} · generation ${count(last.number)}, taught by ${count(last.teacher)} · ${count(games)} games of self-play in ${duration(seconds)}`,
    ),
    h(
      "div",
      { class: "report" },
      h(
        "figure",
        null,
        h("figcaption", null, "Losses"),
        plotted({
          title: "losses over generations",
          x,
          y: [0, Math.max(...losses)],
          xName: "generation",
          lines: names.map((name, index) => ({
            colour: colourOf(index),
            points: log.map((/** @type {any} */ one) => [one.number, one.losses[name]]),
          })),
        }),
        legend(names),
      ),
      learned.ratings.length ? ratings(learned.ratings, x) : null,
      gates.length
        ? h(
            "figure",
            null,
            h("figcaption", null, "Score of the student against the teacher"),
            plotted({
              title: "score of the student against the teacher",
              x,
              y: [0, 1],
              xName: "generation",
              show: (value) => percent(value, 0),
              levels: [{ at: learned.plan.gate, name: "takes over" }],
              lines: [
                { colour: "var(--accent)", points: gates.map((/** @type {any} */ one) => [one.number, one.score]) },
              ],
              bands: [
                {
                  colour: "var(--accent)",
                  low: certain.map((/** @type {any} */ one) => [one.number, one.low]),
                  high: certain.map((/** @type {any} */ one) => [one.number, one.high]),
                },
              ],
            }),
            certain.length && learned.store
              ? h(
                  "p",
                  { class: "quiet" },
                  "Band: 95 % interval. The games of the last gate: ",
                  h("code", null, `podium show ${certain.at(-1).run} --store ${learned.store}`),
                )
              : null,
          )
        : null,
    ),
  );
}

/**
 * Scores against the opponents that never change.
 * @param {any[]} measured
 * @param {[number, number]} x
 */
function ratings(measured, x) {
  const opponents = [...new Set(measured.map((one) => one.opponent))];
  return h(
    "figure",
    null,
    h("figcaption", null, `Score against fixed opponents, ${count(measured.at(-1).nodes)} nodes per move`),
    plotted({
      title: "score against fixed opponents",
      x,
      y: [0, 1],
      xName: "generation",
      show: (value) => percent(value, 0),
      lines: opponents.map((opponent, index) => ({
        colour: colourOf(index),
        points: measured.filter((one) => one.opponent === opponent).map((one) => [one.generation, one.score]),
      })),
    }),
    legend(opponents),
  );
}
