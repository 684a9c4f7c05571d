// The page of a game: the board at a turn, the way through the game, what the bots thought, and what else might have been.

import { get, isFile, sceneModule } from "podium/api.js";
import { attributeCurves } from "podium/attributes.js";
import { Board, changes } from "podium/board.js";
import { h, render } from "podium/dom.js";
import { count, dot, untrusted, turnAddress, turnName, when } from "podium/format.js";
import { graph, timing } from "podium/graph.js";
import { evaluationBar, followMoves, moveList } from "podium/movelist.js";
import { Playback, turnOfAddress } from "podium/playback.js";
import { shareButtons } from "podium/share.js";
import { panels } from "podium/thoughts.js";
import { WhatIf } from "podium/whatif.js";

const OVERLAYS = {
  line: "expected line",
  options: "options",
  beliefs: "beliefs",
  drawings: "bot's drawings",
  changes: "changes",
};
const STORED = "podium.overlays";

/** @param {Element} root @param {string[]} parameters */
export async function show(root, [number]) {
  const game = await get(`/games/${number}`);
  document.title = `g${number} · ${game.rules.title} · Podium`;
  const module = game.rules.script ? await sceneModule(game.rules.script) : null;
  new GamePage(root, game, module);
}

/** @returns {Set<string>} */
function storedOverlays() {
  try {
    return new Set(JSON.parse(localStorage.getItem(STORED) ?? '["line"]'));
  } catch {
    return new Set(["line"]);
  }
}

class GamePage {
  /** @param {Element} root @param {any} game @param {import("podium/board.js").SceneModule | null} module */
  constructor(root, game, module) {
    this.root = root;
    this.game = game;
    this.module = module;
    this.overlays = storedOverlays();
    /** @type {any[][] | null} */
    this.prompts = null;
    this.promptsShown = false; // whether prompts are shown
    this.noMore = false; // no other game of this run was lost by the loser
    this.playback = new Playback(game.turns.length - 1, turnOfAddress(), () => this.refresh());
    this.whatIf = new WhatIf(
      game,
      () => this.playback.turn,
      () => this.refresh(),
      (turn) => this.playback.go(turn),
    );
    this.refresh();
    document.addEventListener("keydown", (event) => this.playback.key(event));
  }

  get turn() {
    return this.game.turns[this.playback.turn];
  }

  refresh() {
    const { game, playback } = this;
    render(
      this.root,
      this.heading(),
      h(
        "div",
        { class: "game" },
        h(
          "section",
          { class: "stage", "aria-label": "board" },
          evaluationBar(game, playback.turn),
          h("div", {
            class: "frame",
            key: "frame",
            keep: true,
            ref: (/** @type {Element} */ e) => (this.board = new Board(e, this.module)),
          }),
          playback.controls(this.label()),
          this.switches(),
          shareButtons(
            game,
            () => playback.turn,
            () => this.board?.parent,
            isFile() ? null : this.whatIf.searchAddress(),
          ),
        ),
        h(
          "section",
          { class: "side" },
          graph(game, playback.turn, (turn) => playback.go(turn), this.whatIf.marks, this.whatIf.judged),
          isFile() || !game.rules.has_bots ? null : this.whatIf.reviewPart(),
          moveList(game, playback.turn, (turn) => playback.go(turn), this.whatIf.reviewMarks),
          attributeCurves(game, playback.turn, (turn) => playback.go(turn)),
          timing(game, playback.turn, (turn) => playback.go(turn)),
          panels(game, playback.turn, this.answersShown(), this.promptsOfTurn(), () => this.askPrompts()),
          isFile() ? null : this.whatIf.panel(),
        ),
      ),
    );
    if (this.board) this.board.label = `board of ${game.rules.title}, ${this.label()}`;
    this.board?.show(this.turn);
    this.drawOverlays();
    followMoves(this.root);
  }

  heading() {
    const { game } = this;
    const parent = game.parent
      ? [
          " · continues ",
          h("a", { href: turnAddress(game.parent) }, `g${game.parent.game}, ${turnName(game.parent.turn)}`),
        ]
      : null;
    return h(
      "div",
      { class: "heading" },
      h(
        "h1",
        null,
        game.bots.map((/** @type {string} */ bot, /** @type {number} */ seat) => [
          seat ? h("span", { class: "versus" }, " – ") : null,
          h(
            "span",
            { class: "who" },
            dot(seat),
            untrusted(bot, 60),
            h("b", { class: "result" }, game.scores[seat].toLocaleString("en")),
          ),
        ]),
      ),
      h("p", { class: "verdict" }, untrusted(game.sentence, 300)),
      h(
        "p",
        { class: "facts" },
        `${game.rules.title} · ${game.game} · `,
        isFile() ? game.run : h("a", { href: `/runs/${game.run.slice(1)}` }, game.run),
        ` · seed ${game.seed} · ${when(game.started)}`,
        parent,
        this.nextLost(),
      ),
      game.departure
        ? h("p", { class: "warning" }, `The rules have changed since this game was played: ${game.departure}.`)
        : null,
      game.faults.map((/** @type {any} */ fault) =>
        h("p", { class: "warning" }, dot(fault.seat), untrusted(fault.sentence, 400)),
      ),
    );
  }

  /** A link to the next game that the loser of this one lost. */
  nextLost() {
    const { game } = this;
    const seat = game.ranks.indexOf(Math.max(...game.ranks));
    if (isFile() || Math.min(...game.ranks) === Math.max(...game.ranks)) return null;
    const onclick = async () => {
      const { game: next } = await get(`/games/${game.id}/next_lost?seat=${seat}`);
      if (next === null) this.noMore = true;
      else location.assign(`/games/${next}`);
      this.refresh();
    };
    return [
      " · ",
      this.noMore
        ? "no other game was lost"
        : h("button", { type: "button", class: "link", onclick }, "next game lost by ", untrusted(game.bots[seat], 30)),
    ];
  }

  label() {
    const last = this.game.turns.length - 1;
    const { turn } = this.playback;
    return turn < last ? `${turnName(turn)} of ${count(last)}` : `the end, after turn ${count(last)}`;
  }

  switches() {
    const there = new Set(
      this.game.turns.flatMap((/** @type {any} */ turn) =>
        turn.answers.flatMap((/** @type {any} */ answer) => [
          ...Object.keys(answer.sketch ?? {}).filter((name) => answer.sketch[name].length),
          ...(answer.drawings ? ["drawings"] : []),
        ]),
      ),
    );
    there.add("changes");
    if (!this.module) return null;
    return h(
      "fieldset",
      { class: "switches" },
      h("legend", null, "On the board"),
      Object.entries(OVERLAYS)
        .filter(([name]) => there.has(name))
        .map(([name, title]) =>
          h(
            "label",
            { key: name },
            h("input", { type: "checkbox", checked: this.overlays.has(name), onchange: () => this.toggle(name) }),
            ` ${title}`,
          ),
        ),
    );
  }

  /** @param {string} name */
  toggle(name) {
    if (!this.overlays.delete(name)) this.overlays.add(name);
    try {
      localStorage.setItem(STORED, JSON.stringify([...this.overlays]));
    } catch {
      // a page from disk may not be allowed to remember
    }
    this.refresh();
  }

  drawOverlays() {
    const layers = this.answersShown().flatMap((/** @type {any} */ answer) => [
      ...["beliefs", "options", "line"]
        .filter((name) => this.overlays.has(name))
        .map((name) => ({ seat: answer.seat, drawings: answer.sketch?.[name] ?? [] })),
      { seat: answer.seat, drawings: this.overlays.has("drawings") ? (answer.drawings ?? []) : [] },
    ]);
    const before = this.game.turns[this.playback.turn - 1]?.scene;
    this.board?.draw(layers, this.overlays.has("changes") ? changes(this.module, before, this.turn.scene) : new Set());
  }

  /** The answers of this turn, or what a bot that was asked says instead. */
  answersShown() {
    const found = this.whatIf.found;
    return found && found.turn === this.playback.turn ? [found.answer] : this.turn.answers;
  }

  promptsOfTurn() {
    return this.promptsShown ? (this.prompts?.[this.playback.turn] ?? null) : null;
  }

  async askPrompts() {
    this.promptsShown = !this.promptsShown;
    this.refresh();
    if (this.promptsShown && !this.prompts) {
      this.prompts = await get(`/games/${this.game.id}/prompts`);
      this.refresh();
    }
  }
}
