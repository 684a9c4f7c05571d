// A search tree as an icicle on a canvas: each node a bar as wide as its subtree, its children below it.
// Of what is narrower than half a pixel only the largest is drawn, so a million nodes are as quick as a thousand.

import { paints, shadeColour, shape, textColour } from "podium/icicle_paint.js";
import { BADGES, NO_MOVER, TOO_LOW, UNFINISHED, WORSE_TWIN } from "podium/search_tree.js";

/** @typedef {import("podium/search_tree.js").SearchTree} SearchTree */
/** @typedef {{tree: SearchTree, extent: () => number, text: (row: number) => string | undefined, hover: (row: number | null) => void, select: (row: number) => void}} Options */

const TALLEST = 30; // px of a layer
const LOWEST = 15;
const NARROWEST = 0.5; // px of a bar that is drawn
const LABELLED = 44; // px of a bar with a text
const WITH_STUB = 14; // px of a bar whose cut moves are drawn, and of what is drawn for them at most
const MOST_ZOOM = 1e7;

/**
 * A move in little room: its last words tell it from its siblings; of a joint choice the first move.
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} room
 */
function fitting(context, text, room) {
  const fits = (/** @type {string} */ words) => context.measureText(words).width <= room;
  if (fits(text)) return text;
  let [rest] = text.split(" / ");
  let shorter = rest;
  while (!fits(shorter) && rest.includes(" ")) {
    rest = rest.slice(rest.indexOf(" ") + 1);
    shorter = `…${rest}`;
  }
  return shorter;
}

export class Icicle {
  /** @param {HTMLCanvasElement} canvas @param {Options} options */
  constructor(canvas, options) {
    this.canvas = canvas;
    this.options = options;
    this.from = 0; // the part of the root's width that is shown
    this.to = 1;
    /** @type {number | null} */
    this.hovered = null;
    this.selected = options.tree.root;
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    this.moved = false;
    this.waiting = false;
    this.wide = this.high = this.layer = 0; // px
    this.drawn = 0; // bars of the last picture
    /** @type {any} */
    this.paint = null;
    this.listen();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  get tree() {
    return this.options.tree;
  }

  /** The width of the shown root, as a share of the canvas: two searches have one scale. */
  get share() {
    return this.tree.weight(this.tree.root) / this.options.extent() || 1;
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    const layers = this.tree.depth + 1;
    this.wide = this.canvas.clientWidth || 600;
    this.layer = Math.max(LOWEST, Math.min(TALLEST, 420 / layers));
    this.high = Math.ceil(layers * this.layer);
    this.canvas.style.height = `${this.high}px`;
    this.canvas.width = Math.round(this.wide * ratio);
    this.canvas.height = Math.round(this.high * ratio);
    this.redraw();
  }

  /** Draw at the next frame. */
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.wide, this.high);
    const style = getComputedStyle(this.canvas);
    this.paint = paints(context, (name) => style.getPropertyValue(name).trim());
    this.drawn = 0;
    this.bars(context);
    this.line(context);
    for (const [row, colour] of [
      [this.selected, this.paint.ink],
      [this.hovered, this.paint.quiet],
    ])
      if (typeof row === "number" && this.isShown(row)) this.outline(context, row, String(colour), 2);
  }

  /** The left end and the width of a row in px. @param {number} row */
  box(row) {
    const scale = (this.wide * this.share) / (this.to - this.from);
    return { x: (this.tree.left[row] - this.from) * scale, width: this.tree.width[row] * scale };
  }

  /** All bars that can be seen, from the root down and from right to left. @param {CanvasRenderingContext2D} context */
  bars(context) {
    const { tree, layer } = this;
    const { ply } = tree.arrays;
    const cut = [];
    /** @type {number[]} by ply: where the last bar begins */
    const edges = [];
    const stack = [tree.root];
    while (stack.length) {
      const row = /** @type {number} */ (stack.pop());
      const { x, width } = this.box(row);
      if (width < NARROWEST && x > (edges[ply[row]] ?? Infinity) - NARROWEST) continue; // there is one already
      edges[ply[row]] = x;
      this.bar(context, row, x, ply[row] * layer, width);
      this.drawn++;
      if (width > WITH_STUB && tree.isCut(row)) cut.push(row);
      this.pushChildren(row, stack);
    }
    for (const row of cut) this.stub(context, row);
  }

  /** Push the children of a row that are to be drawn: of those too narrow to be seen, the largest of each half pixel. @param {number} row @param {number[]} stack */
  pushChildren(row, stack) {
    const { first, next, left, width } = this.tree;
    const scale = (this.wide * this.share) / (this.to - this.from);
    let largest = -1;
    let start = 0;
    for (let child = first[row]; child >= 0; child = next[child]) {
      const x = (left[child] - this.from) * scale;
      const end = x + width[child] * scale;
      if (x > this.wide || end < 0) continue;
      if (end - x >= NARROWEST) {
        stack.push(child);
        continue;
      }
      if (largest < 0) start = x;
      if (largest < 0 || width[child] > width[largest]) largest = child;
      if (end - start < NARROWEST) continue;
      stack.push(largest);
      largest = -1;
    }
    if (largest >= 0) stack.push(largest);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} row @param {number} x @param {number} y @param {number} width */
  bar(context, row, x, y, width) {
    const { tree, layer, paint } = this;
    const gap = width > 3 ? 1 : 0;
    const shade = tree.shade(row);
    const source = tree.arrays.source?.[row];
    const dropped = source === TOO_LOW || source === WORSE_TWIN;
    context.globalAlpha = dropped ? 0.45 : 1;
    context.fillStyle = shadeColour(paint, shade);
    const left = Math.max(x, -4);
    const seen = Math.min(x + width, this.wide + 4) - left;
    context.fillRect(left, y, Math.max(NARROWEST, seen - gap), layer - 1);
    context.globalAlpha = 1;
    // hatched below the move, which stays readable
    if (source === UNFINISHED && row !== tree.root && width > 4) this.hatch(context, left, y + 0.7 * layer, seen - gap, 0.3 * layer - 1);
    if (seen > 16) this.label(context, row, left, y, seen);
  }

  /** The moves of a row that another one cut off: a stub at the end of its children. @param {CanvasRenderingContext2D} context @param {number} row */
  stub(context, row) {
    const { layer } = this;
    const { x, width } = this.box(row);
    const long = Math.min(WITH_STUB, width / 4);
    const top = (this.tree.arrays.ply[row] + 1.5) * layer;
    this.hatch(context, Math.min(x + width, this.wide) - long - 1, top, long, layer / 2 - 1);
  }

  /** Moves that were not searched. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} width @param {number} height */
  hatch(context, x, y, width, height) {
    context.fillStyle = this.paint.paper;
    context.fillRect(x, y, width, height);
    context.fillStyle = this.paint.hatch;
    context.fillRect(x, y, width, height);
  }

  /** The mover's shape and the move. @param {CanvasRenderingContext2D} context @param {number} row @param {number} x @param {number} y @param {number} width */
  label(context, row, x, y, width) {
    const { tree, layer, paint } = this;
    context.fillStyle = textColour(paint, tree.shade(row));
    const mover = tree.moverOf(row);
    let at = x + 5;
    if (mover !== NO_MOVER && layer >= LOWEST) {
      shape(context, mover, at + 4, y + layer / 2 - 0.5, 3.6);
      at += 13;
    }
    if (width < LABELLED) return;
    const whole = row === tree.root ? "root" : this.options.text(row);
    if (!whole) return;
    context.font = `${Math.min(12, layer - 4)}px system-ui, sans-serif`;
    const text = fitting(context, whole, x + width - 6 - at);
    context.textBaseline = "middle";
    context.save();
    context.beginPath();
    context.rect(x, y, width - 4, layer);
    context.clip();
    context.fillText(tree.isAgain(row) ? `${text} again` : text, at, y + layer / 2);
    this.badge(context, BADGES[tree.arrays.reason?.[row] ?? 0], at + context.measureText(text).width, x + width - 6, y);
    context.restore();
  }

  /** Why a move was searched when it was, at the right end of its bar if there is room. @param {CanvasRenderingContext2D} context @param {string} word @param {number} left @param {number} right @param {number} y */
  badge(context, word, left, right, y) {
    const wide = word ? context.measureText(word).width + 10 : Infinity;
    if (right - wide < left + 8) return;
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(right - wide, y + 4.5, wide, this.layer - 10, 6);
    context.stroke();
    context.fillText(word, right - wide + 5, y + this.layer / 2);
  }

  /** The principal variation. @param {CanvasRenderingContext2D} context */
  line(context) {
    for (const row of this.tree.principal()) if (this.isShown(row)) this.outline(context, row, this.paint.accent, 2);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} row @param {string} colour @param {number} thick */
  outline(context, row, colour, thick) {
    const { x, width } = this.box(row);
    if (x > this.wide || x + width < 0) return;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.strokeRect(x + 1, this.tree.arrays.ply[row] * this.layer + 1, Math.max(1.5, width - 3), this.layer - 3);
  }

  /** Whether a row belongs to the shown root. @param {number} row */
  isShown(row) {
    return this.tree.path(row)[0] === this.tree.root;
  }

  /** The row under a point of the canvas. @param {number} x @param {number} y @returns {number | null} */
  at(x, y) {
    const { tree } = this;
    const ply = Math.floor(y / this.layer);
    let row = tree.root;
    for (let depth = 0; depth < ply; depth++) {
      let found = -1;
      for (let child = tree.first[row]; child >= 0 && found < 0; child = tree.next[child]) {
        const box = this.box(child);
        if (x >= box.x && x < box.x + box.width) found = child;
      }
      if (found < 0) return null;
      row = found;
    }
    const box = this.box(row);
    return x >= box.x && x < box.x + box.width ? row : null;
  }

  listen() {
    const { canvas } = this;
    const place = (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        this.pan((event.deltaX || event.deltaY) / this.wide);
      else this.zoom(Math.exp(-event.deltaY / 300), place(event).x);
    });
    canvas.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, place(event));
      this.moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => this.drag(event, place(event)));
    const up = (/** @type {PointerEvent} */ event) => {
      const { x, y } = place(event);
      if (this.pointers.size === 1 && !this.moved && event.type === "pointerup") this.choose(this.at(x, y));
      this.pointers.delete(event.pointerId);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("dblclick", (event) => {
      const { x, y } = place(event);
      const row = this.at(x, y);
      if (row !== null) this.zoomTo(row);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {PointerEvent} event @param {{x: number, y: number}} now */
  drag(event, now) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hover(this.at(now.x, now.y));
      return;
    }
    if (Math.abs(now.x - before.x) + Math.abs(now.y - before.y) > 3 || this.moved) this.moved = true;
    else return;
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      const [old, fresh] = [Math.abs(before.x - other.x), Math.abs(now.x - other.x)];
      if (old > 5 && fresh > 5) this.zoom(fresh / old, (now.x + other.x) / 2);
    } else this.pan((before.x - now.x) / this.wide);
    this.pointers.set(event.pointerId, now);
  }

  /** @param {number} part of the canvas's width */
  pan(part) {
    const width = this.to - this.from;
    this.from = Math.max(0, Math.min(1 - width, this.from + (part * width) / this.share));
    this.to = this.from + width;
    this.redraw();
  }

  /** @param {number} factor @param {number} x the place that stays where it is, in px */
  zoom(factor, x) {
    const width = Math.max(1 / MOST_ZOOM, Math.min(1, (this.to - this.from) / factor));
    const fixed = this.from + ((x / this.wide) * (this.to - this.from)) / this.share;
    this.from = Math.max(0, Math.min(1 - width, fixed - ((x / this.wide) * width) / this.share));
    this.to = this.from + width;
    this.redraw();
  }

  /** Make a row as wide as the canvas. @param {number} row */
  zoomTo(row) {
    const width = Math.min(1, this.tree.width[row] * this.share * 1.02);
    this.from = Math.max(0, Math.min(1 - width, this.tree.left[row] - 0.01 * width));
    this.to = this.from + width;
    this.redraw();
  }

  whole() {
    this.from = 0;
    this.to = 1;
    this.redraw();
  }

  /** @param {number | null} row */
  hover(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    this.options.hover(row);
    this.redraw();
  }

  /** @param {number | null} row */
  choose(row) {
    if (row === null) return;
    this.selected = row;
    this.options.select(row);
    this.redraw();
  }

  /** Select a row, and make sure that it can be seen. @param {number} row */
  show(row) {
    this.selected = row;
    const { x, width } = this.box(row);
    if (x + width < 8 || x > this.wide - 8 || width < 3) this.zoomTo(this.tree.arrays.parent[row] >= 0 ? this.tree.arrays.parent[row] : row);
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { tree, selected } = this;
    const above = tree.arrays.parent[selected];
    const siblings = above >= 0 ? tree.children(above).filter((row) => tree.weight(row) > 0) : [selected];
    const place = siblings.indexOf(selected);
    /** @type {Record<string, () => number | void>} */
    const keys = {
      ArrowDown: () => tree.ordered(selected)[0],
      ArrowUp: () => (above >= 0 ? above : selected),
      ArrowLeft: () => siblings[place - 1],
      ArrowRight: () => siblings[place + 1],
      Enter: () => this.zoomTo(selected),
      Escape: () => this.whole(),
      "+": () => this.zoom(1.5, this.box(selected).x + this.box(selected).width / 2),
      "-": () => this.zoom(1 / 1.5, this.wide / 2),
    };
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const row = action();
    if (typeof row === "number") {
      this.show(row);
      this.options.select(row);
    }
  }
}
