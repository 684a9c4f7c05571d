// The page of a league: ratings as a picture and as a table, who against whom, and how the ratings went.

import { follow, get } from "podium/api.js";
import { colourOf, intervals, legend, plotted } from "podium/chart.js";
import { h, render } from "podium/dom.js";
import { count, untrusted, milliseconds, percent, signed } from "podium/format.js";
import { GameList } from "podium/gamelist.js";
import { heading } from "podium/pages/run.js";
import { RunControl } from "podium/run_control.js";
import { Slices } from "podium/slices.js";
import { table } from "podium/table.js";

const GROWTH = 1.02; // of the number of games, after which the ratings' history is asked for again

/** @param {Element} root @param {string[]} parameters */
export async function show(root, [name]) {
  let league = await get(`/leagues/${encodeURIComponent(name)}`);
  document.title = `${league.name} · Podium`;
  const list = new GameList(league, () => draw());
  const names = (league.ratings ?? []).map((/** @type {any} */ row) => row.bot);
  const first = names.filter((/** @type {string} */ bot) => bot === league.me);
  const slices = new Slices(league.run.slice(1), [...new Set([...first, ...names])], () => draw());
  const control = new RunControl(league.run, () => draw(), async () => {
    league = { ...league, ...(await get(`/runs/${league.run.slice(1)}`)) };
  });
  const draw = () =>
    render(
      root,
      heading(league),
      control.view(league),
      league.ratings
        ? [
            h(
              "div",
              { class: "report" },
              h(
                "div",
                { class: "column" },
                h("figure", null, h("figcaption", null, "Elo with 95 % intervals"), intervals(league.ratings)),
                history(league),
              ),
              h("div", { class: "column" }, ratings(league), cross(league), slices.view()),
            ),
          ]
        : null,
      list.view(league),
    );
  draw();
  await list.load();
  const number = league.run.slice(1);
  return follow(`/runs/${number}/events?after=${league.last_game}`, {
    games: async (news) => {
      list.add(news.games);
      const grown = news.run.games >= GROWTH * (league.history.at(-1)?.games ?? 0);
      const { history } = grown ? await get(`/leagues/${encodeURIComponent(name)}`) : league;
      league = { ...league, ...news.run, history };
      draw();
    },
  });
}

/** @param {any} league */
function history(league) {
  if (!league.history || league.history.length < 2) return null;
  const names = league.ratings.map((/** @type {any} */ row) => row.bot);
  const all = league.history.flatMap((/** @type {any} */ step) => Object.values(step.ratings).map(Number));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return h(
    "figure",
    null,
    h("figcaption", null, "Ratings by games played"),
    plotted({
      title: "ratings by games played",
      x: [0, league.history.at(-1).games],
      y: [low - 20, high + 20],
      xName: "games",
      show: (value) => signed(value),
      lines: names.map((/** @type {string} */ name, /** @type {number} */ index) => ({
        colour: colourOf(index),
        points: league.history
          .filter((/** @type {any} */ step) => name in step.ratings)
          .map((/** @type {any} */ step) => [step.games, step.ratings[name]]),
      })),
    }),
    legend(names),
  );
}

/** @param {any} league */
function ratings(league) {
  const last = league.ratings.length - 1;
  return h(
    "section",
    null,
    h("h2", null, "Ratings"),
    table(
      ["", "bot", "Elo", "over next", "games", "score", "99 % within"],
      league.ratings.map((/** @type {any} */ row, /** @type {number} */ index) => [
        h("span", { class: "quiet" }, index + 1),
        [untrusted(row.bot, 40), row.state === "plays" ? null : h("small", { class: "quiet" }, ` ${row.state}`)],
        signed(row.elo),
        index < last ? percent(row.above_next, 0) : "",
        count(row.games),
        percent(row.score),
        row.clock.answers ? milliseconds(row.clock.p99) : "–",
      ]),
      2,
    ),
  );
}

/** @param {any} league */
function cross(league) {
  const shade = (/** @type {number} */ score) =>
    `color-mix(in srgb, var(--accent) ${Math.round(60 * score)}%, transparent)`;
  return h(
    "section",
    null,
    h("h2", null, "Head to head"),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "cross" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, ""),
            league.ratings.map((/** @type {any} */ row, /** @type {number} */ i) =>
              h("th", { key: String(i), title: row.bot }, i + 1),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          league.cross.map((/** @type {(number | null)[]} */ scores, /** @type {number} */ i) =>
            h(
              "tr",
              { key: String(i) },
              h("th", null, `${i + 1} `, untrusted(league.ratings[i].bot, 30)),
              scores.map((score, j) =>
                h(
                  "td",
                  { key: String(j), style: score === null ? {} : { background: shade(score) } },
                  i === j || score === null ? "" : percent(score, 0),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
