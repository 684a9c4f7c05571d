// The way through a game: play, pause, speed, slider, keys, and the address that leads to a turn.

import { isFile } from "podium/api.js";
import { h, render } from "podium/dom.js";

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  on: "M5 3v10l7-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.7-1.1 1.6h-1c0-1.4.6-1.9 1.5-2.4A1.5 1.5 0 1 0 6.5 6zM7 11h1.200v1.200H7z",
};

const SPEEDS = [0.5, 1, 2, 5, 10, 25]; // turns a second

/** The turn that the address names, where turns begin at 1; here they begin at 0. */
export function turnOfAddress() {
  const words = isFile() ? location.hash.slice(1) : location.search;
  return Number(new URLSearchParams(words).get("turn") ?? 1) - 1;
}

export class Playback {
  /** @param {number} last @param {number} first where to begin @param {() => void} changed */
  constructor(last, first, changed) {
    this.last = last;
    this.turn = clamp(Math.floor(first) || 0, 0, last);
    this.changed = changed;
    this.playing = false;
    this.speed = 2;
    this.due = 0;
  }

  /** @param {number} turn */
  go(turn) {
    const wanted = clamp(Math.round(turn), 0, this.last);
    if (wanted === this.turn) return;
    this.turn = wanted;
    this.remember();
    this.changed();
  }

  /** The address leads to this turn, so that it can be sent to a friend. */
  remember() {
    clearTimeout(this.later);
    // browsers refuse addresses that change many times a second
    this.later = setTimeout(() => {
      const place = new URL(location.href);
      // a file from disk has no address but its own, and may change only what comes after the hash
      if (isFile()) place.hash = `turn=${this.turn + 1}`;
      else place.searchParams.set("turn", String(this.turn + 1));
      if (isFile()) location.replace(place.hash);
      else history.replaceState(null, "", place);
    }, 200);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.turn === this.last) this.turn = 0;
    this.due = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
    this.changed();
  }

  /** @param {number} now */
  tick(now) {
    if (!this.playing) return;
    const step = 1000 / this.speed;
    if (now - this.due >= step) {
      this.due = Math.max(this.due + step, now - step);
      if (this.turn >= this.last) {
        this.playing = false;
        this.changed();
        return;
      }
      this.go(this.turn + 1);
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.turn - (event.shiftKey ? 10 : 1)),
      ArrowRight: () => this.go(this.turn + (event.shiftKey ? 10 : 1)),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
      "?": () => showKeys(),
    };
    if (!(event.key in keys) || (event.key === " " && target.matches("button, summary, a, input[type=checkbox]")))
      return;
    event.preventDefault();
    keys[event.key]();
  }

  /** @param {string} label */
  controls(label) {
    const button = (
      /** @type {keyof typeof ICONS} */ sign,
      /** @type {string} */ name,
      /** @type {() => void} */ onclick,
    ) => h("button", { type: "button", title: name, "aria-label": name, onclick }, icon(sign));
    return h(
      "div",
      { class: "controls" },
      h("input", {
        type: "range",
        min: 0,
        max: this.last,
        step: 1,
        value: String(this.turn),
        "aria-label": "turn",
        "aria-valuetext": label,
        oninput: (/** @type {any} */ event) => this.go(Number(event.target.value)),
      }),
      h(
        "div",
        { class: "buttons" },
        button("first", "first turn (Home)", () => this.go(0)),
        button("back", "one turn back (←)", () => this.go(this.turn - 1)),
        h(
          "button",
          {
            type: "button",
            class: "play",
            "aria-label": this.playing ? "pause" : "play",
            title: "play or pause (space)",
            onclick: () => this.toggle(),
          },
          icon(this.playing ? "pause" : "play"),
        ),
        button("on", "one turn on (→)", () => this.go(this.turn + 1)),
        button("last", "the end (End)", () => this.go(this.last)),
        h(
          "select",
          {
            "aria-label": "speed",
            value: String(this.speed),
            onchange: (/** @type {any} */ event) => {
              this.speed = Number(event.target.value);
            },
          },
          SPEEDS.map((speed) => h("option", { value: String(speed) }, `${speed} a second`)),
        ),
        button("help", "keys (?)", showKeys),
        h("output", { class: "turn" }, label),
      ),
    );
  }
}

const KEYS = [
  ["← →", "one turn back, one turn on"],
  ["Shift ← →", "ten turns"],
  ["Home, End", "the first turn, the end"],
  ["Space", "play or pause"],
  ["?", "these keys"],
];

/** Show what the keys do, until it is closed. */
function showKeys() {
  if (document.querySelector("dialog.help")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "help";
  dialog.setAttribute("aria-label", "keys");
  dialog.addEventListener("close", () => dialog.remove());
  render(
    dialog,
    h("h2", null, "Keys"),
    h(
      "dl",
      null,
      KEYS.map(([keys, effect]) => [h("dt", null, h("kbd", null, keys)), h("dd", null, effect)]),
    ),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {keyof typeof ICONS} name */
function icon(name) {
  return h(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    h("path", { d: ICONS[name], fill: "currentColor" }),
  );
}

/** @param {number} value @param {number} low @param {number} high */
function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
