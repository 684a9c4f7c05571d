// The page of a run: what it says, how it came to it, and its games. Live while it is played.

import { follow, get, isFile } from "podium/api.js";
import { histogram, plotted } from "podium/chart.js";
import { h, render } from "podium/dom.js";
import { count, dot, elo, milliseconds, nelo, percent, signed, untrusted, when } from "podium/format.js";
import { GameList } from "podium/gamelist.js";
import { progress } from "podium/pages/home.js";
import { RunControl } from "podium/run_control.js";
import { Slices } from "podium/slices.js";
import { table } from "podium/table.js";
import { variants } from "podium/variants.js";

/** What happens to late answers, if that is not the usual. @type {Record<string, string[]>} */
const POLICIES = { soft: [], strict: ["no grace for late answers"], bank: ["a reserve for late answers"] };
const PAIRS = ["0–2", "½–1½", "1–1", "1½–½", "2–0"];

/** @param {Element} root @param {string[]} parameters */
export async function show(root, [number]) {
  let run = await get(`/runs/${number}`);
  if (run.kind === "league" && !isFile()) {
    location.replace(`/leagues/${run.run}`);
    return;
  }
  document.title = `${run.run} · ${run.name} · Podium`;
  const list = new GameList(run, () => draw());
  const slices = new Slices(number, [], () => draw());
  const control = new RunControl(number, () => draw(), async () => {
    run = await get(`/runs/${number}`);
  });
  const draw = () =>
    render(
      root,
      heading(run),
      control.view(run),
      variants(run),
      figures(run),
      run.games === 0 ? null : h(
        "div",
        { class: "report" },
        h("div", { class: "column" }, curves(run), run.sprt ? null : clocks(run)),
        h("div", { class: "column" }, seats(run), bots(run), slices.view()),
        run.sprt ? clocks(run) : null, // below both columns: the test has a second curve
      ),
      list.view(run),
    );
  draw();
  await list.load();
  return follow(`/runs/${number}/events?after=${run.last_game}`, {
    games: (news) => {
      run = news.run;
      list.add(news.games);
      draw();
    },
  });
}

/** @param {any} run */
export function heading(run) {
  const { nodes, milliseconds: time } = run.limits;
  const most = [nodes && `${count(nodes)} node${nodes === 1 ? "" : "s"}`, time && `${time} ms`].filter(Boolean);
  const limits = most.length ? `${most.join(", ")} per move` : "contest limits";
  const played = [limits, ...POLICIES[run.limits.policy], `seed ${run.seed}`];
  const settings = Object.entries(run.settings).map(([name, value]) => `${name}=${value}`);
  return h(
    "div",
    { class: "heading" },
    h("h1", null, untrusted(run.name || run.run, 120)),
    h("p", { class: "verdict strong" }, untrusted(run.sentence, 300)),
    h(
      "p",
      { class: "facts" },
      [
        run.run,
        run.title,
        ...(run.imported ? ["played on the contest's site"] : played),
        ...settings,
        when(run.created),
      ].join(" · "),
    ),
    progress(run),
    (run.warnings ?? []).map((/** @type {string} */ text) => h("p", { class: "warning" }, untrusted(text, 400))),
  );
}

/** The Elo of the first bot with its 95 % interval: after a sequential test the estimate that allows for its stopping. @param {any} run @returns {number[]} */
export function eloOf(run) {
  return run.sprt?.elo ?? run.elo;
}

/** @param {any} run */
function figures(run) {
  if (run.score === undefined) return null;
  const [middle, low, high] = eloOf(run);
  const rows = [
    ["score", percent(run.score), `${count(run.won)} won, ${count(run.drawn)} drawn, ${count(run.lost)} lost`],
    ["Elo", elo(middle), `95 %: ${elo(low)} to ${elo(high)}${run.sprt ? ", allowing for the test" : ""}`],
    ["normalized Elo", ...nelo(run.nelo)],
    ["LOS", percent(run.los), "likelihood that the first bot is stronger"],
  ];
  if (run.sprt)
    rows.push([
      "LLR",
      signed(run.sprt.llr, 2),
      `between ${signed(run.sprt.lower, 2)} and ${signed(run.sprt.upper, 2)}, for ${run.sprt.bounds.join(" vs ")} ${run.sprt.unit}${run.sprt.accepted ? `: ${run.sprt.accepted} accepted` : ""}`,
    ]);
  return h(
    "dl",
    { class: "large figures" },
    rows.map(([name, value, more]) =>
      h("div", { key: name }, h("dt", null, name), h("dd", null, value), h("p", { class: "quiet" }, more)),
    ),
  );
}

/** @param {any} run */
function curves(run) {
  /** @type {[number, number, number, number, number | null][]} */
  const curve = run.curve;
  if (!curve || curve.length < 2) return null;
  const x = /** @type {[number, number]} */ ([0, curve.at(-1)?.[0] ?? 1]);
  const line = (/** @type {number} */ place) =>
    curve.map((point) => /** @type {[number, number]} */ ([point[0], Number(point[place])]));
  const settled = curve.slice(Math.floor(curve.length / 8));
  const reach = Math.max(0.03, ...settled.flatMap((point) => [Math.abs(point[2] - 0.5), Math.abs(point[3] - 0.5)]));
  const parts = [
    h(
      "figure",
      { key: "score" },
      h("figcaption", null, "Score of the first bot, with its 95 % interval"),
      plotted({
        title: "score over games",
        x,
        y: [Math.max(0, 0.5 - reach), Math.min(1, 0.5 + reach)],
        xName: "games",
        show: (value) => `${+(100 * value).toFixed(1)} %`,
        levels: [{ at: 0.5, name: "" }],
        bands: [{ low: line(2), high: line(3), colour: "var(--accent)" }],
        lines: [{ points: line(1), colour: "var(--accent)" }],
      }),
    ),
  ];
  if (run.sprt) {
    const { lower, upper } = run.sprt;
    parts.push(
      h(
        "figure",
        { key: "llr" },
        h("figcaption", null, "Log-likelihood ratio between the bounds of the test"),
        plotted({
          title: "log-likelihood ratio over games",
          height: 150,
          x,
          y: [Math.min(lower, -0.1) * 1.15, Math.max(upper, 0.1) * 1.15],
          xName: "games",
          show: (value) => signed(value, 1),
          levels: [
            { at: lower, name: "not stronger", strong: true },
            { at: upper, name: "stronger", strong: true },
          ],
          lines: [
            {
              points: curve.filter((point) => point[4] !== null).map((point) => [point[0], Number(point[4])]),
              colour: "var(--accent)",
            },
          ],
        }),
      ),
    );
  }
  return parts;
}

/** @param {any} run */
function seats(run) {
  if (!run.blocks) return null;
  // names of properties that look like whole numbers come first, so the order is ours to keep
  const scores = Object.keys(run.blocks).sort((a, b) => Number(a) - Number(b));
  const counts = scores.map((score) => Number(run.blocks[score]));
  const names = run.games_per_block === 2 ? PAIRS : scores.map((score) => percent(Number(score), 0));
  const most = Math.max(1, ...counts);
  const shown = counts
    .map((number, index) => ({ number, name: names[index] }))
    .filter((entry) => counts.length <= 9 || entry.number);
  return h(
    "section",
    null,
    h("h2", null, run.games_per_block === 2 ? "Pairs" : `Blocks of ${run.games_per_block} games`),
    h(
      "div",
      { class: "columns", role: "img", "aria-label": "results of pairs of games" },
      shown.map(({ number, name }) =>
        h(
          "div",
          { key: name },
          h("span", null, count(number)),
          h("div", { class: "pillar", style: { height: `${Math.round((60 * number) / most) + 1}px` } }),
          h("small", { class: "quiet" }, name),
        ),
      ),
    ),
    table(
      ["seat of the first bot", "won", "drawn", "lost", "score"],
      run.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ index) =>
        seat.score === null
          ? []
          : [
              [
                [dot(index), `seat ${index}`],
                count(seat.won),
                count(seat.drawn),
                count(seat.lost),
                percent(seat.score),
              ],
            ],
      ),
    ),
  );
}

/** @param {any} run */
function bots(run) {
  if (!run.clocks || !run.bots) return null;
  const words = (/** @type {Record<string, number>} */ counts) =>
    Object.entries(counts)
      .map(([word, number]) => `${word} ${count(number)}`)
      .join(", ") || "–";
  const isClean = ![...run.faults, ...run.irregularities].some((counts) => Object.keys(counts).length);
  return h(
    "section",
    null,
    h("h2", null, "Bots"),
    isClean
      ? h("p", { class: "quiet small" }, "No bot was disqualified, and nothing irregular was seen.")
      : table(
          ["bot", "disqualified", "irregularities"],
          run.bots.map((/** @type {string} */ bot, /** @type {number} */ index) => [
            untrusted(bot, 60),
            words(run.faults[index]),
            words(run.irregularities[index]),
          ]),
          3,
        ),
    h("p", { class: "quiet small" }, "Endings: ", words(run.endings), "."),
  );
}

/** @param {any} run */
function clocks(run) {
  if (!run.times?.length) return null;
  return h(
    "section",
    { class: "clocks" },
    h("h2", null, "Time per move"),
    run.times.map((/** @type {any} */ row, /** @type {number} */ index) => {
      const clock = run.clocks?.[run.bots?.indexOf(row.bot)];
      const facts = clock
        ? `${count(clock.answers)} moves · mean ${milliseconds(clock.mean)} · p99 ${milliseconds(clock.p99)} · max ${milliseconds(clock.worst)}`
        : "";
      return h(
        "figure",
        { key: row.bot },
        h("figcaption", null, untrusted(row.bot, 40), h("span", null, facts)),
        histogram(row, `var(--seat-${index % 4})`, milliseconds, run.limits.answer),
      );
    }),
  );
}
