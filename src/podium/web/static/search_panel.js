// One search: its counts, the slider over its iterations or simulations, the icicle, and the best moves as nodes and links.

import { layersOf, layersTable } from "podium/beam_layers.js";
import { h, render } from "podium/dom.js";
import { clean, count, dot, opinion } from "podium/format.js";
import { Icicle } from "podium/icicle.js";
import { columnsIn, nodeLinks } from "podium/node_links.js";

/** @typedef {import("podium/trace_source.js").TraceSource} TraceSource */


export class SearchPanel {
  /** @param {TraceSource} source @param {(panel: SearchPanel, row: number) => void} look a node is looked at */
  constructor(source, look) {
    this.source = source;
    this.tree = source.tree;
    this.look = look;
    this.selected = this.tree.root;
    /** @type {number | undefined} */
    this.looked = undefined; // the row whose board is shown
    /** The weight that fills the width. */
    this.extent = () => this.weight();
    this.alone = true; // no other search beside it
    this.rescaled = () => {}; // called when its size has changed
    this.renamed = () => {}; // called when more moves have their texts
    /** @type {Set<number>} rows whose moves are nodes of their own */
    this.open = new Set();
    /** @type {Map<string, boolean>} by title: whether a part is not folded */
    this.unfolded = new Map();
    /** @type {string[]} of the bots, where a stored game tells them */
    this.names = [];
    this.layers = this.tree.isBeam ? layersOf(this.tree, this.tree.principal()) : null;
    source.changed = () => {
      this.refresh();
      this.renamed();
    };
  }

  /** @param {Element} parent */
  mount(parent) {
    this.parent = parent;
    this.refresh();
  }

  weight() {
    return this.tree.weight(this.tree.root);
  }

  /** Show the moves of as many nodes of the principal variation as fit beside each other. */
  openLine() {
    const columns = columnsIn(this.icicle?.wide ?? 0, this.tree);
    for (const row of this.tree.principal().slice(0, columns)) this.open.add(row);
  }

  refresh() {
    if (!this.parent) return;
    const { tree } = this;
    const { facts } = tree;
    const text = (/** @type {number} */ row) => this.source.text(row);
    render(
      this.parent,
      h("h2", null, clean(facts.bot ?? facts.search, 200), h("span", { class: "quiet" }, ` · ${facts.search}`)),
      h("p", { class: "facts counts" }, this.counts()),
      facts.cut ? h("p", { class: "warning" }, `Not all of it is here: ${facts.cut}.`) : null,
      tree.isBySeat ? this.seats() : null,
      tree.steps > 0 ? this.slider() : null,
      h("canvas", {
        key: "icicle",
        class: "icicle",
        tabindex: 0,
        keep: true,
        role: "application",
        "aria-label": "search tree; arrow keys go to parent, child and siblings, Enter enlarges, Escape shows all",
        ref: (/** @type {HTMLCanvasElement} */ canvas) =>
          requestAnimationFrame(() => {
            this.icicle = new Icicle(canvas, {
              tree,
              extent: () => this.extent(),
              text,
              hover: (row) => this.look(this, (this.looked = row ?? this.selected)),
              select: (row) => this.select(row),
            });
            this.openLine();
            this.refresh();
          }),
      }),
      this.layers ? this.part("layers: what was kept, and what died of what", layersTable(tree, this.layers, (row) => this.toggle(row))) : null,
      this.part("best moves", h("div", { class: "scroll" }, nodeLinks(tree, this.open, this.selected, text, (row) => this.toggle(row)))),
    );
    this.icicle?.redraw();
  }

  /** A part that can be folded; beside another search it is, to begin with. @param {string} title @param {import("podium/dom.js").VNode} content */
  part(title, content) {
    const ontoggle = (/** @type {any} */ event) => this.unfolded.set(title, event.target.open);
    return h("details", { key: title, class: "best", open: this.unfolded.get(title) ?? this.alone, ontoggle }, h("summary", null, title), content);
  }

  counts() {
    const { tree } = this;
    const { result, counted } = tree.facts;
    const line = this.source.about.line.slice(0, 8).join(", ");
    return [
      h("b", { class: "nodes" }, count(result.nodes)),
      ` ${counted}${tree.facts.weight > 1 ? ` of ${tree.facts.weight} playouts` : ""}, depth ${result.depth}, value `,
      h("b", null, opinion(result.value)),
      result.proof ? ` (proven ${result.proof})` : "",
      ` · ${count(tree.size)} rows · expects `,
      h("code", null, clean(line, 160)),
    ];
  }

  slider() {
    const { tree } = this;
    const label = tree.isTree
      ? `after ${count(tree.time)} of ${count(tree.simulations)} simulations`
      : `iteration ${tree.step + 1} of ${tree.roots.length}: depth ${tree.arrays.depth[tree.root]}, ${count(tree.arrays.nodes[tree.root])} nodes`;
    return h(
      "label",
      { class: "moment" },
      h("input", {
        type: "range",
        min: 0,
        max: tree.steps,
        step: 1,
        value: String(tree.step),
        "aria-label": tree.isTree ? "simulations" : "iteration",
        oninput: (/** @type {any} */ event) => this.goToStep(Number(event.target.value)),
      }),
      h("span", null, label),
    );
  }

  /** Which seat's tree is shown. */
  seats() {
    return h(
      "fieldset",
      { class: "switches" },
      h("legend", null, "Tree of"),
      this.tree.roots.map((root) =>
        h(
          "label",
          { key: String(root) },
          h("input", { type: "radio", name: `tree${this.source.about.id}`, checked: root === this.tree.root, onchange: () => this.goToRoot(root) }),
          " ",
          dot(root),
          clean(this.names[root] ?? `seat ${root}`, 40),
        ),
      ),
    );
  }

  /** @param {number} root */
  goToRoot(root) {
    this.tree.root = this.selected = root;
    this.goToStep(this.tree.step);
  }

  /** @param {number} step */
  goToStep(step) {
    this.tree.goToStep(step);
    this.openLine();
    if (!this.tree.isTree) this.selected = this.tree.root;
    this.looked = this.selected;
    if (this.icicle) {
      this.icicle.selected = this.selected;
      this.icicle.whole();
      this.icicle.resize();
    }
    this.refresh();
    this.rescaled();
    this.look(this, this.selected);
  }

  /** @param {number} row */
  select(row) {
    this.selected = this.looked = row;
    for (const above of this.tree.path(row)) this.open.add(above);
    this.refresh();
    this.look(this, row);
  }

  /** Select a row of the nodes and links, and open or close it. @param {number} row */
  toggle(row) {
    if (this.selected === row && this.open.has(row)) this.open.delete(row);
    else this.open.add(row);
    this.selected = this.looked = row;
    this.icicle?.show(row);
    this.refresh();
    this.look(this, row);
  }
}
