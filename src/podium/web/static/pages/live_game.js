// A live game as one seat sees it: moves by clicking, hints. What may be played comes from the server.

import { follow, get, post, sceneModule } from "podium/api.js";
import { Board } from "podium/board.js";
import { h, render } from "podium/dom.js";
import { clean, dot, untrusted, turnAddress, turnName } from "podium/format.js";

const MOST_BUTTONS = 12;

/** @typedef {import("podium/board.js").Choice} Choice */

/** @param {Element} root @param {string[]} parameters */
export async function show(root, [id]) {
  const table = await get(`/tables/${encodeURIComponent(id)}`);
  document.title = `${table.rules.title} · Podium`;
  const module = table.rules.script ? await sceneModule(table.rules.script) : null;
  const page = new LiveGamePage(root, id, table, module);
  const stop = follow(`/tables/${encodeURIComponent(id)}/events`, {
    position: (data) => page.position(data),
    asked: (data) => page.ask(data),
    finished: (data) => page.finish(data),
    failed: (data) => page.fail(data),
    left: () => page.fail("You left the game; nothing is stored."),
    end: () => stop(),
  });
  return stop;
}

class LiveGamePage {
  /** @param {Element} root @param {string} id @param {any} table @param {import("podium/board.js").SceneModule | null} module */
  constructor(root, id, table, module) {
    this.root = root;
    this.id = id;
    this.table = table;
    this.module = module;
    /** @type {any} */
    this.shown = null;
    /** @type {any} */
    this.asked = null;
    /** @type {string[]} */
    this.clicked = [];
    /** @type {any} */
    this.hint = null;
    /** @type {any} */
    this.over = null;
    this.note = "Setting up the game …";
    this.typed = "";
    this.forced = true; // a move without a choice is played by itself
    this.refresh();
  }

  /** @param {any} data */
  position(data) {
    this.shown = data;
    this.asked = null;
    this.hint = null;
    this.note = this.table.people.length ? "Waiting for the other players …" : "The bots are playing …";
    this.refresh();
  }

  /** @param {any} data */
  ask(data) {
    this.shown = data;
    this.asked = data;
    this.clicked = [];
    this.hint = null;
    this.typed = "";
    this.note = "";
    if (this.forced && data.choices.length === 1) this.play(data.choices[0].answer);
    else this.refresh();
  }

  /** @param {any} data */
  finish(data) {
    this.asked = null;
    this.over = data;
    this.note = "";
    this.refresh();
  }

  /** @param {string} text */
  fail(text) {
    this.asked = null;
    this.note = clean(text ?? "", 400);
    this.over = this.over ?? {};
    this.refresh();
  }

  /** The choices that what was clicked so far begins. @returns {Choice[]} */
  get open() {
    /** @type {Choice[]} */
    const all = this.asked?.choices ?? [];
    return all.filter((choice) => this.clicked.every((spot, place) => choice.spots[place] === spot));
  }

  /** @param {string} spot */
  click(spot) {
    if (!this.asked) return;
    const next = this.open.filter((choice) => choice.spots[this.clicked.length] === spot);
    if (next.length) this.clicked = [...this.clicked, spot];
    else {
      // a click elsewhere begins anew
      this.clicked = this.asked.choices.some((/** @type {Choice} */ choice) => choice.spots[0] === spot) ? [spot] : [];
    }
    const open = this.open;
    const complete = open.filter((choice) => choice.spots.length === this.clicked.length);
    if (complete.length === 1 && open.length === 1 && this.clicked.length) this.play(complete[0].answer);
    else this.refresh();
  }

  /** @param {string} line */
  async play(line) {
    const turn = this.asked?.turn;
    this.asked = null;
    this.clicked = [];
    this.note = "Waiting for the other players …";
    this.refresh();
    try {
      await post(`/tables/${this.id}/answer`, { turn, line });
    } catch (error) {
      this.note = error instanceof Error ? error.message : String(error);
      this.refresh();
    }
  }

  async askHint() {
    const bot = this.hintBot();
    this.note = `${bot} is thinking …`;
    const asked = this.asked;
    this.refresh();
    try {
      const hint = await post(`/tables/${this.id}/hint`, { bot, milliseconds: this.table.milliseconds });
      if (this.asked !== asked) return;
      this.hint = hint;
      this.note = "";
    } catch (error) {
      this.note = error instanceof Error ? error.message : String(error);
    }
    this.refresh();
  }

  hintBot() {
    return (
      this.table.bots.find(
        (/** @type {string} */ bot, /** @type {number} */ seat) => !this.table.people.includes(seat),
      ) ?? "champion"
    );
  }

  refresh() {
    const { table } = this;
    render(
      this.root,
      h(
        "div",
        { class: "heading" },
        h(
          "h1",
          null,
          table.bots.map((/** @type {string} */ bot, /** @type {number} */ seat) => [
            seat ? h("span", { class: "versus" }, " – ") : null,
            h("span", { class: "who" }, dot(seat), table.people.includes(seat) ? "you" : untrusted(bot, 60)),
          ]),
        ),
        h(
          "p",
          { class: "facts" },
          `${table.rules.title} · bots think ${table.milliseconds} ms`,
          table.parent
            ? [
                " · continues ",
                h("a", { href: turnAddress(table.parent) }, `g${table.parent.game}, ${turnName(table.parent.turn)}`),
              ]
            : null,
        ),
      ),
      h(
        "div",
        { class: "game" },
        h(
          "section",
          { class: "stage", "aria-label": "board" },
          h("div", {
            class: "frame",
            keep: true,
            ref: (/** @type {Element} */ e) => (this.board = new Board(e, this.module, (spot) => this.click(spot))),
          }),
        ),
        h(
          "section",
          { class: "side" },
          this.status(),
          this.asked ? this.moves() : null,
          this.asked ? this.hintView() : null,
        ),
      ),
    );
    if (this.board) this.board.label = `board of ${this.table.rules.title}: arrow keys and Enter choose a move`;
    if (this.shown) this.board?.show(this.shown);
    this.board?.offer(
      new Set(this.open.map((choice) => choice.spots[this.clicked.length]).filter(Boolean)),
      this.clicked,
    );
    this.board?.draw(
      this.hint
        ? [
            {
              seat: this.hint.seat,
              drawings: [...(this.hint.sketch?.beliefs ?? []), ...(this.hint.sketch?.line ?? [])],
            },
          ]
        : [],
    );
  }

  status() {
    if (this.over?.game) {
      return h(
        "div",
        { class: "status", role: "status" },
        h("p", { class: "strong" }, untrusted(this.over.sentence, 300)),
        h(
          "p",
          null,
          h("a", { href: `/games/${this.over.game}`, class: "button" }, `Open the game page of g${this.over.game}`),
        ),
        h("p", null, h("a", { href: "/play" }, "Play again")),
      );
    }
    const words = this.asked && !this.note ? `Your move, ${turnName(this.asked.turn)}.` : this.note;
    return h(
      "div",
      { class: "status", role: "status" },
      h("p", { class: "strong" }, words),
      this.over ? h("p", null, h("a", { href: "/play" }, "Play again")) : null,
    );
  }

  moves() {
    const open = this.open;
    const step = this.clicked.length
      ? `${open.length} moves match; click the next part.`
      : `${this.asked.choices.length} moves: click the board${this.asked.choices.length > MOST_BUTTONS ? "." : ", or choose one of these."}`;
    const complete =
      open.length <= MOST_BUTTONS ? open : open.filter((/** @type {Choice} */ choice) => !choice.spots.length);
    return h(
      "div",
      { class: "moves" },
      h(
        "p",
        { class: "quiet" },
        step,
        this.clicked.length
          ? [
              " ",
              h(
                "button",
                {
                  type: "button",
                  class: "link",
                  onclick: () => {
                    this.clicked = [];
                    this.refresh();
                  },
                },
                "start over",
              ),
            ]
          : null,
      ),
      h(
        "div",
        { class: "buttons" },
        complete
          .slice(0, MOST_BUTTONS)
          .map((/** @type {Choice} */ choice) =>
            h(
              "button",
              { key: choice.answer, type: "button", title: choice.answer, onclick: () => this.play(choice.answer) },
              clean(choice.label, 60),
            ),
          ),
      ),
      h(
        "form",
        {
          class: "typed",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            if (this.typed) this.play(this.typed);
          },
        },
        h("input", {
          type: "text",
          placeholder: "or type an answer in the contest's protocol",
          "aria-label": "answer",
          maxlength: 400,
          value: this.typed,
          oninput: (/** @type {any} */ e) => (this.typed = e.target.value),
        }),
        h("button", null, "Send"),
      ),
      h(
        "label",
        null,
        h("input", { type: "checkbox", checked: this.forced, onchange: () => (this.forced = !this.forced) }),
        " play forced moves automatically",
      ),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => this.askHint() }, "Hint"),
        h("button", { type: "button", onclick: () => post(`/tables/${this.id}/leave`, {}) }, "Leave"),
      ),
      h(
        "details",
        null,
        h("summary", null, "the prompt that a bot would get"),
        h("pre", null, clean(this.asked.prompt.join("\n"), 20000)),
      ),
    );
  }

  hintView() {
    if (!this.hint) return null;
    return h(
      "div",
      { class: "hintview" },
      h("p", null, `${clean(this.hint.asked, 40)} would play `, h("code", null, untrusted(this.hint.line, 80)), "."),
      h("button", { type: "button", onclick: () => this.play(this.hint.line) }, "Play that"),
    );
  }
}
