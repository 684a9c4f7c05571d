// What bots thought, said and were told at a turn: one panel for each seat, of a height that does not change.

import { h } from "podium/dom.js";
import { clean, count, dot, untrusted, milliseconds, opinion, turnName } from "podium/format.js";
import { matrixView } from "podium/matrix.js";

const OPTIONS = 8; // shown of a bot's list
const MOVES = 12; // shown of an expected line

/**
 * @param {any} game @param {number} turn @param {any[]} answers @param {any[] | null} prompts the prompts of this turn; null while hidden
 * @param {() => void} askPrompts
 */
export function panels(game, turn, answers, prompts, askPrompts) {
  /** @type {Map<number, {answer: any, prompt?: string[], turn?: number}>} */
  const bySeat = new Map(answers.map((answer, index) => [answer.seat, { answer, prompt: prompts?.[index] }]));
  game.bots.forEach((/** @type {string} */ _, /** @type {number} */ seat) => {
    const last = bySeat.has(seat) ? null : lastAnswer(game, turn, seat);
    if (last) bySeat.set(seat, last);
  });
  return h(
    "div",
    { class: `panels of-${game.bots.length > 2 ? "many" : "two"}` },
    game.bots.map((/** @type {string} */ bot, /** @type {number} */ seat) => panel(bot, seat, bySeat.get(seat))),
    h(
      "p",
      { class: "told" },
      h(
        "button",
        { type: "button", class: "link", "aria-pressed": String(prompts !== null), onclick: askPrompts },
        prompts ? "hide prompts" : "show prompts",
      ),
    ),
  );
}

/** What a seat that is not asked now said last. @param {any} game @param {number} turn @param {number} seat */
function lastAnswer(game, turn, seat) {
  for (let before = turn - 1; before >= 0; before--) {
    const answer = game.turns[before].answers.find((/** @type {any} */ a) => a.seat === seat);
    if (answer) return { answer, turn: before };
  }
  return null;
}

/** @param {string} bot @param {number} seat @param {{answer: any, prompt?: string[], turn?: number} | undefined} said */
function panel(bot, seat, said) {
  const answer = said?.answer;
  const name = answer?.asked ? `${answer.asked} (asked now)` : bot;
  return h(
    "article",
    { key: `seat${seat}`, class: `panel seat-edge-${seat % 4}${said?.turn === undefined ? "" : " past"}` },
    h(
      "h2",
      null,
      dot(seat),
      untrusted(name, 60),
      answer
        ? h("span", { class: "time" }, said?.turn === undefined ? milliseconds(answer.ms) : turnName(said.turn))
        : null,
    ),
    h(
      "p",
      { class: "answer" },
      answer
        ? answer.line === null
          ? h("em", null, "no answer")
          : h("code", null, untrusted(answer.line, 160))
        : h("em", { class: "quiet" }, "not asked yet"),
    ),
    answer?.verdict ? h("p", { class: "warning" }, untrusted(`${answer.verdict[0]}: ${answer.verdict[1]}`, 300)) : null,
    answer?.thoughts ? thoughts(answer.thoughts) : null,
    answer?.stderr
      ? h(
          "details",
          { class: "stderr", open: true },
          h("summary", null, "standard error"),
          h("pre", null, clean(answer.stderr, 20000)),
        )
      : null,
    said?.prompt
      ? h(
          "details",
          { class: "prompt", open: true },
          h("summary", null, "prompt"),
          h("pre", null, clean(said.prompt.join("\n"), 20000)),
        )
      : null,
  );
}

/** @param {any} t */
function thoughts(t) {
  const figures = [
    ["value", opinion(t.value, t.unit), t.unit && t.unit !== "win rate" ? t.unit : ""],
    ["depth", t.depth ? String(t.depth) : "–", ""],
    ["nodes", t.nodes ? count(t.nodes) : "–", ""],
  ];
  return [
    h(
      "dl",
      { class: "figures" },
      figures.map(([name, value, unit]) =>
        h("div", { key: name }, h("dt", null, name), h("dd", null, value, unit ? h("small", null, ` ${unit}`) : null)),
      ),
    ),
    t.note ? h("p", { class: "note" }, untrusted(t.note, 200)) : null,
    t.line?.length
      ? h(
          "p",
          { class: "line" },
          h("span", { class: "quiet" }, "expects "),
          t.line
            .slice(0, MOVES)
            .map((/** @type {string} */ move, /** @type {number} */ i) => [
              i ? " " : null,
              h("code", null, clean(move, 40)),
            ]),
          t.line.length > MOVES ? " …" : null,
        )
      : null,
    t.options?.length > 1 ? options(t) : null,
    t.matrix ? matrixView(t.matrix, t.unit) : null,
  ];
}

/** @param {any} t options are [move, value, visits, proof, line] */
function options(t) {
  const shown = t.options.slice(0, OPTIONS);
  const visited = shown.some((/** @type {any[]} */ option) => option[2]);
  return h(
    "div",
    { class: "options" },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, h("th", null, "move"), h("th", { class: "number" }, "value"), h("th", { class: "number" }, visited ? "visits" : ""), h("th"))),
      h(
        "tbody",
        null,
        shown.map((/** @type {any[]} */ [move, value, visits, proof], /** @type {number} */ i) =>
          h(
            "tr",
            { key: String(i) },
            h("td", null, h("code", null, clean(move, 48))),
            h("td", { class: "number" }, opinion(value, t.unit)),
            h("td", { class: "number quiet" }, visits ? count(visits) : ""),
            h("td", { class: "quiet" }, clean(proof ?? "", 20)),
          ),
        ),
      ),
    ),
    t.options.length > OPTIONS ? h("p", { class: "quiet more" }, `and ${t.options.length - OPTIONS} more`) : null,
  );
}
