// Runs beside each other: their figures with intervals, and how much each differs from the first.

import { get } from "podium/api.js";
import { intervals } from "podium/chart.js";
import { h, render } from "podium/dom.js";
import { clean, count, elo, ENDLESS, nelo, percent, signed, untrusted } from "podium/format.js";
import { eloOf } from "podium/pages/run.js";
import { table } from "podium/table.js";

const NORMAL = 3.92; // width of a 95 % interval in standard deviations

/** @param {Element} root */
export async function show(root) {
  document.title = "Compare runs · Podium";
  const numbers = (new URLSearchParams(location.search).get("runs") ?? "").split(",").filter((word) => /^r?\d+$/.test(word));
  const [all, ...runs] = await Promise.all([get("/runs?kind=match"), ...numbers.map((number) => get(`/runs/${number}`))]);
  const others = all.filter((/** @type {any} */ run) => !runs.some((one) => one.run === run.run));
  render(
    root,
    h("div", { class: "heading" }, h("h1", null, "Compare runs")),
    others.length ? chooser(numbers, others) : h("p", { class: "quiet" }, runs.length ? "There is no other match to compare with." : "There is no match to compare."),
    runs.length ? comparison(runs) : others.length ? h("p", { class: "quiet" }, "Choose a match, and then another one.") : null,
  );
}

/** @param {string[]} numbers @param {any[]} others */
function chooser(numbers, others) {
  const add = (/** @type {any} */ event) => {
    if (event.target.value) location.assign(`/compare?runs=${[...numbers, event.target.value].join(",")}`);
  };
  return h(
    "label",
    { class: "form compare" },
    h("span", null, numbers.length ? "compare with" : "begin with"),
    h("select", { onchange: add, value: "" }, h("option", { value: "" }, "choose a match …"), others.map((run) => h("option", { value: run.run.slice(1) }, clean(`${run.run} · ${run.title}: ${run.name}`, 80)))),
  );
}

/** @param {any[]} runs */
function comparison(runs) {
  const first = runs[0];
  const games = new Set(runs.map((run) => run.title));
  const known = runs
    .filter((run) => run.elo)
    .map((run) => ({ run, figures: eloOf(run) }))
    .map(({ run, figures: [middle, low, high] }) => ({ bot: run.run, elo: middle, low, high }));
  const limits = new Set(runs.map((run) => JSON.stringify([run.limits.nodes, run.limits.milliseconds])));
  const rows = [
    row("bots", runs, (run) => untrusted(run.name, 60)),
    games.size > 1 ? row("game", runs, (run) => run.title) : null,
    row("limit of a move", runs, (run) => limitText(run)),
    row("games", runs, (run) => count(run.games)),
    row("won, drawn, lost", runs, (run) => [run.won, run.drawn, run.lost].map(count).join(", ")),
    row("score", runs, (run) => percent(run.score)),
    row("Elo", runs, (run) => eloText(eloOf(run))),
    row("normalized Elo", runs, (run) => (run.nelo ? nelo(run.nelo).join(" ") : "–")),
    row("LOS", runs, (run) => percent(run.los)),
    row("mean time per move", runs, (run) => (run.clocks ?? []).map((/** @type {any} */ clock) => `${clock.mean.toFixed(1)} ms`).join(", ")),
    runs.length > 1 ? row(`Elo minus that of ${first.run}`, runs, (run) => (run === first ? "" : difference(first, run))) : null,
    row("verdict", runs, (run) => untrusted(run.sentence, 160)),
  ].filter((found) => found !== null);
  return h(
    "div",
    { class: "compared" },
    games.size > 1 ? h("p", { class: "warning" }, "These are runs of different games.") : null,
    limits.size > 1 ? h("p", { class: "warning" }, "The limits of a move differ.") : null,
    known.length ? h("figure", { key: "intervals" }, h("figcaption", null, "Elo of the first bot, with its 95 % interval"), intervals(known, 0)) : null,
    table(["", ...runs.map((run) => h("a", { href: `/runs/${run.run.slice(1)}` }, run.run))], rows, runs.length + 1),
  );
}

/** @param {string} name @param {any[]} runs @param {(run: any) => import("podium/dom.js").Child} show */
function row(name, runs, show) {
  return [name, ...runs.map((run) => show(run) ?? "–")];
}

/** @param {any} run */
function limitText({ limits }) {
  return limits.nodes ? `${count(limits.nodes)} nodes` : limits.milliseconds ? `${limits.milliseconds} ms` : "the contest's";
}

/** @param {number[] | undefined} value median, and the ends of the interval */
function eloText(value) {
  return value ? `${elo(value[0])} (${elo(value[1])} to ${elo(value[2])})` : "–";
}

/** By how much the Elo of a run is higher than that of another, with its 95 % interval; the runs are independent. @param {any} one @param {any} other */
export function difference(one, other) {
  const known = [one, other].map((run) => eloOf(run) ?? []);
  if (!known.every((figures) => figures.length && figures.every((value) => Math.abs(value) < ENDLESS))) return "not known: an interval has no end";
  const errors = known.map(([, low, high]) => (high - low) / NORMAL);
  const [middle, reach] = [known[1][0] - known[0][0], (NORMAL / 2) * Math.hypot(...errors)];
  const verdict = middle - reach > 0 ? "higher" : middle + reach < 0 ? "lower" : "no difference shown";
  return `${signed(middle)} (${signed(middle - reach)} to ${signed(middle + reach)}): ${verdict}`;
}
