// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

const STEPS/*: Record<string, number[]>*/ = {
  N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1],
};
const FULL = 4;
const LAST_CHOICE = -100;

// How much an action is liked.
function worth(action/*: string*/, grid/*: string[]*/, units/*: number[][]*/) {
  const [kind, unit, first, second] = action.split(' ');
  if (kind !== 'MOVE&BUILD') return LAST_CHOICE;
  const x = units[Number(unit)][0] + STEPS[first][0];
  const y = units[Number(unit)][1] + STEPS[first][1];
  const height = Number(grid[y][x]);
  const built = Number(grid[y + STEPS[second][1]][x + STEPS[second][0]]) + 1;
  const climbable = built < FULL && built <= height + 1;
  return 10 * height + (climbable ? built : -1);
}

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  const numbers = (line/*: string*/) => line.split(' ').map(Number);

  const size = Number(await read());
  const count = Number(await read());
  for (;;) {
    const grid = await readMany(size);
    const units = (await readMany(count)).map(numbers);
    const enemies = (await readMany(count)).map(numbers);
    const actions = await readMany(Number(await read()));
    let best = 'ACCEPT-DEFEAT';
    let most = LAST_CHOICE - 1;
    for (const action of actions) {
      const value = worth(action, grid, units);
      if (value > most) [most, best] = [value, action];
    }
    console.log(best);
  }
}
