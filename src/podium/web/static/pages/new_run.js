// A new run: a game, two bots for a match or more for a league, how many games, and the limit of a move.

import { get, post } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { clean } from "podium/format.js";

const MOST_BOTS = 12;
const FIELDS = /** @type {[string, string, number, number][]} */ ([
  ["games", "games", 2, 1_000_000],
  ["nodes", "nodes per move (0: time)", 0, 10_000_000],
  ["milliseconds", "milliseconds per move (0: the contest's)", 0, 10_000],
  ["seed", "seed", 0, 2 ** 40],
  ["jobs", "games at a time (0: one per core)", 0, 64],
]);

/** @param {Element} root */
export async function show(root) {
  document.title = "New run · Podium";
  const games = (await get("/rules")).filter((/** @type {any} */ rules) => !rules.error);
  new NewRun(root, games).draw();
}

class NewRun {
  /** @param {Element} root @param {any[]} games */
  constructor(root, games) {
    const words = new URLSearchParams(location.search);
    this.root = root;
    this.games = games;
    this.game = games.find((game) => game.name === words.get("game")) ?? games[0];
    this.name = words.get("name") ?? "";
    this.problem = "";
    this.busy = false;
    const given = words.getAll("bot");
    this.bots = given.length > 1 ? given : this.first();
    /** @type {Record<string, string>} */
    this.values = { games: "100", nodes: "1000", milliseconds: "0", seed: "1", jobs: "1" };
    for (const name in this.values) this.values[name] = words.get(name) ?? this.values[name];
  }

  /** Two bots to begin with: the champion, and another one. */
  first() {
    const names = [...this.game.bots.map((/** @type {any} */ bot) => bot.name), ...this.game.stored];
    const first = names.includes("champion") ? "champion" : (names[0] ?? "");
    return [first, names.find((/** @type {string} */ name) => name !== first) ?? first];
  }

  async begin(/** @type {Event} */ event) {
    event.preventDefault();
    this.busy = true;
    this.problem = "";
    this.draw();
    const values = Object.fromEntries(Object.entries(this.values).map(([name, value]) => [name, Number(value)]));
    const bots = this.bots.map((bot) => bot.trim()).filter(Boolean);
    try {
      const { run } = await post("/runs", { game: this.game.name, bots, ...values, ...(bots.length > 2 && this.name ? { name: this.name } : {}) });
      location.assign(bots.length > 2 ? `/leagues/r${run}` : `/runs/${run}`);
    } catch (error) {
      this.busy = false;
      this.problem = error instanceof Error ? error.message : String(error);
      this.draw();
    }
  }

  draw() {
    const many = this.bots.length > 2;
    render(
      this.root,
      h("div", { class: "heading" }, h("h1", null, "New run"), h("p", { class: "quiet" }, "Two bots play a match, more of them a league. Started again with more games, a run goes on.")),
      h(
        "form",
        { class: "form tall", onsubmit: (/** @type {Event} */ event) => this.begin(event) },
        this.gameField(),
        h("datalist", { id: "bots" }, [...this.game.bots.map((/** @type {any} */ bot) => h("option", { value: bot.name }, bot.summary)), ...this.game.stored.map((/** @type {string} */ name) => h("option", { value: name }))]),
        this.bots.map((bot, index) => this.botField(bot, index)),
        h(
          "p",
          { class: "buttons" },
          h("button", { type: "button", disabled: this.bots.length >= MOST_BOTS, onclick: () => this.change([...this.bots, ""]) }, "Add a bot"),
          many ? h("button", { type: "button", onclick: () => this.change(this.bots.slice(0, -1)) }, "Remove the last") : null,
        ),
        many ? this.field("name", "name of the league", { value: this.name, placeholder: "league", oninput: (/** @type {any} */ e) => (this.name = e.target.value) }) : null,
        FIELDS.map(([name, title, min, max]) =>
          this.field(name, title, { type: "number", min, max, value: this.values[name], oninput: (/** @type {any} */ e) => (this.values[name] = e.target.value) }),
        ),
        h("p", null, h("button", { class: "primary", disabled: this.busy }, this.busy ? "Starting …" : many ? "Start the league" : "Start the match")),
        h("p", { class: "warning", role: "alert" }, clean(this.problem, 400)),
      ),
    );
  }

  /** @param {string[]} bots */
  change(bots) {
    this.bots = bots;
    this.draw();
  }

  gameField() {
    const choose = (/** @type {any} */ event) => {
      this.game = this.games.find((game) => game.name === event.target.value);
      this.change(this.first());
    };
    return h(
      "label",
      { key: "game" },
      h("span", null, "game"),
      h("select", { value: this.game.name, onchange: choose }, this.games.map((game) => h("option", { value: game.name }, game.title))),
    );
  }

  /** @param {string} bot @param {number} index */
  botField(bot, index) {
    const set = (/** @type {any} */ event) => (this.bots[index] = event.target.value);
    return this.field(`bot${index}`, `bot ${index + 1}`, { list: "bots", required: true, value: bot, placeholder: "such as champion:depth=4", oninput: set });
  }

  /** @param {string} name @param {string} title @param {Record<string, any>} more */
  field(name, title, more) {
    return h("label", { key: name }, h("span", null, title), h("input", { name, ...more }));
  }
}
