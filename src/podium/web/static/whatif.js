// What if: any bot asked at a turn, a whole game reviewed by one, or the game gone on with from here.

import { get, post } from "podium/api.js";
import { h } from "podium/dom.js";
import { clean, untrusted, opinion, percent, turnName } from "podium/format.js";
import { Pins } from "podium/pins.js";
import { table } from "podium/table.js";

const LARGEST_MARKS = 5;

/** @typedef {{name: string, summary: string}} Bot */
/** @typedef {{turn: number, better: string, played: string | null, cost: number, win: number | null, played_win: number | null, lost_win: number | null, mark: string, unit: string}} Cost of a reviewed turn */

/** What a played move gave away; a win that is believed after one of two moves alone is the game. @param {Cost} cost */
function price(cost) {
  if (cost.lost_win !== null) return `${percent(cost.lost_win, 0)} ${cost.mark}`;
  return (cost.win === null) !== (cost.played_win === null) ? "the game" : `${opinion(cost.cost)} ${cost.unit}`;
}

export class WhatIf {
  /** @param {any} game @param {() => number} turn @param {() => void} changed @param {(turn: number) => void} go */
  constructor(game, turn, changed, go) {
    this.game = game;
    this.turn = turn;
    this.changed = changed;
    this.go = go;
    /** @type {{turn: number, answer: any} | null} */
    this.found = null;
    /** @type {{turn: number, seat: number, title: string}[]} */
    this.marks = [];
    /** @type {import("podium/graph.js").Series | null} */
    this.judged = null;
    /** @type {{bots: Bot[], stored: string[]} | null} */
    this.rules = null;
    this.bot = "champion";
    this.seat = game.ranks.indexOf(Math.max(...game.ranks)); // the loser's seat, as in `podium review`
    this.milliseconds = 200;
    this.busy = "";
    this.problem = "";
    this.reviewProblem = "";
    /** @type {Cost[]} */
    this.costs = [];
    /** @type {import("podium/movelist.js").ReviewMark[]} */
    this.reviewMarks = [];
    /** @type {string[]} what came otherwise than expected */
    this.surprises = [];
    this.reviewed = "";
    this.pins = new Pins(game, changed);
  }

  async load() {
    const all = await get("/rules");
    this.rules = all.find((/** @type {any} */ rules) => rules.name === this.game.rules.name) ?? {
      bots: [],
      stored: [],
    };
    const names = [...(this.rules?.bots.map((bot) => bot.name) ?? []), ...(this.rules?.stored ?? [])];
    if (!names.includes(this.bot)) this.bot = names[0] ?? "";
    this.changed();
  }

  panel() {
    if (!this.rules) {
      this.rules = { bots: [], stored: [] };
      this.load().catch((error) => this.fail(error));
    }
    const about = { class: "whatif", "aria-label": "what if" };
    const title = h("h2", null, "What if");
    if (!this.bot) return h("section", about, title, h("p", { class: "quiet" }, "No bot here plays this game."));
    const last = this.turn() >= this.game.turns.length - 1;
    return h(
      "section",
      about,
      title,
      h(
        "div",
        { class: "form" },
        this.choice(
          "bot",
          "bot",
          this.bot,
          [
            ...this.rules.bots.map((bot) => /** @type {[string, string]} */ ([bot.name, bot.name])),
            ...this.rules.stored.map((name) => /** @type {[string, string]} */ ([name, clean(name, 50)])),
          ],
          (value) => (this.bot = value),
        ),
        this.choice(
          "seat",
          "playing for",
          String(this.seat),
          this.game.bots.map((/** @type {string} */ bot, /** @type {number} */ seat) => [
            String(seat),
            `seat ${seat}: ${clean(bot, 30)}`,
          ]),
          (value) => (this.seat = Number(value)),
        ),
        h(
          "label",
          null,
          h("span", null, "milliseconds"),
          h("input", {
            type: "number",
            min: 1,
            max: 10000,
            value: String(this.milliseconds),
            onchange: (/** @type {any} */ e) => (this.milliseconds = Number(e.target.value)),
          }),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            disabled: Boolean(this.busy) || !this.bot || this.seatAsked() === undefined,
            onclick: () => this.ask(),
          },
          "Ask about this turn",
        ),
        this.searchAddress() ? h("a", { class: "button", href: this.searchAddress() }, "Show the search") : null,
        h(
          "button",
          { type: "button", disabled: Boolean(this.busy) || last, onclick: () => this.goOn(false) },
          "Continue with bots",
        ),
        this.game.rules.playable
          ? h("button", { type: "button", disabled: Boolean(this.busy) || last, onclick: () => this.goOn(true) }, "Continue yourself")
          : null,
      ),
      h(
        "p",
        { class: "status", role: "status" },
        this.problem ? h("span", { class: "warning" }, clean(this.problem, 300)) : this.words(),
      ),
    );
  }

  /** The review of the whole game, which stands above the rest: where was it lost? */
  reviewPart() {
    const loser = clean(this.game.bots[this.seat], 40);
    return h(
      "section",
      { class: "review", "aria-label": "review" },
      h(
        "p",
        { class: "buttons" },
        h(
          "button",
          { type: "button", disabled: Boolean(this.busy), onclick: () => this.review() },
          this.reviewed ? "Review again" : "Review the game",
        ),
        h(
          "span",
          { class: this.reviewProblem ? "warning" : "quiet", role: "status" },
          this.reviewProblem
            ? clean(this.reviewProblem, 300)
            : this.busy === "review"
            ? `${clean(this.bot, 40)} goes through the game …`
            : this.reviewed || `${clean(this.bot, 40)} looks for the turns that cost ${loser} most`,
        ),
      ),
      this.costs.length ? h("div", { class: "scroll" }, this.reviewTable()) : null,
      this.surprises.map((text) => {
        const parts = text.split("; ").flatMap((part, place) => [place ? h("br") : "", clean(part, 300)]);
        return h("p", { class: "small" }, parts);
      }),
    );
  }

  /** @param {string} key @param {string} title @param {string} value @param {[string, string][]} options @param {(value: string) => void} set */
  choice(key, title, value, options, set) {
    return h(
      "label",
      { key },
      h("span", null, title),
      h(
        "select",
        {
          value,
          onchange: (/** @type {any} */ e) => {
            set(e.target.value);
            this.changed();
          },
        },
        options.map(([name, text]) => h("option", { value: name }, text)),
      ),
    );
  }

  words() {
    if (this.busy === "ask") return `${clean(this.bot, 40)} is thinking …`;
    const found = this.found;
    if (!found) return "A bot gets only the prompts of its seat: hidden information stays hidden.";
    const played = this.game.turns[found.turn].answers.find((/** @type {any} */ a) => a.seat === found.answer.seat);
    const code = (/** @type {string} */ line) => h("code", null, untrusted(line, 60));
    const back = () => {
      this.found = null;
      this.changed();
    };
    const words =
      found.answer.line === null
        ? "It gave no answer. "
        : played?.line === found.answer.line
          ? "It would play the same. "
          : ["Instead of ", code(played?.line), ", it would play ", code(found.answer.line), ". "];
    return [words, h("button", { type: "button", class: "link", onclick: back }, "Back to the game")];
  }

  reviewTable() {
    return table(
      ["turn", "played", "better", this.costs[0].lost_win === null ? "cost" : "chances lost", "keep as a test"],
      this.costs
        .slice(0, LARGEST_MARKS)
        .map((cost) => [
          h("button", { type: "button", class: "link", onclick: () => this.go(cost.turn) }, cost.turn + 1),
          h("code", null, untrusted(cost.played, 40)),
          h("code", null, untrusted(cost.better, 40)),
          price(cost),
          this.pins.button(cost, this.judged?.seat ?? this.seat, this.judged?.judge ?? this.bot),
        ]),
      3,
    );
  }

  /** @param {unknown} error */
  fail(error) {
    this.busy = "";
    this.problem = error instanceof Error ? error.message : String(error);
    this.changed();
  }

  /** Whose place a bot is asked in at this turn: the chosen one, or who else has to answer. @returns {number | undefined} */
  seatAsked() {
    const seats = this.game.turns[this.turn()].answers.map((/** @type {any} */ answer) => answer.seat);
    return seats.includes(this.seat) ? this.seat : seats[0];
  }

  /** The page of the search that the bot makes at this turn; null if it makes none. */
  searchAddress() {
    if (!this.game.rules.has_bots || this.seatAsked() === undefined) return null;
    const words = { game: this.game.id, turn: this.turn() + 1, seat: this.seatAsked(), bot: this.bot };
    return `/search?${new URLSearchParams(Object.entries(words).map(([name, value]) => [name, String(value)]))}`;
  }

  /** @param {number} turn @returns {Promise<any>} */
  question(turn) {
    return post(`/games/${this.game.id}/think`, {
      turn,
      seat: this.seatAsked(),
      bot: this.bot,
      milliseconds: this.milliseconds,
    });
  }

  async ask() {
    const turn = this.turn();
    this.busy = "ask";
    this.problem = "";
    this.changed();
    try {
      this.found = { turn, answer: await this.question(turn) };
      this.busy = "";
      this.changed();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Let the bot judge every answer of the seat. */
  async review() {
    this.busy = "review";
    this.reviewProblem = "";
    this.changed();
    try {
      const review = await post(`/games/${this.game.id}/review`, { seat: this.seat, bot: this.bot });
      this.costs = review.turns
        .filter((/** @type {any} */ turn) => turn.cost)
        .map((/** @type {any} */ turn) => ({ ...turn, turn: turn.turn - 1, unit: review.unit })) // turns begin at 0 here
        .sort(
          (/** @type {any} */ one, /** @type {any} */ other) =>
            (other.lost_win ?? 0) - (one.lost_win ?? 0) || other.cost - one.cost,
        )
        .slice(0, LARGEST_MARKS);
      this.judged = {
        seat: this.seat,
        unit: review.unit,
        judge: this.bot,
        points: review.turns
          .filter((/** @type {any} */ turn) => turn.value !== null)
          .map((/** @type {any} */ turn) => [turn.turn - 1, turn.value]),
      };
      this.marks = this.costs.map((cost) => ({
        turn: cost.turn,
        seat: this.seat,
        title: `${turnName(cost.turn)}: ${clean(this.bot, 40)} would have played ${clean(cost.better, 60)}`,
      }));
      this.reviewMarks = review.turns
        .filter((/** @type {any} */ turn) => turn.mark)
        .map((/** @type {any} */ turn) => ({ ...turn, turn: turn.turn - 1, seat: this.seat, lostWin: turn.lost_win }));
      this.surprises = review.surprise_sentences;
      const found = this.costs.length ? "The moves that cost most" : "No move cost anything";
      this.reviewed = `${found} in the opinion of ${clean(this.bot, 40)} (for each answer ${clean(review.budget, 100)}).`;
      this.busy = "";
      this.changed();
    } catch (error) {
      this.busy = "";
      this.reviewProblem = error instanceof Error ? error.message : String(error);
      this.changed();
    }
  }

  /** @param {boolean} byHand */
  async goOn(byHand) {
    // the chosen bot sits in for a human, and for a player of another site, who are not there
    const bots = this.game.names.map((/** @type {string} */ name, /** @type {number} */ seat) =>
      seat === this.seat ? (byHand ? "human" : this.bot) : name === "human" || this.game.imported ? this.bot : name,
    );
    try {
      const { table } = await post("/tables", {
        from: { game: this.game.id, turn: this.turn() },
        bots,
        milliseconds: this.milliseconds,
      });
      location.assign(`/play/${table}`);
    } catch (error) {
      this.fail(error);
    }
  }
}
