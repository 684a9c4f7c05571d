// What the icicle is painted with: the colours of the page, hatching, and the shapes of seats.

const SHADES = 40; // colours from low to high
const MIDDLE_LUMINANCE = 0.179; // as far from black as from white (WCAG 2.1)

/** The colour of a shade from -1 (low) to 1 (high). @param {any} paint @param {number | null} shade null: unknown */
export function shadeColour(paint, shade) {
  return shade === null ? paint.unknown : paint.shades[Math.round(((shade + 1) / 2) * (SHADES - 1))];
}

/** The colour of text on a shade: black or white, whichever stands out from it by 4.5 to 1. @param {any} paint @param {number | null} shade */
export function textColour(paint, shade) {
  const [red, green, blue] = numbers(shadeColour(paint, shade)).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE_LUMINANCE ? "#000000" : "#ffffff";
}

/** The shape that stands for a seat. @param {CanvasRenderingContext2D} context @param {number} seat @param {number} x @param {number} y @param {number} r */
export function shape(context, seat, x, y, r) {
  context.beginPath();
  if (seat % 4 === 0) context.arc(x, y, r, 0, 2 * Math.PI);
  else {
    const corners = /** @type {[number, number][][]} */ ([
      [],
      [[0, -1.15], [1.1, 0.95], [-1.1, 0.95]],
      [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
      [[0, -1.25], [1.1, 0], [0, 1.25], [-1.1, 0]],
    ])[seat % 4];
    corners.forEach(([dx, dy], i) => context[i ? "lineTo" : "moveTo"](x + r * dx, y + r * dy));
    context.closePath();
  }
  context.fill();
}

/** The colours of the page. @param {CanvasRenderingContext2D} context @param {(name: string) => string} colour */
export function paints(context, colour) {
  const [low, middle, high] = ["--value-low", "--value-middle", "--value-high"].map((name) => numbers(colour(name)));
  const shades = Array.from({ length: SHADES }, (_, i) => {
    const at = (2 * i) / (SHADES - 1) - 1;
    const [end, part] = at < 0 ? [low, -at] : [high, at];
    return `#${middle.map((m, c) => Math.round(m + (end[c] - m) * part).toString(16).padStart(2, "0")).join("")}`;
  });
  return {
    shades,
    ink: colour("--ink"),
    quiet: colour("--quiet"),
    paper: colour("--paper"),
    accent: colour("--accent"),
    unknown: colour("--ground"),
    hatch: hatching(context, colour("--quiet")),
  };
}

/** A colour such as #2f6bd0 as three numbers. @param {string} colour */
function numbers(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) || 0);
}

/** @param {CanvasRenderingContext2D} context @param {string} colour */
function hatching(context, colour) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const inner = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
  inner.strokeStyle = colour;
  inner.lineWidth = 1;
  for (const shift of [-6, 0, 6]) {
    inner.moveTo(shift, 6);
    inner.lineTo(shift + 6, 0);
  }
  inner.stroke();
  return /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
}
