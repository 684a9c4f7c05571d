// Where a page gets a trace from: the server that made it, or the file that carries it.

import { bytes, get, isFile, post } from "podium/api.js";
import { SearchTree } from "podium/search_tree.js";
import { readTrace } from "podium/trace_file.js";

const MOST_TEXTS = 400; // in one request

/** Search a position. @param {any} wish what to search, with which bot and how many nodes @returns {Promise<TraceSource>} */
export async function search(wish) {
  return open(await post("/traces", wish));
}

/** The searches that a file carries. @returns {Promise<TraceSource[]>} */
export async function carried() {
  return Promise.all((await get("/traces")).map(open));
}

/** @param {any} about */
async function open(about) {
  const { arrays, facts } = await readTrace(await bytes(`/traces/${about.id}`));
  return new TraceSource(about, new SearchTree(arrays, facts));
}

export class TraceSource {
  /** @param {any} about @param {SearchTree} tree */
  constructor(about, tree) {
    this.about = about;
    this.tree = tree;
    /** @type {Map<number, string>} */
    this.texts = new Map(Object.entries(about.texts ?? {}).map(([row, text]) => [Number(row), String(text)]));
    /** @type {Map<number, Promise<any>>} */
    this.nodes = new Map();
    /** @type {Set<number>} */
    this.wanted = new Set();
    /** @type {() => void} */
    this.changed = () => {};
  }

  /** The move that leads to a row; undefined until the server has said it. @param {number} row @returns {string | undefined} */
  text(row) {
    const known = this.texts.get(row);
    if (known === undefined && !isFile()) this.want(row);
    return known;
  }

  /** @param {number} row */
  want(row) {
    if (!this.wanted.size) setTimeout(() => this.fetchTexts(), 30);
    this.wanted.add(row);
  }

  async fetchTexts() {
    const rows = [...this.wanted].slice(0, MOST_TEXTS);
    this.wanted.clear();
    try {
      const found = await get(`/traces/${this.about.id}/texts?rows=${rows.join(",")}`);
      for (const row of rows) this.texts.set(row, found[row] ?? "");
    } catch {
      for (const row of rows) this.texts.set(row, "");
    }
    this.changed();
  }

  /** The position of a row, or in a file that of the nearest row above that it carries. @param {number} row @returns {Promise<any>} */
  node(row) {
    let at = row;
    if (isFile()) while (!(at in this.about.nodes) && this.tree.arrays.parent[at] >= 0) at = this.tree.arrays.parent[at];
    if (!this.nodes.has(at)) {
      const found = isFile() ? Promise.resolve(this.about.nodes[at]) : get(`/traces/${this.about.id}/nodes/${at}`);
      this.nodes.set(at, found.then((node) => ({ ...node, row: at })));
    }
    return /** @type {Promise<any>} */ (this.nodes.get(at));
  }
}
