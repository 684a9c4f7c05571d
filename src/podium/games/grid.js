// Any game on a grid as SVG: stones in the colours of the seats, texts, and the names of rows and columns around them.
// Spots: the cells, `column,row` from 0.

/**
 * @typedef {{rows: (number | string)[][], row_names: string[], column_names: string[]}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const STEP = 100;
const EDGE = 50;

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const [width, height] = [STEP * scene.rows[0].length, STEP * scene.rows.length];
  return h(
    "svg",
    { viewBox: `0 0 ${width + EDGE} ${height + EDGE}` },
    scene.rows.flatMap((row, y) => row.map((cell, x) => square(h, x, y, cell))),
    scene.column_names.map((name, x) => label(h, `column ${x}`, EDGE + STEP * (x + 0.5), height + 35, name)),
    scene.row_names.map((name, y) => label(h, `row ${y}`, 25, STEP * (y + 0.5) + 8, name)),
  );
}

/** @param {H} h @param {number} x @param {number} y @param {number | string} cell */
function square(h, x, y, cell) {
  const spot = `${x},${y}`;
  const [left, top] = [EDGE + STEP * x, STEP * y];
  const middle = { x: left + STEP / 2, y: top + STEP / 2 + 16 };
  return h(
    "g",
    { key: spot, spot },
    h("rect", { x: left + 2, y: top + 2, width: STEP - 4, height: STEP - 4, rx: 8, fill: "var(--tint)" }),
    typeof cell === "number" && cell >= 0
      ? h("circle", {
          cx: left + STEP / 2,
          cy: top + STEP / 2,
          r: 36,
          fill: `var(--seat-${cell})`,
        })
      : null,
    typeof cell === "string" ? h("text", { ...middle, "font-size": 44, class: "middle" }, cell) : null,
  );
}

/** @param {H} h @param {string} key @param {number} x @param {number} y @param {string} name */
function label(h, key, x, y, name) {
  return h("text", { key, x, y, "font-size": 26, class: "quiet middle" }, name);
}
