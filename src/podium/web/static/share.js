// What to take away from a turn: its address, its position, the command that analyzes it, its picture.

import { get, isFile } from "podium/api.js";
import { h } from "podium/dom.js";

const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order"]; // prettier-ignore
const SHOWN = 1500; // ms that a button says what it did

/** @param {any} game @param {() => number} turn @param {() => Element | undefined} board @param {string | null} search address of the page of the search at this turn */
export function shareButtons(game, turn, board, search) {
  const command = () => `podium analyze ${game.rules.name} ${game.game} --turn ${turn() + 1}`;
  return h(
    "div",
    { class: "share" },
    search ? h("a", { key: "search", href: search }, "show the search") : null,
    isFile() ? null : copying("copy link", () => location.href),
    hasText(game, turn()) ? copying("copy position", () => positionText(game, turn())) : null,
    isFile() || !game.rules.has_bots || game.turns.length < 2 ? null : copying("copy command", command),
    game.rules.script ? copying("copy SVG", () => drawing(board()?.querySelector("svg.board") ?? null)) : null,
    isFile() ? null : h("a", { href: `/api/v1/games/${game.id}/page`, download: `${game.game}.html` }, "save as one file"),
  );
}

/** Whether a position can be copied: a file holds only those that words lead to. @param {any} game @param {number} turn from 0 */
function hasText(game, turn) {
  return turn <= game.played_words.length || (!isFile() && game.rules.has_bots && turn < game.turns.length - 1);
}

/** The position before a turn, as the page of a search takes it: words that lead to it, or a prompt. @param {any} game @param {number} turn from 0 */
async function positionText(game, turn) {
  if (turn > game.played_words.length) return (await get(`/games/${game.id}/position?turn=${turn}`)).position;
  return [...game.start_words, ...game.played_words.slice(0, turn)].join(" ");
}

/** @param {string} title @param {() => string | Promise<string>} text */
function copying(title, text) {
  const onclick = async (/** @type {any} */ event) => {
    const button = event.currentTarget;
    let said = "copied";
    try {
      const words = await text();
      await navigator.clipboard.writeText(words).catch(() => (said = "the browser does not allow it"));
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
    }
    button.textContent = said;
    setTimeout(() => (button.textContent = title), SHOWN);
  };
  return h("button", { key: title, type: "button", class: "link", keep: true, ref: (/** @type {Element} */ e) => (e.textContent = title), onclick });
}

/** A board as a file of its own: with the styles that the page gives it. @param {Element | null} board */
export function drawing(board) {
  if (!board) return "";
  const copy = /** @type {Element} */ (board.cloneNode(true));
  const [from, to] = [board, copy].map((top) => [top, ...top.querySelectorAll("*")]);
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of DRAWN) to[index].setAttribute(name, style.getPropertyValue(name));
    to[index].removeAttribute("class");
    to[index].removeAttribute("style");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}
