// The moves of a game in a list, each with its evaluation and the review's mark; and the bar of winning chances.

import { h } from "podium/dom.js";
import { dot, opinion, percent, turnName, untrusted } from "podium/format.js";

/** The signs that chess players use. @type {Record<string, string>} */
const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

const WRITTEN = 0.08; // of the bar: a part that has room for its number

/** @typedef {{turn: number, seat: number, mark: string, better: string, lostWin: number | null}} ReviewMark turns count from 0 */

/**
 * @param {any} game @param {number} turn the one that is shown @param {(turn: number) => void} go @param {ReviewMark[]} marks
 */
export function moveList(game, turn, go, marks) {
  const marked = new Map(marks.map((mark) => [`${mark.turn} ${mark.seat}`, mark]));
  return h(
    "section",
    { class: "movelist", "aria-label": "moves" },
    h("h2", null, "Moves"),
    h(
      "ol",
      null,
      game.turns.flatMap((/** @type {any} */ at, /** @type {number} */ number) =>
        at.answers.map((/** @type {any} */ answer) =>
          row(answer, game.bots[answer.seat], number, number === turn, go, marked.get(`${number} ${answer.seat}`)),
        ),
      ),
    ),
  );
}

/** Scroll the list of moves of a page, and nothing else, to the present turn. @param {Element} page */
export function followMoves(page) {
  const list = page.querySelector(".movelist ol");
  const row = list?.querySelector("[aria-current]")?.parentElement;
  if (!list || !row) return;
  const place = row.offsetTop; // in the list, which is positioned
  if (place < list.scrollTop || place + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = place - list.clientHeight / 2;
}

/**
 * @param {any} answer @param {string} bot @param {number} turn @param {boolean} current @param {(turn: number) => void} go @param {ReviewMark | undefined} mark
 */
function row(answer, bot, turn, current, go, mark) {
  const title = mark?.mark ? `${mark.mark}: ${mark.better} was better` : null;
  return h(
    "li",
    { key: `${turn} ${answer.seat}` },
    h(
      "button",
      {
        type: "button",
        "aria-current": current ? "step" : null,
        "aria-label": `${turnName(turn)}, ${bot}: ${answer.line ?? "no answer"}${title ? `, ${mark?.mark}` : ""}`,
        title,
        onclick: () => go(turn),
      },
      h("span", { class: "number quiet" }, turn + 1),
      dot(answer.seat),
      h("code", null, answer.line === null ? "no answer" : untrusted(answer.line, 40)),
      mark?.mark ? [h("b", { class: `mark ${mark.mark}` }, SIGNS[mark.mark]), h("span", { class: "better quiet" }, untrusted(mark.better, 40), " was better")] : null,
      h("span", { class: "worth quiet" }, worth(answer)),
    ),
  );
}

/** @param {any} answer */
function worth(answer) {
  if (answer.win !== null && answer.win !== undefined) return percent(answer.win, 0);
  if (answer.value === null || answer.value === undefined) return "";
  const unit = answer.thoughts?.unit ?? "";
  return unit === "win rate" ? opinion(answer.value, unit) : `${opinion(answer.value)} ${unit}`;
}

/** The winning chances as the bot that answered last sees them, as a bar; only for two players. @param {any} game @param {number} turn */
export function evaluationBar(game, turn) {
  if (game.bots.length !== 2) return null;
  for (let at = Math.min(turn, game.turns.length - 1); at >= 0; at--) {
    const answer = game.turns[at].answers.find((/** @type {any} */ a) => a.win !== null && a.win !== undefined);
    if (!answer) continue;
    const first = answer.seat === 0 ? answer.win : 1 - answer.win;
    const parts = [first, 1 - first];
    const text = `winning chances by ${game.bots[answer.seat]}: ${game.bots[0]} ${percent(first, 0)}, ${game.bots[1]} ${percent(1 - first, 0)}`;
    return h(
      "div",
      { key: "evaluation", class: "evaluation", role: "img", "aria-label": text, title: text },
      parts.map((part, seat) =>
        h("span", { class: `seat-${seat}`, style: { width: `${(100 * part).toFixed(1)}%` } }, part >= WRITTEN ? percent(part, 0) : null),
      ),
    );
  }
  return null;
}
