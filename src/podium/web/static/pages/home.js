// The first page: runs and leagues, the newest first, as they go.

import { follow, get } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { count, duration, untrusted, when } from "podium/format.js";

/** @param {Element} root */
export async function show(root) {
  document.title = "Podium";
  /** @type {any[]} */
  let older = [];
  let runs = await get("/runs");
  let more = runs.length === 50;
  const draw = () => {
    const first = older.at(-1)?.run ?? runs.at(-1)?.run;
    const load = async () => {
      const next = await get(`/runs?before=${first.slice(1)}`);
      older = [...older, ...next];
      more = next.length === 50;
      draw();
    };
    render(
      root,
      h("div", { class: "heading" }, h("h1", null, "Runs")),
      runs.length ? h("div", { class: "runs" }, [...runs, ...older].map(entry)) : empty(),
      more ? h("p", { class: "more" }, h("button", { type: "button", onclick: load }, "older runs")) : null,
    );
  };
  draw();
  return follow("/events", {
    runs: (news) => {
      runs = news;
      draw();
    },
  });
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
      h("a", { href: address }, untrusted(run.name || run.run, 90)),
      h("span", { class: "state" }, run.state),
    ),
    h("p", { class: "verdict" }, untrusted(run.sentence, 200)),
    h("p", { class: "facts" }, `${run.run} · ${run.kind} · ${run.game} · ${when(run.last)}`),
    progress(run),
  );
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
