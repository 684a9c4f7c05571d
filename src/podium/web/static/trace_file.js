// The file of a trace: a .npz, which is a ZIP archive of NumPy arrays (docs/traces.md).

const TYPES = /** @type {Record<string, any>} */ ({
  "<f8": Float64Array,
  "<f4": Float32Array,
  "<i4": Int32Array,
  "<i2": Int16Array,
  "<u2": Uint16Array,
  "|u1": Uint8Array,
  "|i1": Int8Array,
});
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LARGE = 0xffffffff; // sizes beyond are in an extra field, which NumPy writes for every array

/** @typedef {Record<string, any>} Arrays typed arrays by name */

/** The arrays of a file, and its facts. @param {ArrayBuffer} buffer @returns {Promise<{arrays: Arrays, facts: any}>} */
export async function readTrace(buffer) {
  /** @type {Arrays} */
  const arrays = {};
  let facts = null;
  for (const { name, packed, deflated } of entries(buffer)) {
    const array = readArray(deflated ? await inflated(packed) : packed);
    if (!array) continue; // records of the game, which only Python reads
    if (name === "facts") facts = JSON.parse(new TextDecoder().decode(array));
    else arrays[name] = array;
  }
  if (!facts || !arrays.parent) throw new Error("this is not a trace of Podium");
  return { arrays, facts };
}

/** The members of a ZIP archive. @param {ArrayBuffer} buffer */
function entries(buffer) {
  const view = new DataView(buffer);
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error("this is not a trace of Podium");
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < view.getUint16(end + 10, true) && view.getUint32(at, true) === DIRECTORY_ENTRY; i++) {
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, nameLength));
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    if (size === LARGE || local === LARGE) throw new Error("this trace is too large for a page");
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    found.push({
      name: name.replace(/\.npy$/, ""),
      packed: new Uint8Array(buffer, start, size),
      deflated: view.getUint16(at + 10, true) === 8,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

/** @param {Uint8Array} packed */
async function inflated(packed) {
  const stream = new Blob([/** @type {any} */ (packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A flat array of numbers; null for anything else. @param {Uint8Array} bytes of a .npy */
function readArray(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [length, start] = bytes[6] === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  const head = new TextDecoder().decode(bytes.subarray(start, start + length));
  const type = TYPES[/'descr': '([^']+)'/.exec(head)?.[1] ?? ""];
  if (!type) return null;
  const data = bytes.subarray(start + length);
  const count = Math.floor(data.length / type.BYTES_PER_ELEMENT);
  if (data.byteOffset % type.BYTES_PER_ELEMENT === 0) return new type(data.buffer, data.byteOffset, count);
  return new type(data.slice(0, count * type.BYTES_PER_ELEMENT).buffer);
}
