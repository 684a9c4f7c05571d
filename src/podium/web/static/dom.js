// A small virtual DOM for HTML and SVG: pages say what should be there, `render` changes what is different.
// Text is only ever written as text, so nothing that a bot says can become markup.

/**
 * @typedef {{tag: string, props: Record<string, any>, children: (VNode | string)[]}} VNode
 * @typedef {VNode | string | number | boolean | null | undefined} Leaf
 * @typedef {Leaf | Leaf[] | Leaf[][]} Child
 * @typedef {(tag: string, props?: Record<string, any> | null, ...children: any[]) => VNode} H
 */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const UNSEEN = new Set(["key", "keep", "ref", "lies"]);
const AS_PROPERTY = new Set(["value", "checked", "disabled", "open", "selected", "indeterminate"]);

/**
 * A node. `key` tells it from its siblings, `keep` leaves its children alone, `ref` is called with the element when it is
 * made; names with `on` are listeners, `style` is an object. On a board `spot` names a place, and `lies` says on which
 * spot a piece lies that is drawn elsewhere in the tree.
 * @type {H}
 */
export function h(tag, props = null, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/** @param {Child[]} children @returns {(VNode | string)[]} */
function flat(children) {
  const out = [];
  for (const child of children) {
    if (Array.isArray(child)) out.push(...flat(child));
    else if (typeof child === "object" && child !== null) out.push(child);
    else if (child !== null && child !== undefined && child !== false && child !== true) out.push(String(child));
  }
  return out;
}

/**
 * Make the children of an element those that are given.
 * @param {Element} parent @param {...Child} children
 */
export function render(parent, ...children) {
  patchChildren(parent, flat(children));
}

/** @param {Element} parent @param {(VNode | string)[]} wanted */
function patchChildren(parent, wanted) {
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of parent.children) {
    const key = /** @type {any} */ (child).podiumKey;
    if (key !== undefined) keyed.set(key, child);
  }
  /** @type {Node | null} */
  let place = parent.firstChild;
  for (const node of wanted) {
    if (typeof node === "string") {
      if (place instanceof Text) {
        if (place.data !== node) place.data = node;
        place = place.nextSibling;
      } else parent.insertBefore(document.createTextNode(node), place);
      continue;
    }
    const key = node.props.key;
    /** @type {any} */
    let element = key !== undefined ? keyed.get(key) : place;
    if (!fits(element, node)) element = create(parent, node);
    else keyed.delete(key);
    if (element === place) place = place?.nextSibling ?? null;
    else parent.insertBefore(element, place);
    update(element, node);
  }
  while (place) {
    const next = place.nextSibling;
    parent.removeChild(place);
    place = next;
  }
}

/** @param {any} element @param {VNode} node */
function fits(element, node) {
  return (
    element instanceof Element &&
    element.localName === node.tag &&
    /** @type {any} */ (element).podiumKey === node.props.key
  );
}

/** @param {Element} parent @param {VNode} node */
function create(parent, node) {
  const inside = parent.namespaceURI === SVG && parent.localName !== "foreignObject";
  const space = node.tag === "svg" || inside ? SVG : HTML;
  const element = document.createElementNS(space, node.tag);
  /** @type {any} */ (element).podiumKey = node.props.key;
  node.props.ref?.(element);
  return element;
}

/** @param {any} element @param {VNode} node */
function update(element, node) {
  const before = element.podiumProps ?? {};
  for (const name in before) if (!(name in node.props)) set(element, name, null, before[name]);
  for (const name in node.props)
    if (node.props[name] !== before[name] || AS_PROPERTY.has(name)) set(element, name, node.props[name], before[name]);
  element.podiumProps = node.props;
  if (!node.props.keep) patchChildren(element, node.children);
  // a choice exists only once its options do
  if (node.tag === "select" && "value" in node.props) element.value = node.props.value;
}

/** @param {any} element @param {string} name @param {any} value @param {any} old */
function set(element, name, value, old) {
  if (UNSEEN.has(name)) return;
  if (name.startsWith("on")) element[name] = value;
  else if (name === "style") {
    for (const property in old ?? {}) if (!value || !(property in value)) element.style.removeProperty(property);
    for (const property in value ?? {}) element.style.setProperty(property, value[property]);
  } else if (AS_PROPERTY.has(name) && element.localName !== "option") {
    if (element[name] !== value) element[name] = value ?? "";
  } else {
    const attribute = name === "spot" ? "data-spot" : name;
    if (value === null || value === undefined || value === false) element.removeAttribute(attribute);
    else element.setAttribute(attribute, value === true ? "" : String(value));
  }
}
