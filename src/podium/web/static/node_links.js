// A search tree as nodes and links: the root's best few moves, and those of any node that is opened.

import { h } from "podium/dom.js";
import { count, opinion } from "podium/format.js";
import { BADGES, NO_MOVER } from "podium/search_tree.js";

/** @typedef {import("podium/search_tree.js").SearchTree} SearchTree */

const BEST = 5; // children shown of a node
const COLUMN = 190; // px
const JOINT_COLUMN = 280; // where a move is a joint choice
const NARROW_COLUMN = 234; // the same on a phone
const NARROW = 600; // px of a page
const LEFT = 14; // where the root is
const ROOT = 110; // px of its column
const LINE = 30; // px of a node with its two lines of words
const ONE_MORE = 14; // px of another line
const RADIUS = 8;
const LETTER = 7.2; // px, about

/** The width of a column in px. @param {SearchTree} tree */
function columnOf(tree) {
  if (tree.moves.length < 2) return COLUMN;
  return innerWidth > NARROW ? JOINT_COLUMN : NARROW_COLUMN;
}

/** The height of a node in px: the choices of many seats take two lines. @param {SearchTree} tree */
function heightOf(tree) {
  return LINE + (tree.moves.length > 2 ? ONE_MORE : 0);
}

/** How many columns of moves fit into a width, at least one. @param {number} width @param {SearchTree} tree */
export function columnsIn(width, tree) {
  return Math.max(1, Math.min(3, Math.floor((width - LEFT - ROOT) / columnOf(tree))));
}

/**
 * @param {SearchTree} tree @param {Set<number>} open rows whose children are shown @param {number} selected
 * @param {(row: number) => string | undefined} text @param {(row: number) => void} click
 */
export function nodeLinks(tree, open, selected, text, click) {
  const principal = new Set(tree.principal());
  /** @type {{row: number, x: number, y: number, from: any}[]} */
  const nodes = [];
  let lines = 0;
  let columns = 1;
  const left = (/** @type {number} */ column) => LEFT + (column && ROOT + (column - 1) * columnOf(tree));
  const place = (/** @type {number} */ row, /** @type {number} */ column, /** @type {any} */ from) => {
    const node = { row, x: left(column), y: 0, from };
    nodes.push(node);
    columns = Math.max(columns, column + 1);
    const children = open.has(row) ? best(tree, row, principal) : [];
    if (!children.length) node.y = heightOf(tree) * (lines++ + 0.6);
    else {
      const placed = children.map((child) => place(child, column + 1, node));
      node.y = (placed[0].y + placed[placed.length - 1].y) / 2;
    }
    return node;
  };
  place(tree.root, 0, null);
  const [width, height] = [left(columns), heightOf(tree) * (lines + 0.2)];
  return h(
    "svg",
    { class: "links", viewBox: `0 0 ${width} ${height}`, width, height, role: "tree", "aria-label": "best moves" },
    nodes.filter((node) => node.from).map((node) => link(node, principal, labelWidth(tree, node.from.row, text))),
    nodes.map((node) => disc(tree, node, node.row === selected, open, text, click)),
  );
}

/** The children of a row to show: that of the principal variation, and the best of the others. @param {SearchTree} tree @param {number} row @param {Set<number>} principal */
export function best(tree, row, principal) {
  const ordered = tree.ordered(row);
  const main = ordered.filter((child) => principal.has(child));
  return [...main, ...ordered.filter((child) => tree.weight(child) > 0 && !principal.has(child))].slice(0, BEST);
}

/** A text in one line, or a joint choice that is too long in two. @param {string} text @param {number} longest letters of a line */
function broken(text, longest) {
  const moves = text.split(" / ");
  const half = text.length > longest ? Math.ceil(moves.length / 2) : moves.length;
  const lines = half < moves.length ? [`${moves.slice(0, half).join(" / ")} /`, moves.slice(half).join(" / ")] : [text];
  return lines.map((line) => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line));
}

/** What is beside a node: its move; its value, its size and why it came when it did. @param {SearchTree} tree @param {number} row @param {(row: number) => string | undefined} text */
function words(tree, row, text) {
  const name = row === tree.root ? "root" : (text(row) ?? "…");
  const value = row !== tree.root && Number.isFinite(tree.values[row]) ? opinion(tree.values[row]) : "";
  const below = [value, count(tree.weight(row)), BADGES[tree.arrays.reason?.[row] ?? 0]].filter(Boolean).join(" · ");
  const longest = Math.floor((columnOf(tree) - 60) / LETTER);
  return { name, lines: broken(name, longest), value, below };
}

/** About how wide the label of a node is, in px. @param {SearchTree} tree @param {number} row @param {(row: number) => string | undefined} text */
function labelWidth(tree, row, text) {
  const { lines, below } = words(tree, row, text);
  return 20 + Math.max(...lines.map((line) => LETTER * line.length), 6.2 * below.length);
}

/** @param {any} node @param {Set<number>} principal @param {number} skip where the link begins: behind the label */
function link({ row, x, y, from }, principal, skip) {
  const start = Math.min(from.x + skip, x - 30);
  const middle = (start + x - RADIUS) / 2;
  return h("path", {
    key: `link${row}`,
    class: principal.has(row) ? "link principal" : "link",
    d: `M${start},${from.y} C${middle},${from.y} ${middle},${y} ${x - RADIUS},${y}`,
    "stroke-width": principal.has(row) ? 2.5 : 1.2,
  });
}

/**
 * @param {SearchTree} tree @param {any} node @param {boolean} selected @param {Set<number>} open
 * @param {(row: number) => string | undefined} text @param {(row: number) => void} click
 */
function disc(tree, { row, x, y }, selected, open, text, click) {
  const shade = tree.shade(row);
  const colour = shade === null ? "var(--ground)" : `color-mix(in srgb, var(--value-${shade < 0 ? "low" : "high"}) ${Math.round(100 * Math.abs(shade))}%, var(--value-middle))`;
  const { name, lines, value, below } = words(tree, row, text);
  const top = y - 2 - (ONE_MORE / 2) * (lines.length - 1);
  const label = `${name}${value ? `, value ${value}` : ""}, ${count(tree.weight(row))} ${tree.isTree ? "visits" : "nodes"}`;
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      click(row);
    }
  };
  return h(
    "g",
    {
      key: `node${row}`,
      class: selected ? "node selected" : "node",
      tabindex: 0,
      role: "treeitem",
      "aria-label": label,
      "aria-expanded": tree.first[row] >= 0 ? String(open.has(row)) : null,
      onclick: () => click(row),
      onkeydown: press,
    },
    h("title", null, label),
    h("rect", { x: x - RADIUS, y: y - heightOf(tree) / 2 + 2, width: columnOf(tree) - 24, height: heightOf(tree) - 4, fill: "transparent" }),
    h("path", { class: "shape", d: outline(tree.moverOf(row), x, y), fill: colour }),
    lines.map((line, at) => h("text", { x: x + 13, y: top + at * ONE_MORE }, line)),
    h("text", { x: x + 13, y: top + lines.length * ONE_MORE - 1, class: "small" }, below),
  );
}

/** The outline of the shape that stands for a seat. @param {number} seat @param {number} x @param {number} y */
function outline(seat, x, y) {
  const r = RADIUS;
  if (seat === NO_MOVER) return `M${x - 4},${y} a4,4 0 1,0 8,0 a4,4 0 1,0 -8,0`;
  const forms = [
    `M${x - r},${y} a${r},${r} 0 1,0 ${2 * r},0 a${r},${r} 0 1,0 ${-2 * r},0`,
    `M${x},${y - r - 1} L${x + r},${y + r - 2} L${x - r},${y + r - 2} Z`,
    `M${x - r + 1},${y - r + 1} h${2 * r - 2} v${2 * r - 2} h${2 - 2 * r} Z`,
    `M${x},${y - r - 1} L${x + r},${y} L${x},${y + r + 1} L${x - r},${y} Z`,
  ];
  return forms[seat % 4];
}
