// Fall Challenge 2020 as SVG: orders, the tome, and each witch with inventory and spells.
// Spots: cards, named like the answers that use them: `BREW 45`, `LEARN 12`, `CAST 78`.

/**
 * @typedef {{id: number, needs: number[], price: number, bonus: number, left: number}} Order
 * @typedef {{id: number, deltas: number[], repeatable: boolean, tax?: number, stock?: number, ready?: boolean}} Spell
 * @typedef {{inventory: number[], score: number, total: number, brews: number, active: boolean, last: string, spells: Spell[]}} Player
 * @typedef {{turn: number, counter: Order[], tome: Spell[], players: Player[]}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const WIDTH = 1000;
const CARD = 118;
const GAP = 14;
const LOW = 84; // height of a spell
const TIERS = ["#4a86d8", "#3d9a57", "#d8803a", "#c9a71f"]; // as in the contest's own viewer
const ON_TIER = "#16181c"; // text on them: at least 4.5 to 1 on each
const PLAYER = 268; // height of a player's part
const HAND = 8; // spells in a row

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const rows = Math.max(...scene.players.map((player) => Math.ceil(player.spells.length / HAND)), 2);
  const part = PLAYER + (rows - 2) * (LOW + 10);
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${300 + 2 * part}` },
    h(
      "text",
      { key: "turn", x: WIDTH - 8, y: 22, "font-size": 20, class: "quiet", "text-anchor": "end" },
      `after turn ${scene.turn}`,
    ),
    h(
      "g",
      { key: "orders" },
      title(h, "orders", 8, 22),
      scene.counter.map((order, place) => orderCard(h, order, place)),
    ),
    h(
      "g",
      { key: "tome" },
      title(h, "tome", 8, 172),
      scene.tome.map((spell, place) => tomeCard(h, spell, place)),
    ),
    scene.players.map((player, seat) =>
      h("g", { key: `player${seat}`, transform: `translate(0 ${296 + seat * part})` }, playerPart(h, player, seat)),
    ),
  );
}

/** @param {H} h @param {string} text @param {number} x @param {number} y */
function title(h, text, x, y) {
  return h("text", { x, y, "font-size": 20, class: "quiet" }, text);
}

/** @param {H} h @param {Order} order @param {number} place */
function orderCard(h, order, place) {
  const x = 8 + place * (CARD + 60 + GAP);
  return h(
    "g",
    { key: order.id, spot: `BREW ${order.id}`, transform: `translate(${x} 34)` },
    h("rect", { width: CARD + 60, height: 104, rx: 10, fill: "var(--card)", stroke: "var(--line)" }),
    h("text", { x: 14, y: 36, "font-size": 30, "font-weight": 600 }, order.price),
    h(
      "text",
      { x: 60, y: 34, "font-size": 17, class: "quiet" },
      order.bonus ? `+${order.bonus}, ${order.left} left` : "rupees",
    ),
    pips(
      h,
      order.needs.flatMap((count, tier) => Array(count).fill(tier)),
      18,
      78,
      26,
    ),
  );
}

/** @param {H} h @param {Spell} spell @param {number} place */
function tomeCard(h, spell, place) {
  const x = 8 + place * (CARD + 36 + 12);
  return h(
    "g",
    { key: spell.id, spot: `LEARN ${spell.id}`, transform: `translate(${x} 184)` },
    h("rect", {
      width: CARD + 36,
      height: LOW + 4,
      rx: 10,
      fill: "var(--card)",
      stroke: "var(--line)",
      "stroke-dasharray": "6 4",
    }),
    effect(h, spell, CARD + 36, 34),
    h(
      "text",
      { x: 12, y: LOW - 8, "font-size": 17, class: "quiet" },
      `tax ${spell.tax ?? 0}${spell.stock ? ` · holds ${spell.stock}` : ""}`,
    ),
  );
}

/** @param {H} h @param {Player} player @param {number} seat */
function playerPart(h, player, seat) {
  const colour = `var(--seat-${seat})`;
  const held = player.inventory.flatMap((count, tier) => Array(Math.max(0, count)).fill(tier));
  return [
    h("line", { key: "rule", x1: 8, x2: WIDTH - 8, y1: 0, y2: 0, stroke: "var(--line)" }),
    h("circle", { key: "dot", cx: 22, cy: 34, r: 10, fill: colour }),
    h("text", { key: "score", x: 44, y: 43, "font-size": 28, "font-weight": 600, fill: colour }, player.score),
    h(
      "text",
      { key: "brews", x: 96, y: 42, "font-size": 18, class: "quiet" },
      `${player.brews} of 6 brewed${player.active ? "" : ", out"}`,
    ),
    h(
      "g",
      { key: "slots", transform: "translate(290 18)" },
      Array.from({ length: 10 }, (_, slot) =>
        h("rect", { x: 34 * slot, y: 0, width: 30, height: 32, rx: 6, fill: "var(--ground)" }),
      ),
    ),
    h("g", { key: "held" }, pips(h, held, 305, 34, 34)),
    h(
      "text",
      { key: "last", x: WIDTH - 8, y: 42, "font-size": 18, class: "quiet", "text-anchor": "end" },
      player.last.slice(0, 34),
    ),
    h(
      "g",
      { key: "spells" },
      player.spells.map((spell, index) => spellCard(h, spell, index, seat)),
    ),
  ];
}

/** @param {H} h @param {Spell} spell @param {number} index @param {number} seat */
function spellCard(h, spell, index, seat) {
  const [x, y] = [8 + (index % HAND) * 124, 66 + Math.floor(index / HAND) * (LOW + 10)];
  return h(
    "g",
    { key: spell.id, spot: `CAST ${spell.id}`, transform: `translate(${x} ${y})` },
    h("rect", {
      width: 116,
      height: LOW,
      rx: 10,
      fill: spell.ready ? "var(--card)" : "var(--ground)",
      stroke: spell.ready ? `var(--seat-${seat})` : "var(--line)",
      "stroke-width": spell.ready ? 1.6 : 1,
    }),
    h("g", { opacity: spell.ready ? 1 : 0.65 }, effect(h, spell, 116, 34)),
    h(
      "text",
      { x: 10, y: LOW - 8, "font-size": 16, class: "quiet" },
      [spell.ready ? "" : "used", spell.repeatable ? "×n" : ""].filter(Boolean).join(" "),
    ),
  );
}

/** What a spell takes and gives. @param {H} h @param {Spell} spell @param {number} width @param {number} y */
function effect(h, spell, width, y) {
  const parts = [
    ...spell.deltas.map((delta, tier) => ({ delta, tier })).filter((part) => part.delta < 0),
    ...spell.deltas.map((delta, tier) => ({ delta, tier })).filter((part) => part.delta > 0),
  ];
  const step = Math.min(40, (width - 12) / Math.max(1, parts.length));
  const left = width / 2 - (step * (parts.length - 1)) / 2;
  return parts.map((part, index) => amount(h, part.delta, part.tier, left + step * index, y));
}

/** @param {H} h @param {number} delta @param {number} tier @param {number} x @param {number} y */
function amount(h, delta, tier, x, y) {
  const taken = delta < 0;
  return h(
    "g",
    null,
    h("circle", { cx: x, cy: y, r: 16, fill: taken ? "none" : TIERS[tier], stroke: TIERS[tier], "stroke-width": 2.5 }),
    h(
      "text",
      { x, y, "font-size": 17, "font-weight": 600, class: "middle", fill: taken ? null : ON_TIER },
      taken ? `−${-delta}` : `+${delta}`,
    ),
  );
}

/** Ingredients in a row; each says its tier. @param {H} h @param {number[]} tiers @param {number} x @param {number} y @param {number} step */
function pips(h, tiers, x, y, step) {
  return tiers.map((tier, index) =>
    h(
      "g",
      { key: index },
      h("circle", { cx: x + step * index, cy: y, r: 11, fill: TIERS[tier] }),
      h("text", { x: x + step * index, y, "font-size": 13, "font-weight": 600, class: "middle", fill: ON_TIER }, tier),
    ),
  );
}
