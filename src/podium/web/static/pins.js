// Pins: a position of a review, kept as a test by one click.

import { post } from "podium/api.js";
import { h } from "podium/dom.js";
import { clean } from "podium/format.js";

export class Pins {
  /** @param {any} game @param {() => void} changed */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    /** @type {Map<string, string>} what became of the pins of this page, by turn and seat */
    this.made = new Map();
  }

  /**
   * A button that pins a reviewed turn: what was played there is to be avoided.
   * @param {{turn: number, played: string | null, better: string}} reviewed turns count from 0 @param {number} seat @param {string} judge
   */
  button(reviewed, seat, judge) {
    const said = this.made.get(`${reviewed.turn} ${seat}`);
    if (said) return h("span", { class: "quiet", role: "status" }, said);
    const title = "podium pins BOT will check that this is not played again";
    return h(
      "button",
      { type: "button", class: "link", title, onclick: () => this.pin(reviewed, seat, judge) },
      "Pin",
    );
  }

  /** @param {{turn: number, played: string | null, better: string}} reviewed @param {number} seat @param {string} judge */
  async pin({ turn, played, better }, seat, judge) {
    const wish = { turn, seat, expect: played === null ? [better] : [], note: `${judge} plays ${better}` };
    let said;
    try {
      const { file, added } = await post(`/games/${this.game.id}/pin`, wish);
      said = added ? `added to ${file}` : `is in ${file}`;
    } catch (error) {
      said = clean(error instanceof Error ? error.message : String(error), 200);
    }
    this.made.set(`${turn} ${seat}`, said);
    this.changed();
  }
}
