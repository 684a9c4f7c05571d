import { h, render } from "podium/dom.js";
/** @param {Element} root */
export function show(root) { render(root, h("p", null, "soon")); }
