// Which page an address is, and what all pages share: the head, errors, the way back.

import { address, carry, isFile } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { clean } from "podium/format.js";

/** @typedef {{show: (root: Element, parameters: string[]) => (() => void) | void | Promise<(() => void) | void>}} Page */

/** @type {[RegExp, () => Promise<Page>, string][]} */
const PAGES = [
  [/^\/$/, () => import("podium/pages/home.js"), "/"],
  [/^\/new$/, () => import("podium/pages/new_run.js"), "/"],
  [/^\/compare$/, () => import("podium/pages/compare.js"), "/"],
  [/^\/runs\/r?(\d+)$/, () => import("podium/pages/run.js"), "/"],
  [/^\/leagues\/([^/]+)$/, () => import("podium/pages/league.js"), "/"],
  [/^\/games\/g?(\d+)$/, () => import("podium/pages/game.js"), "/"],
  [/^\/play$/, () => import("podium/pages/play.js"), "/play"],
  [/^\/play\/([\w-]+)$/, () => import("podium/pages/live_game.js"), "/play"],
  [/^\/search$/, () => import("podium/pages/search.js"), "/search"],
  [/^\/lab$/, () => import("podium/pages/lab.js"), "/lab"],
  [/^\/claims$/, () => import("podium/pages/claims.js"), "/lab"],
];

/** @param {string} here */
function head(here) {
  const link = (/** @type {string} */ to, /** @type {string} */ name) =>
    h("a", { href: to, "aria-current": to === here ? "page" : null }, name);
  if (isFile()) return h("header", { class: "top" }, h("span", { class: "brand" }, "Podium"));
  return h(
    "header",
    { class: "top" },
    h("a", { href: "/", class: "brand" }, "Podium"),
    h("nav", null, link("/", "Runs"), link("/play", "Play"), link("/search", "Search"), link("/lab", "Lab")),
  );
}

async function begin() {
  const carried = document.getElementById("carried");
  if (carried) carry(JSON.parse(carried.textContent ?? ""));
  const path = address();
  const found = PAGES.map(([form, load, home]) => ({ match: form.exec(path), load, home })).find(
    (entry) => entry.match,
  );
  render(document.body, head(found?.home ?? ""), h("main", { keep: true }));
  const root = /** @type {Element} */ (document.querySelector("main"));
  if (!found?.match) {
    showError(root, `there is no page ${path}`);
    return;
  }
  render(root, h("p", { class: "loading", role: "status" }, "One moment …"));
  try {
    const page = await found.load();
    await page.show(root, found.match.slice(1).map(decodeURIComponent));
  } catch (error) {
    showError(root, error instanceof Error ? error.message : String(error));
  }
}

/** @param {Element} root @param {string} message */
function showError(root, message) {
  render(
    root,
    h(
      "section",
      { class: "error" },
      h("h1", null, "Not here"),
      h("p", null, clean(message)),
      h("p", null, h("a", { href: "/" }, "All runs")),
    ),
  );
}

begin();
