// Connect Four as SVG: a board with holes. Spots: the columns, by their numbers.

/**
 * @typedef {{rows: number[][], moves: string, mover: number}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const STEP = 100;
const RADIUS = 40;

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const [width, height] = [STEP * scene.rows[0].length, STEP * scene.rows.length];
  const last = scene.moves.at(-1);
  return h(
    "svg",
    { viewBox: `0 0 ${width} ${height + 40}` },
    h("rect", { key: "board", width, height, rx: 20, fill: "var(--tint)" }),
    scene.rows[0].map((_, x) => {
      const column = String(x + 1);
      const top = scene.rows.findIndex((row) => row[x] >= 0);
      return h(
        "g",
        { key: column, spot: column },
        h("rect", { x: STEP * x, width: STEP, height, fill: "transparent" }),
        scene.rows.map((row, y) => stone(h, x, y, row[x], column === last && y === top)),
        h("text", { x: STEP * (x + 0.5), y: height + 24, "font-size": 24, class: "quiet middle" }, column),
      );
    }),
  );
}

/** @param {H} h @param {number} x @param {number} y @param {number} seat @param {boolean} isLast */
function stone(h, x, y, seat, isLast) {
  const place = { cx: STEP * (x + 0.5), cy: STEP * (y + 0.5), r: RADIUS };
  if (seat < 0) return h("circle", { ...place, fill: "var(--line)", opacity: 0.3 });
  return h("circle", { ...place, fill: `var(--seat-${seat})`, stroke: "var(--ink)", "stroke-width": isLast ? 6 : 0 });
}
