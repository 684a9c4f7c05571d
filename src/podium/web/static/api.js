// Where pages get their data: from the server, or from the page itself if it is a file that carries its data inside.

const API = "/api/v1";

/** @type {Record<string, any> | null} */
let inside = null;
/** @type {string | null} */
let insidePath = null;

/** Data that the page carries, and the address that it stands for. @param {{path: string, data: Record<string, any>}} carried */
export function carry(carried) {
  inside = carried.data;
  insidePath = carried.path;
}

/** Whether there is no server to ask. */
export function isFile() {
  return inside !== null;
}

/** The address of the page, which a file carries with it. */
export function address() {
  return new URL(insidePath ?? location.pathname, "http://podium").pathname;
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  if (inside) {
    if (path in inside) return inside[path];
    throw new Error("this file holds only what was exported");
  }
  return answerOf(await fetch(API + path));
}

/** Bytes rather than JSON; a file carries them as base64. @param {string} path @returns {Promise<ArrayBuffer>} */
export async function bytes(path) {
  if (inside) return Uint8Array.from(atob(await get(path)), (letter) => letter.charCodeAt(0)).buffer;
  const response = await fetch(API + path);
  return response.ok ? response.arrayBuffer() : answerOf(response);
}

/** @param {string} path @param {any} data @returns {Promise<any>} */
export async function post(path, data) {
  const headers = { "Content-Type": "application/json" };
  return answerOf(await fetch(API + path, { method: "POST", headers, body: JSON.stringify(data) }));
}

/** @param {Response} response */
async function answerOf(response) {
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json() : { error: await response.text() };
  if (!response.ok) throw new Error(body.error ?? `the server answered ${response.status}`);
  return body;
}

/**
 * News from the server, until the page is left; the browser connects again by itself and tells what it had last.
 * @param {string} path @param {Record<string, (data: any) => void>} listeners
 * @returns {() => void} stops it
 */
export function follow(path, listeners) {
  if (inside) return () => {};
  const source = new EventSource(API + path);
  for (const name in listeners)
    source.addEventListener(name, (event) => listeners[name](JSON.parse(/** @type {MessageEvent} */ (event).data)));
  return () => source.close();
}

/** The module with which a game draws itself. @param {string} script its address */
export async function sceneModule(script) {
  const name = script.slice("/scenes/".length);
  return import(inside ? `podium/scenes/${name}` : script);
}
