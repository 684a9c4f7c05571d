// Play: choose a game, who sits where, and how long the bots may think.

import { get, post } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { clean, dot } from "podium/format.js";

const HUMAN = "human";

/** @param {Element} root */
export async function show(root) {
  document.title = "Play · Podium";
  const games = (await get("/rules")).filter((/** @type {any} */ rules) => rules.playable);
  const wanted = new URLSearchParams(location.search).get("game");
  /** @type {{game: any, bots: string[], milliseconds: number, seed: string, problem: string, busy: boolean}} */
  const state = {
    game: games.find((/** @type {any} */ g) => g.name === wanted) ?? games[0],
    bots: [],
    milliseconds: 200,
    seed: "",
    problem: "",
    busy: false,
  };
  const choose = (/** @type {any} */ game) => {
    state.game = game;
    const strongest = game.bots.some((/** @type {any} */ bot) => bot.name === "champion")
      ? "champion"
      : game.bots[0].name;
    state.bots = Array.from({ length: game.seats }, (_, seat) => (seat ? strongest : HUMAN));
    state.milliseconds = game.bank ? 1000 : game.limit_ms;
    draw();
  };
  const sit = (/** @type {number} */ seat, /** @type {string} */ bot) => {
    // one person at a time: who sits down leaves the old chair to the bot that sat here
    if (bot === HUMAN) state.bots = state.bots.map((other) => (other === HUMAN ? state.bots[seat] : other));
    state.bots[seat] = bot;
    draw();
  };
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    state.busy = true;
    draw();
    try {
      const seed = state.seed === "" ? {} : { seed: state.seed };
      const { table } = await post("/tables", {
        game: state.game.name,
        bots: state.bots,
        milliseconds: state.milliseconds,
        ...seed,
      });
      location.assign(`/play/${table}`);
    } catch (error) {
      state.busy = false;
      state.problem = error instanceof Error ? error.message : String(error);
      draw();
    }
  };
  const draw = () =>
    render(
      root,
      h("div", { class: "heading" }, h("h1", null, "Play")),
      h(
        "form",
        { class: "form tall", onsubmit: begin },
        h(
          "div",
          { class: "cards", role: "radiogroup", "aria-label": "game", onkeydown: arrows },
          games.map((/** @type {any} */ game) =>
            h(
              "button",
              {
                key: game.name,
                type: "button",
                role: "radio",
                class: "card",
                "aria-checked": String(game === state.game),
                tabindex: game === state.game ? 0 : -1,
                onclick: () => choose(game),
              },
              h("strong", null, game.title),
              h("span", { class: "quiet" }, `${game.source} · ${game.seats} seats`),
            ),
          ),
        ),
        state.bots.map((bot, seat) =>
          h(
            "label",
            { key: `seat${seat}` },
            h("span", null, dot(seat), `seat ${seat}`),
            h(
              "select",
              { value: bot, onchange: (/** @type {any} */ e) => sit(seat, e.target.value) },
              h("option", { value: HUMAN }, "you"),
              state.game.bots.map((/** @type {any} */ one) =>
                h("option", { value: one.name, title: one.summary }, `${one.name}: ${clean(one.summary, 70)}`),
              ),
              state.game.stored.map((/** @type {string} */ name) => h("option", { value: name }, clean(name, 70))),
            ),
          ),
        ),
        h(
          "label",
          null,
          h("span", null, "thinking time per move (ms)"),
          h("input", {
            type: "number",
            min: 1,
            max: 10000,
            value: String(state.milliseconds),
            onchange: (/** @type {any} */ e) => (state.milliseconds = Number(e.target.value)),
          }),
        ),
        h(
          "label",
          null,
          h("span", null, "seed (random if empty)"),
          h("input", {
            type: "number",
            value: state.seed,
            onchange: (/** @type {any} */ e) => (state.seed = e.target.value),
          }),
        ),
        h(
          "p",
          null,
          h(
            "button",
            { class: "primary", disabled: state.busy },
            state.busy ? "Setting up …" : state.bots.includes(HUMAN) ? "Play" : "Watch",
          ),
        ),
        h("p", { class: "warning", role: "status" }, clean(state.problem, 300)),
      ),
    );
  choose(state.game);
}

/** The arrow keys choose among the cards of a group, as in any radio group. @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const cards = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("[role=radio]")];
  const at = cards.indexOf(/** @type {Element} */ (event.target));
  const next = /** @type {HTMLElement} */ (cards[(at + step + cards.length) % cards.length]);
  next.focus();
  next.click();
}
