// A board: a game's scene, drawn by the game's own module, and what lies over it.
// Places of the board have names (spots); all overlays and clicks are in terms of these, so no game is known here.

import { h, render } from "podium/dom.js";
import { clean } from "podium/format.js";

/**
 * @typedef {import("podium/dom.js").VNode} VNode
 * @typedef {{form: string, at: any, text?: string, weight?: number, seat?: number}} Drawing
 * @typedef {{answer: string, label: string, spots: string[]}} Choice
 * @typedef {{draw: (scene: any, h: import("podium/dom.js").H) => VNode}} SceneModule
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

const WIDE = 900; // of a picture from which on narrow screens scroll it, so that its words can be read

export class Board {
  /**
   * @param {Element} parent @param {SceneModule | null} module how the game draws itself; null: by text
   * @param {(spot: string) => void} clicked
   */
  constructor(parent, module, clicked = () => {}) {
    this.parent = parent;
    this.module = module;
    this.label = "board";
    this.clicked = clicked;
    /** @type {Element | null} */
    this.overlay = null;
    /** @type {Element | null} */
    this.above = null; // of the overlay: pieces that it would hide
    /** @type {VNode | null} */
    this.tree = null;
  }

  /**
   * Show a position.
   * @param {{scene: any, text?: string}} position
   */
  show(position) {
    if (!this.module) {
      render(
        this.parent,
        h("pre", { class: "picture" }, clean(position.text ?? JSON.stringify(position.scene, null, 1), 20000)),
      );
      return;
    }
    const tree = this.module.draw(position.scene, h);
    const box = String(tree.props.viewBox).split(" ").map(Number);
    this.size = { width: box[2], height: box[3] };
    this.tree = tree;
    const layer = h("g", {
      key: "overlay",
      class: "overlay",
      keep: true,
      ref: (/** @type {Element} */ e) => (this.overlay = e),
    });
    const onclick = (/** @type {Event} */ event) => {
      // a spot may lie within another: the innermost that is open is meant
      const element = /** @type {Element} */ (event.target);
      const spot = (element.closest("[data-spot].open") ?? element.closest("[data-spot]"))?.getAttribute("data-spot");
      if (spot) this.clicked(spot);
    };
    const props = {
      ...tree.props,
      class: box[2] >= WIDE ? "board wide" : "board",
      role: "group",
      "aria-label": this.label,
      onclick,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      preserveAspectRatio: "xMidYMid meet",
    };
    render(this.parent, { tag: "svg", props, children: [...tree.children, layer] });
  }

  /** The spots that may be clicked now. @param {Set<string>} open @param {string[]} taken those clicked already */
  offer(open, taken = []) {
    const before = this.parent.contains(document.activeElement);
    let isFirst = true; // one spot is reached by Tab, the others from there by arrow keys
    for (const element of this.parent.querySelectorAll("[data-spot]")) {
      const spot = element.getAttribute("data-spot") ?? "";
      element.classList.toggle("open", open.has(spot));
      element.classList.toggle("taken", taken.includes(spot));
      if (!open.has(spot)) for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
      else {
        element.setAttribute("role", "button");
        element.setAttribute("aria-label", spot);
        element.setAttribute("tabindex", isFirst ? "0" : "-1");
        isFirst = false;
      }
    }
    if (before && !document.activeElement?.classList.contains("open"))
      /** @type {SVGElement | null} */ (this.parent.querySelector("[tabindex='0']"))?.focus();
  }

  /** Enter and Space choose the spot that has the focus, arrow keys go to the next open one. @param {KeyboardEvent} event */
  key(event) {
    const element = /** @type {Element} */ (event.target).closest("[data-spot].open");
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!element || !(step || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) {
      this.clicked(element.getAttribute("data-spot") ?? "");
      return;
    }
    const others = [...this.parent.querySelectorAll("[data-spot].open")].filter((other) => other !== element);
    const next = /** @type {SVGElement | undefined} */ (nearest(element, others, step));
    if (!next) return;
    element.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  /** Draw over the board. @param {{seat: number, drawings: Drawing[]}[]} layers @param {Set<string>} changed spots to point out */
  draw(layers, changed = new Set()) {
    if (!this.overlay || !this.module) return;
    const unit = Math.min(this.size?.width ?? 100, this.size?.height ?? 100) / 100;
    const shapes = [];
    for (const spot of changed) {
      const box = this.box(spot);
      if (box) shapes.push(outline(box, unit));
    }
    const all = layers.flatMap(({ seat, drawings }) => drawings.map((drawing) => ({ seat, ...drawing })));
    // where a badge lies there is no room for a text
    const badged = new Set(all.filter((d) => d.form === "line" && d.at.length === 1).map((d) => d.at[0]));
    for (const drawing of all) {
      if (drawing.form !== "text" || !badged.has(drawing.at)) shapes.push(...this.shapes(drawing, drawing.seat, unit));
    }
    const ref = (/** @type {Element} */ group) => (this.above = group);
    render(this.overlay, shapes, shapes.length ? h("g", { key: "above", keep: true, ref }) : null);
    if (shapes.length) this.above?.replaceChildren(...this.pieces());
  }

  /** The pieces with a letter or number once more, to stand above what is drawn over the board: nobody is hidden. */
  pieces() {
    const layer = /** @type {any} */ (this.overlay);
    const back = layer.getScreenCTM()?.inverse();
    const pieces = [...this.parent.querySelectorAll("svg.board .piece")];
    return pieces
      .filter((piece) => back && piece.querySelector("text") && !layer.contains(piece))
      .map((piece) => {
        const { a, b, c, d, e, f } = back.multiply(/** @type {any} */ (piece.parentNode).getScreenCTM());
        const place = document.createElementNS(layer.namespaceURI, "g");
        place.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
        place.append(piece.cloneNode(true));
        return place;
      });
  }

  /** @param {Drawing} drawing @param {number} seat @param {number} unit @returns {VNode[]} */
  shapes(drawing, seat, unit) {
    const colour = `var(--seat-${seat % 4})`;
    const boxes = /** @type {Box[]} */ (
      [drawing.at]
        .flat()
        .map((spot) => this.box(spot))
        .filter(Boolean)
    );
    if (!boxes.length) return [];
    if (drawing.form === "mark") {
      const opacity = 0.12 + 0.58 * (drawing.weight ?? 1);
      return boxes.map((b) =>
        h("rect", {
          x: b.x,
          y: b.y,
          width: b.width,
          height: b.height,
          rx: unit,
          fill: colour,
          "fill-opacity": opacity,
        }),
      );
    }
    if (drawing.form === "text") return [label(boxes[0], drawing.text ?? "", unit)];
    if (drawing.form === "line")
      return boxes.length > 1
        ? arrow(boxes, drawing.text ?? "", colour, unit)
        : [badge(aside(boxes[0], unit, this.size), drawing.text || "•", colour, unit)];
    return [];
  }

  /** Where a spot is, in the coordinates of the picture. @param {string} spot @returns {Box | null} */
  box(spot) {
    const svg = /** @type {SVGSVGElement | null} */ (this.parent.querySelector("svg"));
    const element = /** @type {SVGGraphicsElement | null} */ (
      this.parent.querySelector(`[data-spot="${CSS.escape(spot)}"]`)
    );
    const outer = svg?.getScreenCTM();
    const inner = element?.getScreenCTM();
    if (!element || !outer || !inner) return null;
    const box = element.getBBox();
    const matrix = outer.inverse().multiply(inner);
    const corner = new DOMPoint(box.x, box.y).matrixTransform(matrix);
    return { x: corner.x, y: corner.y, width: box.width * matrix.a, height: box.height * matrix.d };
  }
}

/** The element that lies nearest in a direction; what lies aside of it counts as twice as far. @param {Element} from @param {Element[]} others @param {number[]} step */
function nearest(from, others, step) {
  const here = centre(from.getBoundingClientRect());
  const far = (/** @type {Element} */ other) => {
    const there = centre(other.getBoundingClientRect());
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const along = dx * step[0] + dy * step[1];
    const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
    return along > 1 && along >= aside / 2 ? along + 2 * aside : Infinity;
  };
  const best = others.reduce((one, other) => (far(other) < far(one) ? other : one), others[0]);
  return best && far(best) < Infinity ? best : undefined;
}

/** @param {Box} box */
function centre(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Where a badge hides little of a spot: on the corner of a large one, half outside, but within the picture.
 * @param {Box} box @param {number} unit @param {{width: number, height: number} | undefined} size
 */
function aside(box, unit, size) {
  if (Math.min(box.width, box.height) <= 8 * unit) return centre(box);
  const right = (size?.width ?? Infinity) - 2.2 * unit;
  return { x: Math.min(box.x + box.width, right), y: Math.max(box.y, 2.2 * unit) };
}

/** @param {Box} box @param {number} unit */
function outline(box, unit) {
  const m = 0.6 * unit;
  return h("rect", {
    class: "changed",
    x: box.x - m,
    y: box.y - m,
    width: box.width + 2 * m,
    height: box.height + 2 * m,
    rx: unit,
    fill: "none",
  });
}

/** A text with a halo. @param {Box} box @param {string} text @param {number} unit */
function label(box, text, unit) {
  const words = clean(text, 24);
  const size = Math.max(
    1.8 * unit,
    Math.min(3.4 * unit, (1.6 * Math.max(box.width, 4 * unit)) / Math.max(2, words.length)),
  );
  const { x, y } = centre(box);
  return h(
    "text",
    {
      class: "label",
      x,
      y,
      "font-size": size,
      "stroke-width": 0.28 * size,
      "text-anchor": "middle",
      "dominant-baseline": "central",
    },
    words,
  );
}

/** @param {{x: number, y: number}} at @param {string} text @param {string} colour @param {number} unit */
function badge(at, text, colour, unit) {
  const words = clean(text, 12);
  const size = 2.6 * unit;
  const width = Math.max(4, 1.6 * words.length + 1.8) * unit;
  return h(
    "g",
    { class: "badge" },
    h("rect", { x: at.x - width / 2, y: at.y - 2 * unit, width, height: 4 * unit, rx: 2 * unit, fill: colour }),
    h("text", { x: at.x, y: at.y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, words),
  );
}

/** Where an arrow leaves its first spot: at the edge, so that what stands there can be read. @param {Box} box @param {{x: number, y: number}} to */
function beside(box, to) {
  const { x, y } = centre(box);
  const length = Math.hypot(to.x - x, to.y - y);
  const share = length ? Math.min(0.45, (0.4 * Math.min(box.width, box.height)) / length) : 0;
  return { x: x + share * (to.x - x), y: y + share * (to.y - y) };
}

/** @param {Box[]} boxes @param {string} text @param {string} colour @param {number} unit @returns {VNode[]} */
function arrow(boxes, text, colour, unit) {
  // who waits stays on a spot for a while: an arrow begins with the first step away from it
  const points = boxes.map(centre).filter((p, i, all) => !i || p.x !== all[i - 1].x || p.y !== all[i - 1].y);
  if (points.length < 2) return text ? [badge(points[0], text, colour, unit)] : [];
  points[0] = beside(boxes[0], points[1]);
  const last = points[points.length - 1];
  const from = points[points.length - 2];
  const angle = Math.atan2(last.y - from.y, last.x - from.x);
  const head = [-2.6, 2.6].map(
    (turn) => `${last.x + 2.4 * unit * Math.cos(angle + turn)},${last.y + 2.4 * unit * Math.sin(angle + turn)}`,
  );
  const path = points.map((p) => `${p.x},${p.y}`).join(" ");
  const shapes = [
    h("polyline", { class: "halo", points: path, fill: "none", "stroke-width": 1.9 * unit }),
    h("polyline", {
      points: path,
      fill: "none",
      stroke: colour,
      "stroke-width": 0.9 * unit,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }),
    h("polyline", {
      points: `${head[0]} ${last.x},${last.y} ${head[1]}`,
      fill: "none",
      stroke: colour,
      "stroke-width": 0.9 * unit,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }),
  ];
  if (text) shapes.push(badge({ x: (from.x + last.x) / 2, y: (from.y + last.y) / 2 }, text, colour, unit));
  return shapes;
}

/**
 * The spots that look different in two pictures.
 * @param {SceneModule | null} module @param {any} before @param {any} after scenes
 * @returns {Set<string>}
 */
export function changes(module, before, after) {
  if (!module || !before) return new Set();
  const old = appearances(module.draw(before, h));
  const now = appearances(module.draw(after, h));
  return new Set([...now.keys()].filter((spot) => old.get(spot) !== now.get(spot)));
}

/** How each spot looks, pieces that lie on it included, spots within it not. @param {VNode} tree */
function appearances(tree) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const walk = (/** @type {VNode | string} */ node, /** @type {string | undefined} */ on) => {
    if (typeof node === "string") {
      if (on !== undefined) found.set(on, `${found.get(on) ?? ""} ${node}`);
      return;
    }
    const { spot, lies, transform, ...rest } = node.props;
    const here = spot ?? lies ?? on;
    if (here !== undefined) found.set(here, `${found.get(here) ?? ""}${node.tag}${JSON.stringify(rest)}`);
    node.children.forEach((child) => walk(child, here));
  };
  walk(tree, undefined);
  return found;
}
