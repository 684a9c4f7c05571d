// What if: any bot of the game asked at a turn. Filled in where the server can think.

import { h } from "podium/dom.js";

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
  }

  panel() {
    return h("div", { class: "whatif" });
  }
}
