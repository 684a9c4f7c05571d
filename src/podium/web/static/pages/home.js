// The first page: runs and leagues, the newest first, as they go.

import { follow, get } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { clean, count, duration, untrusted, when } from "podium/format.js";

const PAGE = 50; // runs that the server lists at once

/** What a verdict is called on its chip, and its colour. @type {Record<string, [string, string]>} */
const VERDICTS = {
  stronger: ["stronger", "good"],
  weaker: ["weaker", "bad"],
  not_stronger: ["not stronger", "bad"],
  not_weaker: ["not weaker", "good"],
  no_difference: ["no difference shown", ""],
  undecided: ["undecided", ""],
  machine_fault: ["the machine decided", "warn"],
};

/** @param {Element} root */
export async function show(root) {
  document.title = "Podium";
  const home = new Home(root, await get("/runs/choices"));
  await home.load();
  return follow("/events", { runs: (news) => home.news(news) });
}

class Home {
  /** @param {Element} root @param {{games: Record<string, string>, kinds: string[]}} choices what was played: titles of games by name, and kinds of runs */
  constructor(root, choices) {
    this.root = root;
    /** @type {any[]} */
    this.runs = [];
    this.more = false;
    /** @type {Record<string, string>} what is listed: all, or runs of a game or a kind alone */
    this.wishes = {};
    this.games = new Map(Object.entries(choices.games));
    this.kinds = new Set(choices.kinds);
  }

  /** @param {number} before the run before which older ones are listed; 0: the newest */
  async load(before = 0) {
    const words = new URLSearchParams({ ...this.wishes, ...(before ? { before: String(before) } : {}) });
    const found = await get(`/runs?${words}`);
    this.runs = before ? [...this.runs, ...found] : found;
    this.more = found.length === PAGE;
    this.draw();
  }

  /** The newest runs of all. @param {any[]} news */
  news(news) {
    const fits = news.filter((run) => Object.entries(this.wishes).every(([name, value]) => run[name] === value));
    const known = new Set(fits.map((run) => run.run));
    this.runs = [...fits, ...this.runs.filter((run) => !known.has(run.run))];
    this.draw();
  }

  draw() {
    for (const run of this.runs) {
      this.games.set(run.game, run.title);
      this.kinds.add(run.kind);
    }
    const filtered = Object.keys(this.wishes).length > 0;
    const older = () => this.load(Number(this.runs.at(-1)?.run.slice(1)));
    render(
      this.root,
      h("div", { class: "heading beside" }, h("h1", null, "Runs"), h("p", { class: "buttons" }, h("a", { class: "button", href: "/new" }, "New run"), h("a", { class: "button", href: "/compare" }, "Compare"))),
      this.filters(),
      this.runs.length
        ? h("div", { class: "runs" }, this.runs.map(entry))
        : filtered
          ? h("p", { class: "quiet" }, "No run fits.")
          : empty(),
      this.more ? h("p", { class: "more" }, h("button", { type: "button", onclick: older }, "older runs")) : null,
    );
  }

  filters() {
    if (this.games.size < 2 && this.kinds.size < 2) return null;
    const select = (/** @type {string} */ name, /** @type {[string, string][]} */ options) =>
      h(
        "label",
        { key: name },
        h("span", null, name),
        h(
          "select",
          {
            value: this.wishes[name] ?? "",
            onchange: (/** @type {any} */ event) => {
              if (event.target.value) this.wishes[name] = event.target.value;
              else delete this.wishes[name];
              this.load();
            },
          },
          h("option", { value: "" }, "all"),
          options.map(([value, text]) => h("option", { value }, clean(text, 60))),
        ),
      );
    return h(
      "div",
      { class: "filters" },
      select("game", [...this.games].sort()),
      select(
        "kind",
        [...this.kinds].sort().map((kind) => [kind, kind]),
      ),
    );
  }
}

function empty() {
  return h(
    "p",
    { class: "quiet" },
    "No games yet. ",
    h("code", null, "podium match zuniq champion uct"),
    " plays a match; or ",
    h("a", { href: "/play" }, "play a bot"),
    " yourself.",
  );
}

/** @param {any} run */
export function entry(run) {
  const number = run.run.slice(1);
  const address = run.kind === "league" ? `/leagues/${run.run}` : `/runs/${number}`;
  return h(
    "article",
    { key: run.run, class: `run ${run.state}` },
    h(
      "h2",
      null,
      h("a", { href: address }, clean(run.title, 60), ": ", untrusted(run.name || run.run, 90)),
      chip(run.verdict),
      run.state === "finished" ? null : h("span", { class: "state" }, run.state),
    ),
    h("p", { class: "verdict" }, untrusted(run.sentence, 200)),
    h("p", { class: "facts" }, [run.run, run.kind, ...results(run), when(run.last)].join(" · ")),
    progress(run),
  );
}

/** How often the first bot won, drew and lost. @param {any} run */
function results({ results }) {
  return results.length ? [["won", "drawn", "lost"].map((word, index) => `${count(results[index])} ${word}`).join(", ")] : [];
}

/** A verdict in a word, for the first bot. @param {string | null | undefined} verdict */
function chip(verdict) {
  const [text, colour] = VERDICTS[verdict ?? ""] ?? ["", ""];
  return text ? h("span", { class: `chip ${colour}` }, text) : null;
}

/** @param {any} run */
export function progress(run) {
  // a test that has decided ends a run before all the games that were wanted
  const share = run.state === "finished" ? 1 : run.wanted ? Math.min(1, run.games / run.wanted) : null;
  const left =
    run.state === "running" && run.remaining_seconds ? ` · about ${duration(run.remaining_seconds)} left` : "";
  return h(
    "div",
    { class: "progress" },
    h(
      "div",
      { class: "bar", role: "progressbar", "aria-valuenow": run.games, "aria-valuemax": run.wanted || null },
      h("div", {
        class: share === null ? "unknown" : "",
        style: { width: `${100 * (share ?? (run.state === "running" ? 1 : 0))}%` },
      }),
    ),
    h(
      "span",
      { class: "done" },
      run.wanted && share !== 1
        ? `${count(run.games)} of ${count(run.wanted)} games${left}`
        : `${count(run.games)} game${run.games === 1 ? "" : "s"}${left}`,
    ),
  );
}
