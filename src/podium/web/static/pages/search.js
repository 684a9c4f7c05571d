// The page of a search: what a bot searched in a position, or two searches of it side by side.

import { get, isFile, sceneModule } from "podium/api.js";
import { Board } from "podium/board.js";
import { h, render } from "podium/dom.js";
import { clean, count, opinion, turnAddress } from "podium/format.js";
import { matrixView, seatTables } from "podium/matrix.js";
import { movesTable, nodeFacts } from "podium/search_node.js";
import { SearchPanel } from "podium/search_panel.js";
import { SEARCHED } from "podium/search_tree.js";
import { table } from "podium/table.js";
import { carried, search } from "podium/trace_source.js";

const NODES = 5000;
const MOST_NODES = 10_000_000;
const SECOND = "2"; // ends the names of what belongs to the second search

/** @param {Element} root */
export async function show(root) {
  document.title = "Search · Podium";
  const page = new SearchPage(root);
  if (isFile()) await page.showTraces(await carried());
  else await page.begin();
}

class SearchPage {
  /** @param {Element} root */
  constructor(root) {
    this.root = root;
    this.wish = Object.fromEntries(new URLSearchParams(location.search));
    /** @type {any[]} */
    this.rules = [];
    /** @type {SearchPanel[]} */
    this.panels = [];
    this.busy = false;
    this.problem = "";
    /** @type {any} the stored game whose turn is searched */
    this.game = null;
    /** @type {string[]} its bots by seat */
    this.names = [];
    /** @type {{panel: SearchPanel, row: number, node: any} | null} */
    this.looked = null;
    this.looks = 0;
  }

  async begin() {
    this.rules = (await get("/rules")).filter((/** @type {any} */ rules) => rules.has_bots);
    if (this.wish.game) {
      this.game = await get(`/games/${this.wish.game}`);
      this.wish.rules = this.game.rules.name;
      this.names = this.game.bots;
    } else this.wish.rules ??= this.rules[0]?.name;
    this.refresh();
    if (this.wish.game || this.wish.bot) await this.run();
  }

  /** The bots to search with: one, or two to compare. */
  wishes() {
    const { game, turn, seat, rules, position } = this.wish;
    const place = game
      ? { game: Number(game), turn: Number(turn ?? 1), ...(seat ? { seat: Number(seat) } : {}) }
      : { rules, position: position ?? "" };
    return ["", SECOND]
      .filter((end) => !end || this.wish[`bot${end}`] || this.wish[`nodes${end}`])
      .map((end) => ({
        ...place,
        bot: this.wish[`bot${end}`] || this.wish.bot || "",
        nodes: Number(this.wish[`nodes${end}`] || this.wish.nodes || NODES),
      }));
  }

  async run() {
    this.busy = true;
    this.problem = "";
    this.refresh();
    const words = Object.entries(this.wish).filter(([name, value]) => value && !(name === "rules" && this.wish.game));
    history.replaceState(null, "", `?${new URLSearchParams(words)}`);
    try {
      const found = [];
      for (const wish of this.wishes()) found.push(await search(wish));
      this.busy = false;
      await this.showTraces(found);
    } catch (error) {
      this.busy = false;
      this.problem = error instanceof Error ? error.message : String(error);
      this.refresh();
    }
  }

  /** @param {import("podium/trace_source.js").TraceSource[]} traces */
  async showTraces(traces) {
    const script = traces[0].about.rules.script;
    document.title = `Search · ${traces[0].about.rules.title} · Podium`;
    this.module = script ? await sceneModule(script) : null;
    this.board = null;
    this.panels = traces.map((trace) => new SearchPanel(trace, (panel, row) => this.look(panel, row)));
    for (const panel of this.panels) {
      panel.alone = this.panels.length === 1;
      panel.names = this.names.map((_, seat) => this.names[gameSeat(seat, panel.source.about)]);
      panel.extent = () => Math.max(...this.panels.map((other) => other.weight())); // one scale for both
      panel.renamed = () => this.refresh();
      panel.rescaled = () => this.panels.forEach((other) => other.icicle?.redraw());
    }
    this.looks++;
    this.refresh();
    this.look(this.panels[0], this.panels[0].selected);
  }

  /** Show the board and the facts of a node. @param {SearchPanel} panel @param {number} row */
  async look(panel, row) {
    const look = ++this.looks;
    await new Promise((resolve) => setTimeout(resolve, 40)); // the cursor may be on its way
    if (look !== this.looks) return;
    const node = await panel.source.node(row);
    if (look !== this.looks) return;
    this.looked = { panel, row, node };
    this.refresh();
  }

  refresh() {
    render(
      this.root,
      h("div", { class: "heading" }, h("h1", null, this.title()), isFile() ? null : this.form()),
      this.problem ? h("p", { class: "warning", role: "alert" }, clean(this.problem, 400)) : null,
      this.busy ? h("p", { class: "loading", role: "status" }, "Searching …") : null,
      this.panels.length && !this.busy ? this.content() : null,
      this.panels.length || this.busy || this.game ? null : introduction(),
    );
    if (this.board && this.looked) {
      const { panel, node } = this.looked;
      this.board.show(node);
      this.board.draw(node.beliefs ? [{ seat: panel.tree.facts.seat, drawings: node.beliefs }] : []);
    }
  }

  title() {
    const about = this.panels[0]?.source.about;
    if (!about && !this.game) return "Show a search";
    const turn = Number(this.wish.turn ?? 1);
    const place = this.game ? `${this.game.game}, turn ${turn}` : "";
    const where = (about?.facts.where ?? place).replace(
      /, seat (\d+)$/,
      (/** @type {string} */ seat, /** @type {number} */ number) => (this.names[number] ? ` as ${this.names[number]}` : seat),
    );
    const back = this.game ? h("a", { href: turnAddress({ game: this.game.id, turn: turn - 1 }) }, place) : null;
    return [(about ?? this.game).rules.title, h("span", { class: "quiet" }, " · ", back, clean(where.slice(place.length), 90))];
  }

  form() {
    const bots = this.rules.find((rules) => rules.name === this.wish.rules)?.bots ?? [];
    return h(
      "form",
      {
        class: "form searchform",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.run();
        },
      },
      this.wish.game ? null : this.placeFields(),
      h("datalist", { id: "bots" }, bots.map((/** @type {any} */ bot) => h("option", { value: bot.name }, bot.summary))),
      this.field("bot", "bot", "champion", { list: "bots" }),
      this.field("nodes", "nodes", String(NODES), { type: "number", min: 1, max: MOST_NODES }),
      this.field(`bot${SECOND}`, "compare with bot", "another bot", { list: "bots" }),
      this.field(`nodes${SECOND}`, "and nodes", "the same", { type: "number", min: 1, max: MOST_NODES }),
      h("button", { type: "submit", class: "primary", disabled: this.busy }, "Search"),
    );
  }

  placeFields() {
    const choose = (/** @type {any} */ event) => {
      this.wish.rules = event.target.value;
      this.refresh();
    };
    return [
      h(
        "label",
        { key: "rules" },
        h("span", null, "game"),
        h("select", { value: this.wish.rules, onchange: choose }, this.rules.map((rules) => h("option", { value: rules.name }, rules.title))),
      ),
      this.positionField(),
    ];
  }

  /** Moves in one line, or a prompt of many; Enter searches, with Shift it begins a line. */
  positionField() {
    const onkeydown = (/** @type {any} */ event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      event.target.form.requestSubmit();
    };
    const oninput = (/** @type {any} */ event) => (this.wish.position = event.target.value.trim());
    return h(
      "label",
      { key: "position" },
      h("span", null, "position"),
      h("textarea", { name: "position", rows: 1, value: this.wish.position ?? "", placeholder: "the start", title: "moves, a seed such as seed=3, or a prompt", oninput, onkeydown }),
    );
  }

  /** @param {string} name @param {string} title @param {string} hint @param {Record<string, any>} more */
  field(name, title, hint, more) {
    const change = (/** @type {any} */ event) => (this.wish[name] = event.target.value.trim());
    return h(
      "label",
      { key: name },
      h("span", null, title),
      h("input", { name, value: this.wish[name] ?? "", placeholder: hint, oninput: change, ...more }),
    );
  }

  content() {
    const two = this.panels.length > 1;
    return h(
      "div",
      { class: two ? "search two" : "search", style: seatColours(this.panels[0].source.about) },
      h(
        "div",
        { class: "panels-of-search" },
        this.panels.map((panel, index) =>
          h("section", {
            key: `panel${index}-${panel.source.about.id}`,
            class: "searchpanel",
            keep: true,
            "aria-label": `search ${index + 1}`,
            ref: (/** @type {Element} */ element) => panel.mount(element),
          }),
        ),
      ),
      h("aside", { class: "nodeview" }, two ? this.comparison() : null, this.boardView(), this.nodeView(), legend(this.panels[0])),
    );
  }

  boardView() {
    return h("div", {
      key: "board",
      class: "frame small",
      keep: true,
      ref: (/** @type {Element} */ element) => (this.board = new Board(element, this.module ?? null)),
    });
  }

  nodeView() {
    if (!this.looked) return null;
    const { panel, row, node } = this.looked;
    const { source } = panel;
    const below = source.tree.path(row).slice(source.tree.path(node.row).length); // what a file has no board of
    return h(
      "div",
      { class: "nodefacts" },
      h(
        "p",
        { class: "line", "aria-live": "polite" },
        this.panels.length > 1 ? h("span", { class: "quiet" }, panel === this.panels[0] ? "above: " : "below: ") : null,
        node.line.length || below.length
          ? node.line.map((/** @type {string} */ move, /** @type {number} */ i) => this.crumb(panel, node.row, i, move))
          : h("span", { class: "quiet" }, "the position that is searched"),
        below.map((at) => [" ", h("code", { class: "quiet" }, clean(source.text(at) ?? "…", 40))]),
        below.length ? h("span", { class: "quiet small" }, " (this file holds the board before what is grey)") : null,
      ),
      node.beliefs?.length ? h("p", { class: "hint small" }, beliefsText(node.beliefs)) : null,
      h(
        "dl",
        { class: "meanings" },
        nodeFacts(source, row).map(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
      ),
      node.turn ? this.turnView(panel, node) : null,
      node.turn && source.tree.isBySeat ? null : movesTable(source, row, (child) => panel.toggle(child)),
    );
  }

  /** The turn at a node in which several seats choose. @param {SearchPanel} panel @param {any} node */
  turnView(panel, node) {
    const { tree } = panel;
    /** The rows of a seat's move: one in its own tree, or those of all joint choices with it. */
    const rowsOf = (/** @type {number} */ place, /** @type {number} */ move) => {
      const above = tree.isBySeat ? node.turn.seats[place].seat : node.row;
      const column = tree.moves[tree.isBySeat ? 0 : place];
      return tree.children(above).filter((row) => column?.[row] === move);
    };
    const visits = (/** @type {number} */ place, /** @type {number} */ move) =>
      rowsOf(place, move).reduce((sum, row) => sum + tree.visits[row], 0);
    const link = (/** @type {number} */ place, /** @type {number} */ move, /** @type {any} */ text) => {
      const [row] = tree.isBySeat && node.turn.seats[place].seat === tree.root ? rowsOf(place, move) : [];
      return row === undefined ? text : h("button", { type: "button", class: "link", onclick: () => panel.toggle(row) }, text);
    };
    return h(
      "section",
      { class: "turnview", "aria-label": "the turn" },
      node.turn.matrix && !tree.isEarlier() ? matrixView(node.turn.matrix) : null,
      h("div", { class: "seattables" }, seatTables(node.turn, panel.names, tree, visits, link)),
    );
  }

  /** A move of the line to a node, which leads there. @param {SearchPanel} panel @param {number} row @param {number} index @param {string} move */
  crumb(panel, row, index, move) {
    const at = panel.tree.path(row)[index + 1];
    return [
      index ? " " : null,
      h("button", { type: "button", class: "link", onclick: () => panel.toggle(at) }, h("code", null, clean(move, 40))),
    ];
  }

  /** Where two searches part, and what each depth cost. */
  comparison() {
    const [one, other] = this.panels.map((panel) => panel.source);
    const lines = [one.about.line, other.about.line];
    let same = 0;
    while (same < Math.min(lines[0].length, lines[1].length) && lines[0][same] === lines[1][same]) same++;
    const move = (/** @type {string[]} */ line) => h("code", null, clean(line[same], 40));
    const ends = lines.map((line) => line.length === same);
    const apart =
      ends[0] && ends[1]
        ? "Both expect the same line."
        : ends[0] || ends[1]
          ? `Both expect the same line; the one ${ends[0] ? "below" : "above"} is longer.`
          : [same ? `The expected lines part at move ${same + 1}: ` : "They choose different moves: ", move(lines[0]), " and ", move(lines[1]), "."];
    return h("div", { class: "comparison" }, h("p", null, apart), costs(one.tree, other.tree));
  }
}

/** What is drawn on the board of the root. @param {import("podium/board.js").Drawing[]} beliefs */
function beliefsText(beliefs) {
  return beliefs.some((drawing) => drawing.form === "mark")
    ? "Shaded: where the bot believes a hidden piece may be, in percent. The pieces stand where they were searched."
    : "Numbered: what the bot expects the others to do.";
}

/** The nodes of each finished iteration of two searches. @param {import("podium/search_tree.js").SearchTree} one @param {import("podium/search_tree.js").SearchTree} other */
function costs(one, other) {
  if (!one.arrays.depth || !other.arrays.depth) return null;
  const nodes = [one, other].map((tree) => {
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const row of tree.roots) {
      const depth = tree.arrays.depth[row];
      if (tree.arrays.source[row] === SEARCHED) found.set(depth, (found.get(depth) ?? 0) + tree.arrays.nodes[row]);
    }
    return found;
  });
  const depths = [...new Set([...nodes[0].keys(), ...nodes[1].keys()])].sort((a, b) => a - b);
  return table(
    ["depth", "nodes above", "nodes below", "ratio"],
    depths.map((depth) => {
      const [a, b] = [nodes[0].get(depth), nodes[1].get(depth)];
      return [depth, count(a), count(b), a && b ? opinion(b / a) : ""];
    }),
  );
}

function introduction() {
  return h(
    "p",
    { class: "quiet introduction" },
    "A bot searches a position, and all that it did is shown: the tree, the board of each node, and why the bot went there and not elsewhere. ",
    "A position is the start, a seed (",
    h("code", null, "seed=3"),
    "), the moves that lead to it, or the lines that a bot was sent. A second bot, or another number of nodes, stands below the first. ",
    "Any turn of a stored game leads here, too: ",
    h("a", { href: "/" }, "open a game"),
    " and choose ",
    h("em", null, "show the search"),
    ".",
  );
}

const SHAPES = ["●", "▲", "■", "◆"];

/** The seat of the stored game that is a seat of its search: prompts call their reader seat 0. @param {number} seat @param {any} about the search */
function gameSeat(seat, { facts, rules }) {
  return (seat + (facts.stored_seat ?? facts.seat) - facts.seat + rules.seats) % rules.seats;
}

/** The colours that bots have on the page of their game. @param {any} about the search */
function seatColours(about) {
  return Object.fromEntries(SHAPES.slice(0, about.rules.seats).map((_, seat) => [`--seat-${seat}`, `var(--player-${gameSeat(seat, about)})`]));
}

/** What colours and shapes mean. @param {SearchPanel} panel */
function legend({ tree, names, source }) {
  const seats = names.length
    ? names.map((name, seat) => `${SHAPES[seat % 4]} ${clean(name, 30)}`).join(", ")
    : SHAPES.slice(0, source.about.rules.seats).map((shape, seat) => `${shape} seat ${seat}`).join(", ");
  const sample = (/** @type {string} */ name) => h("i", { class: `value ${name}` });
  return h(
    "p",
    { class: "legend searchlegend" },
    h("span", null, sample("low"), tree.isBeam ? "worse than the chosen line at that depth" : "worse than the root's value"),
    h("span", null, sample("high"), "better, for the searching seat"),
    tree.arrays.moves ? h("span", null, h("i", { class: "value hatched" }), "not searched, or not to the end") : null,
    tree.isBeam ? h("span", null, sample("pale"), "dropped") : null,
    h("span", null, sample("framed"), "expected line"),
    tree.arrays.mover && !tree.isBeam ? h("span", null, tree.moves.length > 1 ? "all choose at the same time" : `${seats} to move`) : null,
    h("span", { class: "keys" }, "Drag, wheel or pinch; double click to enlarge. Keys: arrows, Enter, Escape."),
  );
}
