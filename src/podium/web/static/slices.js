// Results by attributes of games: where is a bot weaker than elsewhere? Computed when it is asked for.

import { get, isFile } from "podium/api.js";
import { h } from "podium/dom.js";
import { clean, count, percent, untrusted } from "podium/format.js";
import { table } from "podium/table.js";

const MOST = 40; // slices on a page

export class Slices {
  /** @param {string} run its number @param {string[]} bots to choose from; none: the first of a match @param {() => void} changed */
  constructor(run, bots, changed) {
    this.run = run;
    this.bots = bots;
    this.bot = bots[0] ?? "";
    this.changed = changed;
    /** @type {any} */
    this.found = null;
    this.said = "";
  }

  async load() {
    this.said = "The games are read …";
    this.changed();
    try {
      this.found = await get(`/runs/${this.run}/slices${this.bot ? `?bot=${encodeURIComponent(this.bot)}` : ""}`);
      this.said = "";
    } catch (error) {
      this.said = clean(error instanceof Error ? error.message : String(error), 300);
    }
    this.changed();
  }

  view() {
    if (isFile()) return null;
    return h(
      "section",
      { class: "slices", "aria-label": "results by attributes of games" },
      h("h2", null, "By attributes of games"),
      h(
        "p",
        null,
        this.bots.length ? this.choice() : null,
        h("button", { type: "button", onclick: () => this.load() }, "Slice the results"),
        this.said ? h("span", { class: "quiet", role: "status" }, ` ${this.said}`) : null,
      ),
      this.found ? this.results() : null,
    );
  }

  choice() {
    return h(
      "select",
      {
        "aria-label": "bot to slice",
        value: this.bot,
        onchange: (/** @type {any} */ e) => (this.bot = e.target.value),
      },
      this.bots.map((name) => h("option", { value: name }, clean(name, 40))),
    );
  }

  results() {
    const { found } = this;
    const sure = (/** @type {any} */ slice) => slice.q ?? 2;
    const slices = [...found.slices].sort((one, other) => sure(one) - sure(other)).slice(0, MOST);
    return [
      h("p", null, untrusted(found.sentence, 400)),
      table(
        ["attribute", "value", "games", `score of ${clean(found.bot, 30)}`, "95 %", "elsewhere", "q", ""],
        slices.map((/** @type {any} */ slice) => [
          untrusted(slice.attribute, 40),
          untrusted(slice.value, 40),
          count(slice.games),
          percent(slice.score),
          `${percent(slice.low, 0)} – ${percent(slice.high, 0)}`,
          percent(slice.elsewhere),
          slice.q === null ? "–" : slice.q.toFixed(3),
          slice.finding,
        ]),
        2,
      ),
    ];
  }
}
