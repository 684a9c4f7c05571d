// Zuniq as SVG. Walls have the colour of the player who drew them, the last one a glow; closed zones show their size.
// Spots: walls by name, cells by row letter and column, and the sign with which a player claims the win.

/**
 * @typedef {{drawn: string[], legal: string[], zones: number[][], moves: string[], claims: number[], mover: number}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const STEP = 100;
const EDGE = 60;
const DOTS = 6;
const ROWS = "ABCDEF";
const FOOT = 24;

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const size = 2 * EDGE + STEP * (DOTS - 1);
  return h(
    "svg",
    { viewBox: `0 0 ${size} ${size + FOOT}` },
    h("g", { key: "zones" }, cells(scene, h)),
    h("g", { key: "walls" }, walls(scene, h)),
    h("g", { key: "dots" }, dots(h)),
    h("g", { key: "names" }, names(h)),
    h("g", { key: "claims" }, claims(scene, h, size)),
  );
}

/**
 * Who has claimed the win with which wall, and the sign that claims it with the next one.
 * @param {Scene} scene @param {H} h @param {number} size
 */
function claims(scene, h, size) {
  const made = scene.claims.flatMap((ply, seat) => (ply ? [`player ${seat + 1} with wall ${ply}`] : []));
  const text = made.length ? `win claimed by ${made.join(", ")}` : "";
  const sign = h(
    "g",
    { key: "claim", spot: "claim" },
    h("title", null, "claim the win with the next wall"),
    h("rect", { x: size - EDGE - 96, y: size - 24, width: 96, height: 36, rx: 8, fill: "var(--tint)" }),
    h("text", { x: size - EDGE - 48, y: size - 6, "font-size": 20, class: "quiet middle" }, "claim !"),
  );
  return [
    h("text", { x: EDGE, y: size, "font-size": 18, class: "quiet" }, text),
    scene.claims[scene.mover] || !scene.legal.length ? null : sign,
  ];
}

/** @param {Scene} scene @param {H} h */
function cells(scene, h) {
  return scene.zones.flatMap((row, y) =>
    row.map((zone, x) => {
      const [left, top] = [EDGE + STEP * x, EDGE + STEP * y];
      return h(
        "g",
        { spot: `${ROWS[y]}${x + 1}` },
        h("rect", { x: left, y: top, width: STEP, height: STEP, fill: zone ? "var(--tint)" : "transparent" }),
        zone
          ? h("text", { x: left + STEP / 2, y: top + STEP / 2, "font-size": 26, class: "quiet middle" }, zone)
          : null,
      );
    }),
  );
}

/** @param {Scene} scene @param {H} h */
function walls(scene, h) {
  const legal = new Set(scene.legal);
  const drawn = new Set(scene.drawn);
  const last = scene.moves.at(-1);
  const owner = new Map(scene.moves.map((wall, ply) => [wall, ply % 2]));
  return allWalls().map(({ name, x1, y1, x2, y2 }) => {
    const seat = owner.get(name);
    const across = 26;
    const hit = {
      x: Math.min(x1, x2) - (x1 === x2 ? across / 2 : -14),
      y: Math.min(y1, y2) - (y1 === y2 ? across / 2 : -14),
      width: x1 === x2 ? across : STEP - 28,
      height: y1 === y2 ? across : STEP - 28,
    };
    const shape = { x1, y1, x2, y2, "stroke-linecap": "round" };
    const colour = seat === undefined ? "var(--ink)" : `var(--seat-${seat})`; // a state alone does not tell who drew it
    const line =
      drawn.has(name)
        ? h("line", { ...shape, stroke: colour, "stroke-width": name === last ? 11 : 7 })
        : h("line", {
            ...shape,
            stroke: "var(--line)",
            "stroke-width": 2,
            "stroke-dasharray": "1 7",
            opacity: legal.has(name) ? 1 : 0,
          });
    const glow =
      name === last ? h("line", { ...shape, stroke: colour, "stroke-width": 26, opacity: 0.22 }) : null;
    return h(
      "g",
      { key: name, spot: name },
      h("title", null, name),
      h("rect", { ...hit, fill: "transparent" }),
      glow,
      line,
    );
  });
}

/** Every wall with its ends. */
function allWalls() {
  const found = [];
  for (let row = 0; row < DOTS; row++) {
    for (let column = 0; column < DOTS; column++) {
      const [x, y] = [EDGE + STEP * column, EDGE + STEP * row];
      const name = `${ROWS[row]}${column + 1}`;
      if (column < DOTS - 1) found.push({ name: `${name}h`, x1: x, y1: y, x2: x + STEP, y2: y });
      if (row < DOTS - 1) found.push({ name: `${name}v`, x1: x, y1: y, x2: x, y2: y + STEP });
    }
  }
  return found;
}

/** @param {H} h */
function dots(h) {
  return Array.from({ length: DOTS * DOTS }, (_, index) => {
    const [row, column] = [Math.floor(index / DOTS), index % DOTS];
    return h("circle", { cx: EDGE + STEP * column, cy: EDGE + STEP * row, r: 6, fill: "var(--ink)" });
  });
}

/** @param {H} h */
function names(h) {
  return Array.from({ length: DOTS }, (_, i) => [
    h("text", { x: EDGE + STEP * i, y: 24, "font-size": 20, class: "quiet middle" }, i + 1),
    h("text", { x: 22, y: EDGE + STEP * i, "font-size": 20, class: "quiet middle" }, ROWS[i]),
  ]);
}
