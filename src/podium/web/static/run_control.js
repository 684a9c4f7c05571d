// Stop a run that a page has started, or go on with one: the buttons on the page of a run.

import { get, isFile, post } from "podium/api.js";
import { h } from "podium/dom.js";
import { clean } from "podium/format.js";

const LOOK = 2000; // ms between two looks at what is played

export class RunControl {
  /** `ended` is called when the server has stopped to play the run. @param {string} number @param {() => void} changed @param {() => Promise<void>} ended */
  constructor(number, changed, ended) {
    this.number = Number(number.replace("r", ""));
    this.changed = changed;
    this.ended = ended;
    this.playing = false;
    this.busy = false;
    this.problem = "";
    if (!isFile()) this.look();
  }

  /** Ask the server whether it plays the run, again and again while it does. */
  async look() {
    const before = this.playing;
    try {
      const { playing, problem } = await get(`/playing?run=${this.number}`);
      this.playing = playing.includes(this.number);
      this.problem = problem;
      if (before && !this.playing) await this.ended(); // its last game may have come while it was still played
      this.changed();
    } catch {
      this.playing = false; // the server has ended, and the run with it
    }
    if (this.playing) setTimeout(() => this.look(), LOOK);
  }

  async stop() {
    this.busy = true;
    this.changed();
    try {
      await post(`/runs/${this.number}/stop`, {});
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
    await this.look();
  }

  /** @param {any} run */
  view(run) {
    if (isFile()) return null;
    return h(
      "p",
      { class: "buttons runcontrol" },
      this.playing
        ? h("button", { type: "button", disabled: this.busy, onclick: () => this.stop() }, this.busy ? "Stopping …" : "Stop")
        : run.state !== "running" && again(run)
          ? h("a", { class: "button", href: again(run) }, "Play more games")
          : null,
      run.kind === "match" ? h("a", { class: "button", href: `/compare?runs=${this.number}` }, "Compare") : null,
      this.playing ? h("span", { class: "quiet" }, "All games that have ended are kept.") : null,
      this.problem ? h("span", { class: "warning", role: "alert" }, clean(this.problem, 300)) : null,
    );
  }
}

/** The form for more games of the same run; null for runs that the form cannot name. @param {any} run */
function again(run) {
  const { limits, settings, entrants } = run;
  if (run.imported || !["match", "league"].includes(run.kind) || limits.policy !== "soft" || Object.keys(settings).length) return null;
  const games = run.games < run.wanted ? run.wanted : 2 * run.games;
  const words = new URLSearchParams({ game: run.game, games: String(games), seed: run.seed, nodes: String(limits.nodes), milliseconds: String(limits.milliseconds) });
  // the bots of a match in their order: with another one it would be another match
  const order = run.kind === "match" ? (run.bots ?? run.name.split(" vs ")) : [];
  const place = (/** @type {any} */ bot) => order.indexOf(bot.bot);
  for (const bot of [...entrants].sort((a, b) => place(a) - place(b))) words.append("bot", bot.name);
  if (run.kind === "league") words.set("name", run.name);
  return `/new?${words}`;
}
