// Charts as SVG: lines with bands, bars per turn, histograms, ratings with intervals. Every number can be read off in text.

import { h } from "podium/dom.js";
import { untrusted } from "podium/format.js";

/**
 * @typedef {import("podium/dom.js").VNode} VNode
 * @typedef {{points: [number, number][], colour: string, name?: string, thin?: boolean, dashed?: boolean}} Line
 * @typedef {{low: [number, number][], high: [number, number][], colour: string}} Band
 * @typedef {{width?: number, height?: number, x: [number, number], y: [number, number], lines?: Line[], bands?: Band[],
 *   levels?: {at: number, name: string, strong?: boolean}[], marks?: {x: number, y: number, colour: string, title: string}[],
 *   cursor?: number | null, xName?: string, xTicks?: {at: number, name: string}[], show?: (value: number) => string, ticks?: number[], picked?: (x: number) => void,
 *   title: string}} Plot
 */

const LEFT = 52;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;
const COLOURS = ["seat-0", "seat-1", "seat-2", "seat-3", "quiet", "bad", "warn", "good"]; // neighbours differ

/** The colour of one of several lines. @param {number} index */
export function colourOf(index) {
  return `var(--${COLOURS[index % COLOURS.length]})`;
}

/** Which line is whose. @param {string[]} names */
export function legend(names) {
  return h(
    "p",
    { class: "legend" },
    names.map((name, index) =>
      h("span", { key: name }, h("i", { style: { background: colourOf(index) } }), untrusted(name, 30)),
    ),
  );
}

/** The width of a plot in its own units: narrow screens get fewer, so that words stay readable. */
function usualWidth() {
  return innerWidth < 600 ? 380 : 640;
}

/** @param {number} low @param {number} high @param {number} [most] */
export function ticks(low, high, most = 5) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, i) =>
    Number((first + i * step).toPrecision(12)),
  );
}

/** The whole numbers of an axis. @param {[number, number]} range */
function wholeTicks([low, high]) {
  return ticks(low, high, 6)
    .filter(Number.isInteger)
    .map((at) => ({ at, name: at.toLocaleString("en") }));
}

/**
 * What a click on a chart does: it picks the value on the axis at that place of the picture.
 * @param {((x: number) => void) | undefined} picked @param {(at: number) => number} placeOf
 */
function picker(picked, placeOf) {
  if (!picked) return null;
  return (/** @type {MouseEvent} */ event) => {
    const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    picked(placeOf(at.x));
  };
}

/**
 * The frame of a chart, which can be clicked if something is picked in it.
 * @param {{title: string, picked?: (x: number) => void}} chart @param {[number, number]} size @param {any} onclick @param {any[]} children
 */
function picture({ title, picked }, [width, height], onclick, ...children) {
  const props = { class: picked ? "plot pick" : "plot", viewBox: `0 0 ${width} ${height}`, role: "img" };
  return h("svg", { ...props, "aria-label": title, onclick }, ...children);
}

/**
 * Lines across a chart, each with its value.
 * @param {number[]} values @param {number} width @param {(value: number) => number} Y @param {(value: number) => string} show
 */
function grid(values, width, Y, show) {
  return h(
    "g",
    { class: "grid" },
    values.map((at) => [
      h("line", { x1: LEFT, x2: width - RIGHT, y1: Y(at), y2: Y(at) }),
      h("text", { x: LEFT - 8, y: Y(at), "text-anchor": "end", "dominant-baseline": "central" }, show(at)),
    ]),
  );
}

/** A plot of lines over a common axis. @param {Plot} plot @returns {VNode} */
export function plotted(plot) {
  const width = plot.width ?? usualWidth();
  const height = plot.height ?? 190;
  const [x0, x1] = plot.x;
  const [y0, y1] = plot.y;
  const X = (/** @type {number} */ x) => LEFT + ((x - x0) / (x1 - x0 || 1)) * (width - LEFT - RIGHT);
  const Y = (/** @type {number} */ y) =>
    TOP + (1 - (Math.min(Math.max(y, y0), y1) - y0) / (y1 - y0 || 1)) * (height - TOP - BOTTOM);
  const show = plot.show ?? String;
  const path = (/** @type {[number, number][]} */ points) =>
    points.map(([x, y]) => `${X(x).toFixed(1)},${Y(y).toFixed(1)}`).join(" ");
  const onclick = picker(plot.picked, (at) => x0 + ((at - LEFT) / (width - LEFT - RIGHT)) * (x1 - x0));
  return picture(
    plot,
    [width, height],
    onclick,
    grid(plot.ticks ?? ticks(y0, y1, 5), width, Y, show),
    h(
      "g",
      { class: "axis" },
      (plot.xTicks ?? wholeTicks(plot.x))
        // the name of the axis stands where the last ones would
        .filter(({ at }) => !plot.xName || X(at) < width - RIGHT - 80)
        .map(({ at, name }) =>
          h("text", { x: X(at), y: height - 6, "text-anchor": X(at) > width - 2 * RIGHT ? "end" : "middle" }, name),
        ),
      plot.xName
        ? h("text", { x: width - RIGHT, y: height - 6, "text-anchor": "end", class: "name" }, plot.xName)
        : null,
    ),
    (plot.levels ?? []).map((level) =>
      h(
        "g",
        { class: level.strong ? "level strong" : "level" },
        h("line", { x1: LEFT, x2: width - RIGHT, y1: Y(level.at), y2: Y(level.at) }),
        h("text", { x: width - RIGHT - 4, y: Y(level.at) - 5, "text-anchor": "end" }, level.name),
      ),
    ),
    (plot.bands ?? []).map((band) =>
      h("polygon", { points: path([...band.low, ...band.high.toReversed()]), fill: band.colour, "fill-opacity": 0.14 }),
    ),
    (plot.lines ?? []).map((line) =>
      h("polyline", {
        points: path(line.points),
        fill: "none",
        stroke: line.colour,
        "stroke-width": line.thin ? 1 : 2,
        "stroke-dasharray": line.dashed ? "5 4" : null,
        "stroke-linejoin": "round",
      }),
    ),
    (plot.marks ?? []).map((mark) =>
      h(
        "g",
        { class: "moment" },
        h("title", null, mark.title),
        h("circle", {
          cx: X(mark.x),
          cy: Y(mark.y),
          r: 5,
          fill: "var(--paper)",
          stroke: mark.colour,
          "stroke-width": 2,
        }),
      ),
    ),
    plot.cursor === null || plot.cursor === undefined
      ? null
      : h("line", { class: "cursor", x1: X(plot.cursor), x2: X(plot.cursor), y1: TOP, y2: height - BOTTOM }),
  );
}

/**
 * Bars side by side, one group for each place.
 * @param {{width?: number, height?: number, groups: {at: number, bars: {value: number, colour: string, title: string}[]}[], x: [number, number], most: number,
 *   cursor?: number | null, show: (value: number) => string, picked?: (x: number) => void, title: string, limit?: number | null}} chart
 */
export function bars(chart) {
  const width = chart.width ?? usualWidth();
  const height = chart.height ?? 90;
  const [x0, x1] = chart.x;
  const step = (width - LEFT - RIGHT) / (x1 - x0 || 1);
  const X = (/** @type {number} */ x) => LEFT + (x - x0) * step;
  const Y = (/** @type {number} */ value) => TOP + (1 - Math.min(1, value / (chart.most || 1))) * (height - TOP - 6);
  const onclick = picker(chart.picked, (at) => x0 + (at - LEFT) / step);
  const limit = chart.limit;
  return picture(
    chart,
    [width, height],
    onclick,
    grid([0, chart.most], width, Y, chart.show),
    chart.groups.map(({ at, bars: group }) => {
      const thick = Math.max(0.8, Math.min(9, (0.8 * step) / group.length));
      return group.map((bar, index) => {
        const left = X(at) + (index - group.length / 2) * thick;
        return h(
          "rect",
          {
            x: left,
            y: Y(bar.value),
            width: Math.max(0.6, thick - 0.3),
            height: height - 6 - Y(bar.value),
            fill: bar.colour,
          },
          h("title", null, bar.title),
        );
      });
    }),
    limit && limit <= chart.most
      ? h("g", { class: "level strong" }, h("line", { x1: LEFT, x2: width - RIGHT, y1: Y(limit), y2: Y(limit) }))
      : null,
    chart.cursor === null || chart.cursor === undefined
      ? null
      : h("line", { class: "cursor", x1: X(chart.cursor), x2: X(chart.cursor), y1: TOP, y2: height - 6 }),
  );
}

/**
 * How often something took how long, one row for each bot.
 * @param {{bot: string, edges: number[], counts: number[]}} row @param {string} colour @param {(value: number) => string} show
 * @param {number | null} limit what an answer may take
 */
export function histogram(row, colour, show, limit) {
  const [width, height] = [usualWidth(), 84];
  const most = Math.max(1, ...row.counts);
  const step = (width - LEFT - RIGHT) / row.counts.length;
  // answers within the first bar are many: a root keeps the rare late ones in sight
  const tall = (/** @type {number} */ count) => Math.sqrt(count / most) * (height - TOP - BOTTOM);
  const end = row.edges.at(-1) ?? 0;
  const late = limit && limit < end ? LEFT + (limit / end) * (width - LEFT - RIGHT) : null;
  return h(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `times of ${row.bot}` },
    late === null
      ? null
      : h(
          "g",
          { class: "level strong" },
          h("line", { x1: late, x2: late, y1: TOP, y2: height - BOTTOM }),
          h("text", { x: late + (late < width / 2 ? 4 : -4), y: TOP + 8, "text-anchor": late < width / 2 ? "start" : "end" }, `limit ${show(limit ?? 0)}`),
        ),
    h("line", { class: "base", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }),
    row.counts.map((count, index) =>
      h(
        "rect",
        {
          x: LEFT + step * index,
          y: height - BOTTOM - tall(count),
          width: Math.max(1, step - 1.5),
          height: tall(count),
          fill: colour,
        },
        h(
          "title",
          null,
          `${count.toLocaleString("en")} answers in ${show(row.edges[index])} to ${show(row.edges[index + 1])}`,
        ),
      ),
    ),
    h(
      "g",
      { class: "axis" },
      [0, 0.5, 1].map((share) =>
        h(
          "text",
          {
            x: LEFT + share * (width - LEFT - RIGHT),
            y: height - 6,
            "text-anchor": share === 1 ? "end" : share ? "middle" : "start",
          },
          show(share * (row.edges.at(-1) ?? 0)),
        ),
      ),
    ),
  );
}

/**
 * Ratings with their intervals on one scale; `nothing` is the Elo of a line to compare them with.
 * @param {{bot: string, elo: number, low: number, high: number, retired?: boolean}[]} rows
 * @param {number | null} [nothing]
 */
export function intervals(rows, nothing = null) {
  const [width, row, left] = [usualWidth(), 30, 150];
  const low = Math.min(nothing ?? Infinity, ...rows.map((r) => Math.max(r.low, r.elo - 800)));
  const high = Math.max(nothing ?? -Infinity, ...rows.map((r) => Math.min(r.high, r.elo + 800)));
  const X = (/** @type {number} */ elo) =>
    left + ((Math.min(Math.max(elo, low), high) - low) / (high - low || 1)) * (width - left - 20);
  const height = rows.length * row + 28;
  return h(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "ratings with their intervals" },
    h(
      "g",
      { class: "grid upright" },
      ticks(low, high, 6).map((at) => [
        h("line", { x1: X(at), x2: X(at), y1: 4, y2: height - 22 }),
        h("text", { x: X(at), y: height - 6, "text-anchor": "middle" }, at.toLocaleString("en")),
      ]),
    ),
    nothing === null
      ? null
      : h("g", { class: "level" }, h("line", { x1: X(nothing), x2: X(nothing), y1: 4, y2: height - 22 })),
    rows.map((r, index) => {
      const y = row * index + row / 2 + 4;
      const name = r.bot.length > 18 ? `${r.bot.slice(0, 17)}…` : r.bot;
      return h(
        "g",
        { opacity: r.retired ? 0.5 : 1 },
        h(
          "text",
          { x: left - 12, y, "text-anchor": "end", "dominant-baseline": "central", class: "strong" },
          h("title", null, r.bot),
          name,
        ),
        h("line", {
          x1: X(r.low),
          x2: X(r.high),
          y1: y,
          y2: y,
          stroke: "var(--accent)",
          "stroke-width": 6,
          "stroke-opacity": 0.28,
          "stroke-linecap": "round",
        }),
        h("circle", { cx: X(r.elo), cy: y, r: 5.5, fill: "var(--accent)" }),
      );
    }),
  );
}
