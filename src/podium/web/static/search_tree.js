// A trace as a tree: children, sizes, the principal variation, and the tree as it was earlier.
// No rule of a game is here: rows are numbers, and only the server knows what a move is called.

/** @typedef {import("podium/trace_file.js").Arrays} Arrays */

export const REASONS = ["", "hash move", "killer", "history", "order of generation", "best of the last iteration", "cost in the last iteration"];
export const SHORT_REASONS = ["", "hash move", "killer", "history", "generation", "last best", "last cost"];
/** The same in a word; a move that has no merit but its place has none. */
export const BADGES = ["", "hash", "killer", "history", "", "best", ""];
export const SOURCES = [
  "not finished",
  "searched",
  "evaluated at the horizon",
  "end of the game",
  "found in the transposition table",
  "kept in the beam",
  "dropped: too low for the beam",
  "dropped: the same position has a better sequence",
  "kept by an earlier beam",
];
export const [UNFINISHED, SEARCHED, EVALUATED, ENDED, TABLE_HIT, KEPT, TOO_LOW, WORSE_TWIN] = [0, 1, 2, 3, 4, 5, 6, 7];
const [LOWER, UPPER] = [2, 3];
const AGAIN = 4;
export const NO_MOVER = 255;
const STEPS = 400; // of a slider over simulations

export class SearchTree {
  /** @param {Arrays} arrays @param {any} facts */
  constructor(arrays, facts) {
    this.arrays = arrays;
    this.facts = facts;
    this.size = arrays.parent.length;
    this.isTree = Boolean(arrays.visits);
    this.isBeam = Boolean(arrays.twin) && !this.isTree;
    this.isBySeat = Boolean(arrays.seat); // a tree for each seat
    this.moves = ["move", ...Array.from({ length: 15 }, (_, i) => `move${i + 2}`)].map((name) => arrays[name]).filter(Boolean);
    /** @type {number[]} rows without a parent: one for each iteration, or for each seat */
    this.roots = [];
    this.first = new Int32Array(this.size).fill(-1); // child of each row
    this.next = new Int32Array(this.size).fill(-1); // sibling
    this.left = new Float64Array(this.size);
    this.width = new Float64Array(this.size);
    this.link();
    this.root = facts.root;
    this.visits = arrays.visits;
    this.values = arrays.value;
    this.simulations = this.isTree ? facts.logged : 0;
    this.ends = this.isTree ? this.simulationEnds() : null;
    /** @type {number[] | undefined} the values of the principal variation */
    this.chosen = undefined;
    this.layOut();
    this.scale = { middle: this.rootValue(), spread: 1 };
    this.scale.spread = this.usualDifference();
  }

  /** Chain the children of each row, in their order. */
  link() {
    const { parent } = this.arrays;
    for (let row = this.size - 1; row >= 0; row--) {
      const above = parent[row];
      if (above < 0) {
        this.roots.unshift(row);
        continue;
      }
      this.next[row] = this.first[above];
      this.first[above] = row;
    }
  }

  /** @param {number} row @returns {number[]} */
  children(row) {
    const found = [];
    for (let child = this.first[row]; child >= 0; child = this.next[child]) found.push(child);
    return found;
  }

  /** The size of a subtree: visits, or nodes. @param {number} row */
  weight(row) {
    return this.isTree ? this.visits[row] : Math.max(1, this.arrays.nodes[row]);
  }

  /** Where each row lies: its left end and its width, as shares of its root's. */
  layOut() {
    const { parent } = this.arrays;
    const sums = new Float64Array(this.size);
    for (let row = 0; row < this.size; row++) if (parent[row] >= 0) sums[parent[row]] += this.weight(row);
    this.left.fill(0);
    const used = new Float64Array(this.size);
    for (let row = 0; row < this.size; row++) {
      const above = parent[row];
      if (above < 0) {
        this.width[row] = 1;
        continue;
      }
      // a shared position is visited from several sides: its children may weigh more than the edge that leads to it
      const whole = Math.max(this.weight(above), sums[above]) || 1;
      this.width[row] = (this.width[above] * this.weight(row)) / whole;
      this.left[row] = this.left[above] + used[above];
      used[above] += this.width[row];
    }
  }

  /** How much values usually differ from what they are compared with: the scale of the colours. */
  usualDifference() {
    const sample = [];
    const step = Math.max(1, Math.floor(this.size / 4000));
    for (let row = 0; row < this.size; row += step) {
      const value = this.arrays.value[row];
      if (Number.isFinite(value) && this.weight(row) > 0 && this.arrays.parent[row] >= 0)
        sample.push(Math.abs(value - this.middle(row)));
    }
    sample.sort((a, b) => a - b);
    return sample[Math.floor(0.8 * sample.length)] || 1;
  }

  /** What a value is compared with: the root's; in a beam, whose values grow, the chosen line's at the same depth. @param {number} row */
  middle(row) {
    if (this.isBySeat) return this.arrays.value[this.arrays.seat[row]];
    if (!this.isBeam) return this.scale.middle;
    this.chosen ??= this.principal().map((at) => this.arrays.value[at]);
    return this.chosen[Math.min(this.arrays.ply[row], this.chosen.length - 1)];
  }

  rootValue() {
    const { value } = this.facts.result;
    return Number.isFinite(value) ? value : 0;
  }

  /** From -1 (low) to 1 (high); null if unknown. @param {number} row */
  shade(row) {
    const value = this.values[row];
    if (!Number.isFinite(value) || (this.isTree && !this.visits[row])) return null;
    return Math.tanh((value - this.middle(row)) / (1.2 * this.scale.spread));
  }

  /** @param {number} row @returns {number[]} the rows from the root to it */
  path(row) {
    const found = [];
    for (let at = row; at >= 0; at = this.arrays.parent[at]) found.unshift(at);
    return found;
  }

  /** The rows of the principal variation: the result's line, or the most visited moves of an earlier tree. */
  principal() {
    const rows = [this.root];
    let row = this.root;
    let line = this.isEarlier() || this.isBySeat ? [] : this.facts.result.line;
    while (line.length) {
      const child = this.children(row).filter((c) => this.movesOf(c).every((move, i) => move === line[i])).at(-1);
      if (child === undefined) break;
      rows.push((row = child));
      line = line.slice(this.movesOf(child).length);
    }
    while (this.isTree && rows.length < 30) {
      const best = this.ordered(row)[0];
      if (best === undefined || !this.visits[best]) break;
      rows.push((row = best));
    }
    return rows;
  }

  /** 1: a win for the searching seat is proven, -1: a loss; 0: neither. @param {number} row */
  proven(row) {
    const proof = this.arrays.proof?.[row] ?? 0;
    return Math.abs(proof) === 1 ? proof : 0; // 2 is a draw
  }

  /** The moves that a row stands for: one, or those of a joint choice. @param {number} row @returns {number[]} */
  movesOf(row) {
    return this.moves.map((column) => column[row]).filter((move, place) => !place || move >= 0);
  }

  /** The seat to move; where several choose at the same time, none. @param {number} row */
  moverOf(row) {
    return this.moves.length > 1 ? NO_MOVER : (this.arrays.mover?.[row] ?? NO_MOVER);
  }

  isEarlier() {
    return this.isTree ? this.time < this.simulations : this.root !== this.facts.root;
  }

  /** The children of a row, the best for its mover first; of several searches of a move the last. @param {number} row */
  ordered(row) {
    const { mover } = this.arrays;
    const children = [...new Map(this.children(row).map((child) => [this.movesOf(child).join(), child])).values()];
    const sign = this.isBeam || !mover || this.moves.length > 1 || mover[row] === this.facts.seat ? 1 : -1;
    if (this.isTree) {
      const proof = (/** @type {number} */ child) => (this.isEarlier() ? 0 : sign * this.proven(child));
      return children.sort((a, b) => proof(b) - proof(a) || this.visits[b] - this.visits[a]);
    }
    const score = (/** @type {number} */ child) => {
      if (this.arrays.share) return this.arrays.share[child];
      const value = this.values[child];
      return Number.isFinite(value) ? sign * value - (this.isBoundAgainst(child, sign) ? 1e-9 : 0) : -Infinity;
    };
    return children.sort((a, b) => score(b) - score(a));
  }

  /** Whether a value is only a bound that is no better than what it was compared with. @param {number} row @param {number} sign */
  isBoundAgainst(row, sign) {
    return this.arrays.bound?.[row] === (sign > 0 ? UPPER : LOWER);
  }

  /** Whether the last move searched of a node made the others unnecessary. @param {number} row */
  isCut(row) {
    const { bound, mover, source, moves, parent } = this.arrays;
    if (!bound || source[row] !== SEARCHED || parent[row] < 0) return false;
    if (this.arrays.share) return bound[row] === 0 && this.searchedMoves(row) < moves[row];
    const mine = mover[row] === this.facts.seat;
    return bound[row] === (mine ? LOWER : UPPER) && (!moves[row] || this.searchedMoves(row) < moves[row]);
  }

  /** @param {number} row */
  searchedMoves(row) {
    let count = 0;
    for (let child = this.first[row]; child >= 0; child = this.next[child])
      if (!this.isAgain(child)) count++;
    return count;
  }

  /** @param {number} row */
  lastChild(row) {
    let last = -1;
    for (let child = this.first[row]; child >= 0; child = this.next[child]) last = child;
    return last;
  }

  /** @param {number} row */
  isAgain(row) {
    return (this.arrays.attempt?.[row] ?? 0) >= AGAIN;
  }

  /** Where each simulation ends in the log. */
  simulationEnds() {
    const { log_row, parent } = this.arrays;
    const ends = new Int32Array(this.simulations + 1);
    const last = this.roots.length - 1; // of trees by seat: the root that ends a simulation
    let done = 0;
    for (let entry = 0; entry < log_row.length; entry++) {
      const row = log_row[entry];
      if (row >= 0 && (this.isBySeat ? row === last : parent[row] === 0)) ends[++done] = entry + 1;
    }
    return ends;
  }

  get time() {
    return this.moment ?? this.simulations;
  }

  /** The tree after a number of simulations. @param {number} simulations */
  goTo(simulations) {
    this.moment = Math.max(0, Math.min(simulations, this.simulations));
    if (this.moment === this.simulations) {
      this.visits = this.arrays.visits;
      this.values = this.arrays.value;
    } else {
      const { log_row, log_value, visits } = this.arrays;
      const end = this.ends?.[this.moment] ?? 0;
      const weight = this.facts.weight;
      this.visits = new Int32Array(this.size);
      const sums = new Float64Array(this.size);
      for (let entry = 0; entry < end; entry++) {
        const row = log_row[entry];
        const value = log_value[entry];
        if (row < 0 || Number.isNaN(value)) continue;
        this.visits[row] += weight;
        sums[row] += value;
      }
      this.visits[0] = Math.min(visits[0], weight * this.moment);
      this.values = sums.map((sum, row) => (this.visits[row] ? sum / this.visits[row] : NaN));
      // the log ends at the root's edges; the root has the value of the move that would be chosen
      if (!this.isBySeat) this.values[0] = this.visits[0] ? this.values[this.ordered(0)[0]] : NaN;
    }
    this.layOut();
  }

  /** Steps of the slider over time. */
  get steps() {
    return this.isTree ? Math.min(STEPS, this.simulations) : this.roots.length - 1;
  }

  /** Go to a step of the slider. @param {number} step */
  goToStep(step) {
    if (this.isTree) this.goTo(Math.round((this.simulations * step) / Math.max(1, this.steps)));
    else this.root = this.roots[step];
  }

  get step() {
    return this.isTree ? Math.round((this.time * this.steps) / Math.max(1, this.simulations)) : this.roots.indexOf(this.root);
  }

  /** The deepest ply of the shown tree. */
  get depth() {
    let deepest = 0;
    const last = this.isBySeat ? this.size : (this.roots[this.roots.indexOf(this.root) + 1] ?? this.size);
    for (let row = this.root; row < last; row++) deepest = Math.max(deepest, this.arrays.ply[row]);
    return deepest;
  }
}
