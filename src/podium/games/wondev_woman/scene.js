// Wondev Woman as SVG: towers as shades with their heights, units as discs, and what a viewer cannot see in the fog.
// Spots: cells as `x,y`.

/**
 * @typedef {{size: number, heights: number[][], units: (number[] | null)[][], sight: number[][][], scores: (number | null)[],
 *   out: boolean[], round: number, mover: number, over: boolean, last: string, viewer?: number}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const CELL = 90;
const HEAD = 62;
const EDGE = 36;
const TOP = 4; // a tower of this height cannot be entered any more
const NAMES = ["AB", "ab"];

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const width = EDGE + CELL * scene.size + 12;
  const height = HEAD + EDGE + CELL * scene.size + 12;
  return h(
    "svg",
    { viewBox: `0 0 ${width} ${height}` },
    h("g", { key: "head" }, head(scene, h, width)),
    h("g", { key: "cells" }, cells(scene, h)),
    h("g", { key: "names" }, names(scene, h)),
    h("g", { key: "units" }, units(scene, h)),
  );
}

/** @param {Scene} scene @param {H} h @param {number} width */
function head(scene, h, width) {
  const score = (/** @type {number} */ seat) => {
    const points = scene.scores[seat] ?? "?";
    return h(
      "text",
      {
        x: seat ? width - 12 : EDGE,
        y: 30,
        "font-size": 26,
        "font-weight": 600,
        fill: `var(--seat-${seat})`,
        "text-anchor": seat ? "end" : "start",
        "dominant-baseline": "central",
      },
      `${points} point${points === 1 ? "" : "s"}${scene.out[seat] ? ", out" : ""}`,
    );
  };
  const state = scene.over ? "over" : `round ${scene.round}`;
  return [
    score(0),
    score(1),
    h("text", { x: (EDGE + width) / 2, y: 30, "font-size": 20, class: "quiet middle" }, state),
  ];
}

/** @param {Scene} scene @param {number} x @param {number} y */
function corner(scene, x, y) {
  return [EDGE + CELL * x, HEAD + EDGE + CELL * y];
}

/** @param {Scene} scene @param {H} h */
function cells(scene, h) {
  const viewer = scene.viewer;
  const seen = viewer === undefined ? null : new Set(scene.sight[viewer].map(String));
  return scene.heights.flatMap((row, y) =>
    row.map((height, x) => {
      if (height < 0) return null;
      const [left, top] = corner(scene, x, y);
      const fogged = seen !== null && !seen.has(`${x},${y}`);
      return h(
        "g",
        { key: `${x},${y}`, spot: `${x},${y}` },
        h("rect", {
          x: left + 2,
          y: top + 2,
          width: CELL - 4,
          height: CELL - 4,
          rx: 8,
          fill: `var(--level-${height})`,
        }),
        height > 0 && height < TOP ? steps(h, left, top, height) : null,
        height === TOP
          ? h("path", { d: cross(left, top), stroke: "var(--paper)", "stroke-width": 5, "stroke-linecap": "round" })
          : null,
        h(
          "text",
          { x: left + CELL - 18, y: top + 22, "font-size": 20, class: height >= 3 ? "middle on-dark" : "middle" },
          height,
        ),
        fogged
          ? h("rect", { x: left + 2, y: top + 2, width: CELL - 4, height: CELL - 4, rx: 8, fill: "var(--fog)" })
          : null,
      );
    }),
  );
}

/** Nested frames, one for each level: heights can be read without colour too. @param {H} h @param {number} left @param {number} top @param {number} height */
function steps(h, left, top, height) {
  return Array.from({ length: height }, (_, level) => {
    const inset = 8 + 7 * level;
    return h("rect", {
      x: left + inset,
      y: top + inset,
      width: CELL - 2 * inset,
      height: CELL - 2 * inset,
      rx: 6,
      fill: "none",
      stroke: height >= 3 ? "var(--paper)" : "var(--ink)",
      "stroke-opacity": 0.25,
      "stroke-width": 1.5,
    });
  });
}

/** @param {number} left @param {number} top */
function cross(left, top) {
  const [a, b] = [28, CELL - 28];
  return `M${left + a} ${top + a}L${left + b} ${top + b}M${left + b} ${top + a}L${left + a} ${top + b}`;
}

/** @param {Scene} scene @param {H} h */
function units(scene, h) {
  return scene.units.flatMap((places, seat) =>
    places.map((place, index) => {
      if (!place) return null;
      const [left, top] = corner(scene, place[0], place[1]);
      return h(
        "g",
        {
          key: `${seat}${index}`,
          class: "piece",
          lies: `${place[0]},${place[1]}`,
          transform: `translate(${left + CELL / 2} ${top + CELL / 2 + 4})`,
        },
        h("circle", { r: 25, fill: `var(--seat-${seat})`, stroke: "var(--paper)", "stroke-width": 4 }),
        h("text", { "font-size": 26, "font-weight": 700, class: "middle on-colour" }, NAMES[seat][index]),
      );
    }),
  );
}

/** @param {Scene} scene @param {H} h */
function names(scene, h) {
  return Array.from({ length: scene.size }, (_, i) => {
    const [left, top] = corner(scene, i, i);
    return [
      h("text", { x: left + CELL / 2, y: HEAD + 20, "font-size": 18, class: "quiet middle" }, i),
      h("text", { x: 18, y: top + CELL / 2, "font-size": 18, class: "quiet middle" }, i),
    ];
  });
}
