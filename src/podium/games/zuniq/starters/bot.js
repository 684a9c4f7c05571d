// A bot for Zuniq that draws any legal wall.

// A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
// A square's number is 11 * row + column.
/*::type Square = number[];*/
const SIZE = 11;
const STEPS = [[0, 1], [1, 0], [0, -1], [-1, 0]];

const drawn = new Set/*::<number>*/();
const sizes = new Set/*::<number>*/(); // of all zones

function square(name/*: string*/) {
  const row = name.charCodeAt(0) - 65;
  const column = name.charCodeAt(1) - 49;
  return name[2] === 'h' ? [2 * row, 2 * column + 1] : [2 * row + 1, 2 * column];
}

const number = ([row, column]/*: Square*/) => SIZE * row + column;
const isOutside = ([row, column]/*: Square*/) => row < 0 || row >= SIZE || column < 0 || column >= SIZE;

// The cells on both sides of a wall.
function sides([row, column]/*: Square*/) {
  return row % 2 === 0 ? [[row - 1, column], [row + 1, column]] : [[row, column - 1], [row, column + 1]];
}

// How many cells are closed off together with a cell; 0 if the outside can be reached.
function zoneSize(cell/*: Square*/) {
  const seen = new Set([number(cell)]);
  const waiting = [cell];
  while (waiting.length) {
    const here = waiting.pop()/*::!*/;
    if (isOutside(here)) return 0;
    for (const [down, right] of STEPS) {
      const next = [here[0] + 2 * down, here[1] + 2 * right];
      if (drawn.has(number([here[0] + down, here[1] + right])) || seen.has(number(next))) continue;
      if (isOutside(next)) return 0;
      seen.add(number(next));
      waiting.push(next);
    }
  }
  return seen.size;
}

function isLegal(wall/*: Square*/) {
  if (drawn.has(number(wall)) || zoneSize(sides(wall)[0]) > 0) return false;
  drawn.add(number(wall));
  const twice = sides(wall).some((side) => sizes.has(zoneSize(side)));
  drawn.delete(number(wall));
  return !twice;
}

function draw(wall/*: Square*/) {
  drawn.add(number(wall));
  for (const side of sides(wall)) {
    const size = zoneSize(side);
    if (size > 0) sizes.add(size);
  }
}

const names/*: string[]*/ = [];
for (const row of 'ABCDEF') for (const column of '12345') names.push(row + column + 'h');
for (const row of 'ABCDE') for (const column of '123456') names.push(row + column + 'v');

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  for (;;) {
    const line = await read();
    if (line === 'Quit') return;
    if (line !== 'Start') draw(square(line));
    const legal = names.filter((name) => isLegal(square(name)));
    const choice = legal[Math.floor(Math.random() * legal.length)];
    draw(square(choice));
    console.log(choice);
  }
}
