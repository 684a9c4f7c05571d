// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

const FAR = 6; // a minion farther away than this is no concern
const FEAR = 3; // how much more a step away from a minion counts than a step towards an explorer
const STEPS = [[0, 0], [0, -1], [1, 0], [0, 1], [-1, 0]];

// Steps between two places, as if there were no walls.
const distance = (one/*: number[]*/, other/*: number[]*/) => Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]);

function decide(maze/*: string[]*/, me/*: number[]*/, others/*: number[][]*/, minions/*: number[][]*/) {
  const worth = (place/*: number[]*/) => {
    const danger = Math.min(FAR, ...minions.map((minion) => distance(place, minion)));
    const company = others.length ? Math.min(...others.map((other) => distance(place, other))) : 0;
    return FEAR * danger - company;
  };
  let best = me;
  for (const [right, down] of STEPS) {
    const place = [me[0] + right, me[1] + down];
    const cell = maze[place[1]]?.[place[0]] ?? '#';
    if (cell !== '#' && worth(place) > worth(best)) best = place;
  }
  return best === me ? 'WAIT' : `MOVE ${best[0]} ${best[1]}`;
}

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  const width = Number(await read());
  const height = Number(await read());
  const maze = await readMany(height);
  const settings = (await read()).split(' ').map(Number);
  for (;;) {
    const entities = (await readMany(Number(await read()))).map((line) => line.split(' '));
    const placesOf = (...kinds/*: string[]*/) =>
      entities.filter((words) => kinds.includes(words[0])).map((words) => [Number(words[2]), Number(words[3])]);
    const [me, ...others] = placesOf('EXPLORER');
    console.log(decide(maze, me, others, placesOf('WANDERER', 'SLASHER')));
  }
}
