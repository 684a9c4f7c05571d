// What to take away from a turn: its address, its position, the command that analyzes it, its picture.

import { isFile } from "podium/api.js";
import { h } from "podium/dom.js";

const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order"]; // prettier-ignore
const SHOWN = 1500; // ms that a button says what it did

/** @param {any} game @param {() => number} turn @param {() => Element | undefined} board */
export function shareButtons(game, turn, board) {
  const command = () => `podium analyze ${game.rules.name} ${game.game} --turn ${turn() + 1}`;
  return h(
    "div",
    { class: "share" },
    isFile() ? null : copying("copy link", () => location.href),
    turn() > game.played_words.length ? null : copying("copy position", () => positionText(game, turn())),
    isFile() || game.turns.length < 2 ? null : copying("copy command", command),
    copying("copy SVG", () => drawing(board()?.querySelector("svg.board") ?? null)),
    isFile() ? null : h("a", { href: `/api/v1/games/${game.id}/page`, download: `${game.game}.html` }, "save as one file"),
  );
}

/** The position before a turn in words that lead to it, as the page of a search takes them. @param {any} game @param {number} turn from 0 */
function positionText(game, turn) {
  const words = [...game.start_words, ...game.played_words.slice(0, turn)];
  return words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
}

/** @param {string} title @param {() => string} text */
function copying(title, text) {
  const onclick = async (/** @type {any} */ event) => {
    const button = event.currentTarget;
    let said = "copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      said = "the browser does not allow it";
    }
    button.textContent = said;
    setTimeout(() => (button.textContent = title), SHOWN);
  };
  return h("button", { type: "button", class: "link", keep: true, ref: (/** @type {Element} */ e) => (e.textContent = title), onclick });
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
