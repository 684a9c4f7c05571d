// Code of Kutulu as SVG: the maze, explorers as discs with their sanity, wanderers as ghosts, slashers as blades.
// Spots: cells as `x,y`.

/**
 * @typedef {{seat: number, at: number[], living: boolean, sanity: number, plans: number, lights: number, planning: number,
 *   stuck: boolean, score: number | null, answer: string | null}} Explorer
 * @typedef {{id: number, kind: string, at: number[], state: string, timer: number, target: number}} Minion
 * @typedef {{turn: number, over: boolean, maze: string, rows: string[], settings: Record<string, number>, explorers: Explorer[],
 *   minions: Minion[], shelters: {at: number[], energy: number}[], lit: number[][], yells: number[][], viewer?: number}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const CELL = 40;
const HEAD = 46;
const ROW = 40;
const FULL = 250; // sanity at the start
const PLAN_RADIUS = 2;
const PLACES = [[-10, -10], [10, -10], [-10, 10], [10, 10]]; // of those who share a cell, from its centre

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  const width = CELL * scene.rows[0].length;
  const height = CELL * scene.rows.length;
  return h(
    "svg",
    { viewBox: `0 0 ${width} ${HEAD + height + 16 + 2 * ROW}` },
    h(
      "g",
      { key: "head" },
      h("text", { x: 4, y: 24, "font-size": 24, class: "quiet", "dominant-baseline": "central" }, headline(scene)),
    ),
    h(
      "svg", // of its own, so that nothing reaches beyond the maze
      { key: "maze", y: HEAD, width, height },
      h("g", { key: "cells" }, cells(scene, h)),
      h("g", { key: "plans" }, plans(scene, h)),
      h("g", { key: "minions" }, minions(scene, h)),
      h("g", { key: "explorers" }, explorers(scene, h)),
    ),
    h("g", { key: "table", transform: `translate(0 ${HEAD + height + 16})` }, table(scene, h, width)),
  );
}

/** @param {Scene} scene */
function headline(scene) {
  const { lonely, group } = scene.settings;
  return `${scene.over ? "over" : `after turn ${scene.turn}`} · a turn costs ${lonely} alone, ${group} in company`;
}

/** @param {Scene} scene @param {H} h */
function cells(scene, h) {
  const lit = new Set(scene.lit.map(String));
  const energy = new Map(scene.shelters.map((shelter) => [String(shelter.at), shelter.energy]));
  return scene.rows.flatMap((row, y) =>
    [...row].map((mark, x) => {
      const place = { x: CELL * x, y: CELL * y, width: CELL, height: CELL };
      if (mark === "#") return h("rect", { ...place, fill: "var(--wall)" });
      const spot = `${x},${y}`;
      const strength = energy.get(spot);
      return h(
        "g",
        { key: spot, spot },
        h("rect", { ...place, fill: lit.has(spot) ? "var(--light)" : "var(--ground)" }),
        mark === "w"
          ? h("circle", { cx: place.x + CELL / 2, cy: place.y + CELL / 2, r: 4, fill: "var(--line)" })
          : null,
        strength !== undefined
          ? h("rect", {
              x: place.x + 6,
              y: place.y + 6,
              width: CELL - 12,
              height: CELL - 12,
              rx: 4,
              fill: "none",
              stroke: "var(--good)",
              "stroke-width": 3,
              "stroke-dasharray": strength ? null : "4 5",
              opacity: strength ? 1 : 0.5,
            })
          : null,
      );
    }),
  );
}

/** @param {Scene} scene @param {H} h */
function plans(scene, h) {
  return scene.explorers
    .filter((e) => e.living && e.planning)
    .map((e) => {
      const r = (PLAN_RADIUS + 0.5) * CELL;
      const [x, y] = [CELL * (e.at[0] + 0.5), CELL * (e.at[1] + 0.5)];
      return h("path", {
        key: `plan${e.seat}`,
        class: "piece",
        d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`,
        fill: `var(--seat-${e.seat})`,
        "fill-opacity": 0.08,
        stroke: `var(--seat-${e.seat})`,
        "stroke-opacity": 0.5,
        "stroke-dasharray": "6 6",
        "stroke-width": 2,
      });
    });
}

/** @param {Scene} scene @param {H} h */
function minions(scene, h) {
  return scene.minions.map((minion) => {
    const asleep = minion.state === "spawning" || minion.state === "stunned";
    const shape =
      minion.kind === "slasher" ? "M0 -14L10 0L0 14L-10 0Z" : "M-10 12V-2A10 10 0 0 1 10 -2V12L5 7L0 12L-5 7Z";
    const chases = minion.target >= 0 ? ` after seat ${minion.target}` : "";
    const paint = asleep
      ? { fill: "none", stroke: "var(--bad)", "stroke-width": 2, "stroke-dasharray": "3 3" }
      : { fill: "var(--bad)", stroke: "var(--paper)", "stroke-width": 1.5 };
    return h(
      "g",
      {
        key: minion.id,
        class: "piece shows-title",
        lies: minion.at.join(","),
        transform: `translate(${CELL * (minion.at[0] + 0.5)} ${CELL * (minion.at[1] + 0.5)})`,
      },
      h("title", null, `${minion.kind} ${minion.id}, ${minion.state}, ${minion.timer}${chases}`),
      h("path", { d: shape, ...paint }),
      minion.state === "rushing" || minion.state === "stalking" ? h("circle", { r: 3, fill: "var(--paper)" }) : null,
    );
  });
}

/** Discs with their numbers; those that share a cell are small and stand side by side. @param {Scene} scene @param {H} h */
function explorers(scene, h) {
  const living = scene.explorers.filter((e) => e.living);
  return living.map((e) => {
    const spot = e.at.join(",");
    const company = living.filter((other) => other.at.join(",") === spot);
    const alone = company.length === 1;
    const [dx, dy] = alone ? [0, 0] : PLACES[company.indexOf(e)];
    const [x, y] = [CELL * (e.at[0] + 0.5) + dx, CELL * (e.at[1] + 0.5) + (company.length > 2 ? dy : 0)];
    return h(
      "g",
      { key: e.seat, class: "piece", lies: spot, transform: `translate(${x} ${y})` },
      h("circle", {
        r: alone ? 15 : 9.5,
        fill: `var(--seat-${e.seat})`,
        stroke: e.stuck ? "var(--bad)" : "var(--paper)",
        "stroke-width": alone ? 3 : 1.5,
      }),
      h("text", { "font-size": alone ? 18 : 14, "font-weight": 700, class: "middle on-colour" }, e.seat),
    );
  });
}

/** Two rows of two explorers. @param {Scene} scene @param {H} h @param {number} width */
function table(scene, h, width) {
  return scene.explorers.map((e) => {
    const [left, top] = [(e.seat % 2) * (width / 2), Math.floor(e.seat / 2) * ROW];
    const bar = width / 2 - 250;
    const share = Math.max(0, Math.min(1, e.sanity / FULL));
    const note = e.living
      ? `${e.plans}P ${e.lights}L${e.stuck ? " stuck" : ""}`
      : `out${e.score === null ? "" : `: ${e.score}`}`;
    return h(
      "g",
      { key: e.seat, transform: `translate(${left} ${top})`, opacity: e.living ? 1 : 0.5 },
      h("circle", { cx: 16, cy: 20, r: 12, fill: `var(--seat-${e.seat})` }),
      h("text", { x: 16, y: 20, "font-size": 16, "font-weight": 700, class: "middle on-colour" }, e.seat),
      h("rect", { x: 40, y: 11, width: bar, height: 18, rx: 5, fill: "var(--ground)" }),
      h("rect", { x: 40, y: 11, width: bar * share, height: 18, rx: 5, fill: `var(--seat-${e.seat})`, opacity: 0.75 }),
      h("text", { x: 48 + bar, y: 20, "font-size": 20, "font-weight": 600, "dominant-baseline": "central" }, e.sanity),
      h("text", { x: 100 + bar, y: 20, "font-size": 18, class: "quiet", "dominant-baseline": "central" }, note),
    );
  });
}
