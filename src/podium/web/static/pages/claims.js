// What the authors of the write-ups say, what measuring it has come to, and how to measure it again.

import { get } from "podium/api.js";
import { h, render } from "podium/dom.js";
import { count, untrusted } from "podium/format.js";

/** @param {Element} root */
export async function show(root) {
  document.title = "Claims · Podium";
  const data = await get("/claims");
  /** @type {Record<string, string>} what is listed: all, or those of a game or with a verdict alone */
  const wishes = {};
  const draw = () => render(root, ...view(data, wishes, draw));
  draw();
}

/** @param {any} data @param {Record<string, string>} wishes @param {() => void} changed */
function view({ claims, level, meanings }, wishes, changed) {
  const shown = claims.filter((/** @type {any} */ one) =>
    Object.entries(wishes).every(([name, value]) => one[name] === value),
  );
  const titles = [...new Set(shown.map((/** @type {any} */ one) => one.title))];
  return [
    h(
      "div",
      { class: "heading" },
      h("h1", null, "Claims from the write-ups"),
      tally("claim", claims.filter((/** @type {any} */ one) => !one.asked), wishes, changed),
      tally("question", claims.filter((/** @type {any} */ one) => one.asked), wishes, changed),
      h(
        "p",
        { class: "facts" },
        "What the authors of the champions claim about their bots, or did without saying that it helps, and what was measured here. ",
        `Intervals are at the level of ${(100 * level).toFixed(1)} %, so that at most one verdict in twenty is expected to be wrong. `,
        h("code", null, "podium claims --measure"),
        " measures what is missing.",
      ),
      h("details", null, h("summary", null, "what the verdicts mean"), h("dl", { class: "meanings" }, terms(meanings))),
    ),
    h(
      "div",
      { class: "filters" },
      choice("title", "game", claims, wishes, changed),
      choice("verdict", "verdict", claims, wishes, changed),
    ),
    shown.length ? null : h("p", { class: "quiet" }, "No claim fits."),
    titles.map((title) =>
      h(
        "section",
        { key: String(title) },
        h("h2", null, String(title)),
        shown.filter((/** @type {any} */ one) => one.title === title).map(claim),
      ),
    ),
  ];
}

/**
 * How many claims have which verdict; a click lists those alone, and another one all again.
 * @param {string} what @param {any[]} claims @param {Record<string, string>} wishes @param {() => void} changed
 */
function tally(what, claims, wishes, changed) {
  if (!claims.length) return null;
  const choose = (/** @type {string} */ verdict) => () => {
    if (wishes.verdict === verdict) delete wishes.verdict;
    else wishes.verdict = verdict;
    changed();
  };
  return h(
    "p",
    { class: "tally" },
    h("b", null, `${count(claims.length)} ${what}${claims.length === 1 ? "" : "s"}`),
    [...counts(claims, "verdict")].map(([verdict, number]) =>
      h(
        "button",
        { key: verdict, type: "button", class: `judgement ${verdict.replaceAll(" ", "-")}`, "aria-pressed": String(wishes.verdict === verdict), onclick: choose(verdict) },
        `${verdict} ${count(number)}`,
      ),
    ),
  );
}

/** How often each value occurs, the most frequent first. @param {any[]} claims @param {string} name @returns {Map<string, number>} */
function counts(claims, name) {
  const found = new Map();
  for (const one of claims) found.set(one[name], (found.get(one[name]) ?? 0) + 1);
  return new Map([...found].sort((a, b) => b[1] - a[1]));
}

/** @param {string} name @param {string} title @param {any[]} claims @param {Record<string, string>} wishes @param {() => void} changed */
function choice(name, title, claims, wishes, changed) {
  const onchange = (/** @type {any} */ event) => {
    if (event.target.value) wishes[name] = event.target.value;
    else delete wishes[name];
    changed();
  };
  return h(
    "label",
    { key: name },
    h("span", null, title),
    h(
      "select",
      { value: wishes[name] ?? "", onchange },
      h("option", { value: "" }, "all"),
      [...counts(claims, name)].map(([value, number]) => h("option", { value }, `${value} (${number})`)),
    ),
  );
}

/** @param {Record<string, string>} meanings */
function terms(meanings) {
  return Object.entries(meanings).flatMap(([verdict, meaning]) => [h("dt", null, verdict), h("dd", null, meaning)]);
}

/** @param {any} one */
function claim(one) {
  return h(
    "article",
    { key: one.claim, class: "claim" },
    h("p", { class: `judgement ${one.verdict.replaceAll(" ", "-")}` }, one.verdict),
    h("h3", null, untrusted(one.gist, 400)),
    h(
      "dl",
      null,
      h("dt", null, one.asked ? "the author" : "claimed"),
      h("dd", null, untrusted(one.claimed, 200)),
      h("dt", null, "measured"),
      one.measured.map((/** @type {string} */ text) => h("dd", null, untrusted(text, 400))),
    ),
    one.commands.some(Boolean)
      ? h("details", null, h("summary", null, "how it is measured"), h("pre", null, one.commands.join("\n")))
      : null,
  );
}
