// Numbers, times and untrusted text for people.

import { h } from "podium/dom.js";

const LONGEST = 4000; // characters of a text that is shown at once
const HUGE = 1e6; // values beyond this are proofs or infinities, not opinions

/** @param {number | null | undefined} value @param {string} [unit] */
export function opinion(value, unit = "") {
  if (value === null || value === undefined) return "–";
  if (unit === "win rate") return `${(100 * value).toFixed(1)} %`;
  if (Math.abs(value) > HUGE) return value > 0 ? "+∞" : "−∞";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace("-", "−");
}

/** @param {number | null | undefined} value */
export function count(value) {
  if (value === null || value === undefined) return "–";
  return Math.round(value).toLocaleString("en");
}

/** @param {number} value @param {number} [digits] */
export function signed(value, digits = 0) {
  if (value === 0) return (0).toFixed(digits);
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 ? "−" : "+") + text;
}

/** A difference in Elo from here on is the end of the scale of scores: infinite. */
export const ENDLESS = 1190;

/** @param {number} value */
export function elo(value) {
  return Math.abs(value) >= ENDLESS ? (value > 0 ? "∞" : "−∞") : signed(value);
}

/** A difference in normalized Elo, and its error if it is worth telling. @param {[number, number]} value */
export function nelo([middle, error]) {
  return [signed(middle), error < 1000 ? `± ${error.toFixed(0)}` : ""];
}

/** @param {number | null | undefined} value @param {number} [digits] */
export function percent(value, digits = 1) {
  return value === null || value === undefined ? "–" : `${(100 * value).toFixed(digits)} %`;
}

/** @param {number | null | undefined} ms */
export function milliseconds(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms >= 10000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms === 0 ? 0 : ms < 1 ? 2 : ms < 10 ? 1 : 0)} ms`;
}

/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** @param {number} time seconds since 1970 */
export function when(time) {
  const date = new Date(1000 * time);
  const today = new Date();
  const clock = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === today.toDateString()) return clock;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: date.getFullYear() === today.getFullYear() ? undefined : "numeric" })} ${clock}`;
}

/**
 * Text from outside, without what a terminal would obey and what would turn the line around.
 * @param {string} text @param {number} [longest]
 */
export function clean(text, longest = LONGEST) {
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text;
  return cut
    .replace(/\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?|[@-Z\\-_])/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "·")
    .replace(
      /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (mark) => `<U+${mark.charCodeAt(0).toString(16).toUpperCase()}>`,
    );
}

/** A name or a line from outside. @param {string | null | undefined} text @param {number} [longest] */
export function untrusted(text, longest = 200) {
  return h("bdi", { title: text && text.length > 40 ? clean(text, 1000) : null }, clean(text ?? "", longest));
}

/** A dot in the colour of a seat. @param {number} seat */
export function dot(seat) {
  return h("span", { class: `dot seat-${seat % 4}`, "aria-hidden": "true" });
}

/** What a turn is called: people and commands count from 1, lists from 0. @param {number} turn */
export function turnName(turn) {
  return `turn ${count(turn + 1)}`;
}

/** The page of a game at a turn. @param {{game: number, turn: number}} place */
export function turnAddress({ game, turn }) {
  return `/games/${game}?turn=${turn + 1}`;
}
