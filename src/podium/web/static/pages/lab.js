// The lab: what was measured, with what it came to; each measurement is a run with its own curves.

import { get } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { entry } from "podium/pages/home.js";

/** @param {Element} root */
export async function show(root) {
  document.title = "Lab · Podium";
  const runs = await get("/lab");
  const kinds = [...new Set(runs.map((/** @type {any} */ run) => run.kind))];
  render(
    root,
    h("div", { class: "heading" }, h("h1", null, "Lab")),
    kinds.map((kind) =>
      h(
        "section",
        { key: String(kind) },
        h("h2", { class: "kind" }, String(kind)),
        h("div", { class: "runs" }, runs.filter((/** @type {any} */ run) => run.kind === kind).map(entry)),
      ),
    ),
    runs.length
      ? null
      : h(
          "p",
          { class: "quiet" },
          "Nothing was measured yet. Ablations, calibrations and tuning runs appear here; matches and leagues are under ",
          h("a", { href: "/" }, "Runs"),
          ".",
        ),
  );
}
