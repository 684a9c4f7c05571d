// The games of a run: a list that is filtered on the server and grows while games are played.

import { get, isFile } from "podium/api.js";
import { h } from "podium/dom.js";
import { count, dot, untrusted, when } from "podium/format.js";

const PAGE = 50;

export class GameList {
  /** @param {any} run @param {() => void} changed */
  constructor(run, changed) {
    this.number = run.run.slice(1);
    this.changed = changed;
    /** @type {Record<string, string>} */
    this.wishes = {};
    /** @type {any[]} */
    this.games = [];
    this.found = 0;
  }

  async load(more = false) {
    const offset = more ? this.games.length : 0;
    const words = new URLSearchParams({ ...this.wishes, offset: String(offset) });
    const answer = await get(isFile() ? `/runs/${this.number}/games` : `/runs/${this.number}/games?${words}`);
    this.games = more ? [...this.games, ...answer.games] : answer.games;
    this.found = answer.found;
    this.changed();
  }

  /** New games, the oldest first. @param {any[]} games */
  add(games) {
    if (Object.keys(this.wishes).length) return;
    const known = new Set(this.games.slice(0, 300).map((game) => game.id));
    const fresh = games.filter((game) => !known.has(game.id));
    this.games = [...fresh.reverse(), ...this.games].slice(0, Math.max(PAGE, this.games.length));
    this.found += fresh.length;
  }

  /** @param {any} run */
  view(run) {
    if (!this.found && !this.games.length && !Object.keys(this.wishes).length)
      return h("p", { class: "quiet games" }, run.games ? "" : "No game has been played to its end yet.");
    return h(
      "section",
      { class: "games" },
      h("h2", null, "Games ", h("span", { class: "quiet" }, count(this.found))),
      isFile() ? null : this.filters(run),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "list" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["game", "seats", "scores", "how it ended", "answers", "played"].map((name) =>
                h("th", { key: name, class: name === "answers" ? "number" : null }, name),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            this.games.map((game) => row(game)),
          ),
        ),
      ),
      this.games.length < this.found && !isFile()
        ? h("p", { class: "more" }, h("button", { type: "button", onclick: () => this.load(true) }, "more games"))
        : null,
    );
  }

  /** @param {any} run */
  filters(run) {
    const wish = (/** @type {string} */ name) => (/** @type {any} */ event) => {
      if (event.target.value) this.wishes[name] = event.target.value;
      else delete this.wishes[name];
      this.load();
    };
    const select = (
      /** @type {string} */ name,
      /** @type {string} */ title,
      /** @type {[string, string][]} */ options,
    ) =>
      h(
        "label",
        { key: name },
        h("span", null, title),
        h(
          "select",
          { value: this.wishes[name] ?? "", onchange: wish(name) },
          h("option", { value: "" }, "all"),
          options.map(([value, text]) => h("option", { value }, text)),
        ),
      );
    const seats = this.games[0]?.bots.length ?? 2;
    const faults = [...new Set((run.faults ?? []).flatMap((/** @type {any} */ counts) => Object.keys(counts)))];
    const length = (/** @type {string} */ name, /** @type {string} */ title) =>
      h(
        "label",
        { key: name },
        h("span", null, title),
        h("input", { type: "number", min: 0, value: this.wishes[name] ?? "", onchange: wish(name) }),
      );
    return h(
      "form",
      { class: "filters", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      select(
        "bot",
        "bot",
        run.entrants.map((/** @type {any} */ bot) => [String(bot.id), bot.bot.slice(0, 50)]),
      ),
      select("result", "who", [
        ["won", "won"],
        ["drawn", "drew"],
        ["lost", "lost"],
      ]),
      select(
        "seat",
        "in seat",
        Array.from({ length: seats }, (_, seat) => [String(seat), String(seat)]),
      ),
      select("fault", "with fault", [
        ["any", "any fault"],
        ...faults.map((word) => /** @type {[string, string]} */ ([String(word), String(word)])),
      ]),
      length("shortest", "answers from"),
      length("longest", "to"),
    );
  }
}

/** @param {any} game */
function row(game) {
  const best = Math.min(...game.ranks);
  return h(
    "tr",
    { key: game.game },
    h("td", null, isFile() ? game.game : h("a", { href: `/games/${game.id}` }, game.game)),
    h(
      "td",
      null,
      h(
        "div",
        { class: "names" },
        game.bots.map((/** @type {string} */ bot, /** @type {number} */ seat) =>
          h("span", { class: game.ranks[seat] === best ? "who winner" : "who" }, dot(seat), untrusted(bot, 40)),
        ),
      ),
    ),
    h("td", { class: "nowrap" }, game.scores.map((/** @type {number} */ score) => +score.toFixed(2)).join(" : ")),
    h("td", { class: game.faults.length ? "warning sentence" : "sentence" }, untrusted(game.sentence, 120)),
    h("td", { class: "number" }, count(game.answers)),
    h("td", { class: "quiet nowrap" }, when(game.started)),
  );
}
