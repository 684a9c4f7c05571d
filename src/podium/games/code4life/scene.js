// Code 4 Life as SVG: the four modules with what lies there, and each robot with its samples and molecules.
// Spots: modules by name, molecules `A` to `E`, ranks `rank 1` to `rank 3`, samples `#7`.

/**
 * @typedef {{id: number, rank: number, diagnosed: boolean, gain: string | null, health: number | null, cost: number[] | null, state?: string}} Sample
 * @typedef {{location: string, eta: number, score: number, storage: number[], expertise: number[], samples: Sample[], answer: string}} Robot
 * @typedef {{round: number, pool: number[], projects: {needed: number[], open: boolean}[], robots: Robot[], cloud: Sample[]}} Scene
 * @typedef {import("podium/dom.js").H} H
 */

const WIDTH = 1000;
const TYPES = "ABCDE";
const MODULES = {
  SAMPLES: [8, 40],
  DIAGNOSIS: [256, 40],
  MOLECULES: [504, 40],
  LABORATORY: [752, 40],
  START_POS: [8, 330],
};
const MODULE = { width: 240, height: 250 };
const ROBOT = 208; // height of a robot's part
const SHOWN = 6; // samples of the cloud

/** @param {Scene} scene @param {H} h */
export function draw(scene, h) {
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${360 + 2 * ROBOT}` },
    h(
      "text",
      { key: "round", x: WIDTH - 8, y: 22, "font-size": 20, class: "quiet", "text-anchor": "end" },
      `after turn ${scene.round} of 200`,
    ),
    h(
      "g",
      { key: "modules" },
      Object.keys(MODULES)
        .filter((name) => name !== "START_POS")
        .map((name) => module(h, scene, name)),
    ),
    h(
      "g",
      { key: "start", spot: "START_POS" },
      h("rect", { x: 8, y: 300, width: WIDTH - 16, height: 44, rx: 10, fill: "var(--ground)" }),
      scene.robots.some((robot) => robot.location === "START_POS")
        ? h("text", { x: 24, y: 322, "font-size": 16, class: "quiet", "dominant-baseline": "central" }, "start")
        : null,
    ),
    h(
      "g",
      { key: "robots" },
      scene.robots.map((robot, seat) => robotDisc(h, robot, seat)),
    ),
    scene.robots.map((robot, seat) =>
      h("g", { key: `robot${seat}`, transform: `translate(0 ${356 + ROBOT * seat})` }, robotPart(h, robot, seat)),
    ),
  );
}

/** @param {H} h @param {Scene} scene @param {string} name */
function module(h, scene, name) {
  const [x, y] = MODULES[/** @type {keyof typeof MODULES} */ (name)];
  const inside = { SAMPLES: ranks, DIAGNOSIS: cloud, MOLECULES: pool, LABORATORY: projects }[name];
  return h(
    "g",
    { key: name, spot: name, transform: `translate(${x} ${y})` },
    h("rect", { ...MODULE, rx: 12, fill: "var(--card)", stroke: "var(--line)" }),
    h("text", { x: 16, y: 30, "font-size": 18, "font-weight": 600 }, name.toLowerCase()),
    inside?.(h, scene),
  );
}

/** @param {H} h */
function ranks(h) {
  return [1, 2, 3].map((rank) =>
    h(
      "g",
      { spot: `rank ${rank}`, transform: `translate(${16 + 72 * (rank - 1)} 52)` },
      h("rect", { width: 64, height: 64, rx: 8, fill: "var(--ground)" }),
      h("text", { x: 32, y: 26, "font-size": 24, "font-weight": 600, class: "middle" }, rank),
      h("text", { x: 32, y: 50, "font-size": 15, class: "quiet middle" }, "rank"),
    ),
  );
}

/** @param {H} h @param {Scene} scene */
function cloud(h, scene) {
  const more = scene.cloud.length - SHOWN;
  return [
    scene.cloud.slice(0, SHOWN).map((sample, index) =>
      h(
        "g",
        {
          key: sample.id,
          spot: `#${sample.id}`,
          transform: `translate(${12 + 110 * (index % 2)} ${44 + 38 * Math.floor(index / 2)})`,
        },
        h("rect", { width: 104, height: 34, rx: 7, fill: "var(--ground)" }),
        h("text", { x: 8, y: 17, "font-size": 14, "dominant-baseline": "central" }, `#${sample.id} ${words(sample)}`),
      ),
    ),
    h(
      "text",
      { x: 16, y: 176, "font-size": 16, class: "quiet" },
      more > 0 ? `and ${more} more in the cloud` : scene.cloud.length ? "in the cloud" : "the cloud is empty",
    ),
  ];
}

/** @param {H} h @param {Scene} scene */
function pool(h, scene) {
  return [...TYPES].map((type, index) =>
    h(
      "g",
      { spot: type, transform: `translate(${14 + 44 * index} 44)` },
      h("rect", { width: 38, height: 132, rx: 8, fill: "var(--ground)" }),
      Array.from({ length: Math.max(0, scene.pool[index]) }, (_, i) =>
        h("circle", { cx: 19, cy: 92 - 19 * i, r: 8, fill: "var(--ink)", "fill-opacity": 0.55 }),
      ),
      h("text", { x: 19, y: 116, "font-size": 18, "font-weight": 600, class: "middle" }, type),
    ),
  );
}

/** @param {H} h @param {Scene} scene */
function projects(h, scene) {
  return [
    h("text", { x: 16, y: 58, "font-size": 17, class: "quiet" }, "projects, 50 points each"),
    scene.projects.map((project, index) =>
      h(
        "text",
        {
          x: 16,
          y: 88 + 30 * index,
          "font-size": 20,
          opacity: project.open ? 1 : 0.35,
          "text-decoration": project.open ? null : "line-through",
        },
        counts(project.needed),
      ),
    ),
  ];
}

/** @param {number[]} numbers */
function counts(numbers) {
  return (
    numbers
      .map((count, index) => (count ? `${count}${TYPES[index]}` : ""))
      .filter(Boolean)
      .join(" ") || "–"
  );
}

/** @param {Sample} sample */
function words(sample) {
  if (!sample.diagnosed || !sample.cost) return `rank ${sample.rank}`;
  return `${sample.health} +${sample.gain}`;
}

/** The robot at its module, or below it while it is on its way there. @param {H} h @param {Robot} robot @param {number} seat */
function robotDisc(h, robot, seat) {
  const [x, y] = MODULES[/** @type {keyof typeof MODULES} */ (robot.location)];
  const start = robot.location === "START_POS";
  const place = start ? [120 + 60 * seat, 322] : [x + 44 + 120 * seat, robot.eta ? 322 : y + 222];
  return h(
    "g",
    { key: seat, class: "piece", lies: robot.location, transform: `translate(${place[0]} ${place[1]})` },
    h("circle", { r: 19, fill: `var(--seat-${seat})`, stroke: "var(--paper)", "stroke-width": 3 }),
    h("text", { "font-size": 18, "font-weight": 700, class: "middle on-colour" }, seat),
    robot.eta
      ? h("text", { x: 28, "font-size": 16, class: "quiet", "dominant-baseline": "central" }, `there in ${robot.eta}`)
      : null,
  );
}

/** @param {H} h @param {Robot} robot @param {number} seat */
function robotPart(h, robot, seat) {
  const colour = `var(--seat-${seat})`;
  return [
    h("line", { key: "rule", x1: 8, x2: WIDTH - 8, y1: 0, y2: 0, stroke: "var(--line)" }),
    h("circle", { key: "dot", cx: 22, cy: 32, r: 10, fill: colour }),
    h("text", { key: "score", x: 44, y: 41, "font-size": 28, "font-weight": 600, fill: colour }, robot.score),
    h("text", { key: "answer", x: 110, y: 40, "font-size": 18, class: "quiet" }, robot.answer.slice(0, 40)),
    h(
      "g",
      { key: "holds", transform: "translate(8 62)" },
      [...TYPES].map((type, index) => holding(h, type, index, robot)),
    ),
    h(
      "g",
      { key: "tray", transform: "translate(330 16)" },
      robot.samples.map((sample, index) => carried(h, sample, index)),
    ),
  ];
}

/** What a robot holds of a type, and its expertise in it. @param {H} h @param {string} type @param {number} index @param {Robot} robot */
function holding(h, type, index, robot) {
  const x = 60 * index;
  return h(
    "g",
    { key: type },
    h("rect", { x, width: 54, height: 122, rx: 8, fill: "var(--ground)" }),
    h("text", { x: x + 27, y: 20, "font-size": 15, class: "quiet middle" }, type),
    h("text", { x: x + 27, y: 54, "font-size": 28, "font-weight": 600, class: "middle" }, robot.storage[index]),
    h(
      "text",
      { x: x + 27, y: 98, "font-size": 15, class: "quiet middle" },
      robot.expertise[index] ? `+${robot.expertise[index]}` : "·",
    ),
  );
}

/** @param {H} h @param {Sample} sample @param {number} index */
function carried(h, sample, index) {
  const known = sample.diagnosed && sample.cost;
  const ready = sample.state === "ready";
  return h(
    "g",
    { key: sample.id, spot: `#${sample.id}`, transform: `translate(${222 * index} 0)` },
    h("rect", {
      width: 212,
      height: 168,
      rx: 10,
      fill: "var(--card)",
      stroke: ready ? "var(--good)" : "var(--line)",
      "stroke-width": ready ? 2.5 : 1,
      "stroke-dasharray": known ? null : "6 4",
    }),
    h("text", { x: 14, y: 28, "font-size": 17, class: "quiet" }, `#${sample.id} · rank ${sample.rank}`),
    h(
      "text",
      { x: 14, y: 72, "font-size": 26, "font-weight": 600 },
      sample.cost ? `${sample.health} point${sample.health === 1 ? "" : "s"}` : "not diagnosed",
    ),
    sample.cost ? h("text", { x: 14, y: 104, "font-size": 19 }, `costs ${counts(sample.cost)}`) : null,
    sample.gain ? h("text", { x: 14, y: 130, "font-size": 17, class: "quiet" }, `gains ${sample.gain}`) : null,
    h("text", { x: 14, y: 154, "font-size": 17, class: ready ? "good" : "quiet" }, sample.state ?? ""),
  );
}
