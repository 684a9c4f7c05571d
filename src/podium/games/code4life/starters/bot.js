// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

const TYPES = 'ABCDE';
const MOST_MOLECULES = 10;
const MOST_SAMPLES = 3;
const UNKNOWN = -1;
/*::type Robot = ReturnType<typeof readRobot>;*/
/*::type Sample = ReturnType<typeof readSample>;*/

const total = (molecules/*: number[]*/) => molecules.reduce((sum, count) => sum + count, 0);

// How many molecules of each type a robot still needs for a sample.
function missingFor(sample/*: Sample*/, robot/*: Robot*/) {
  return sample.costs.map((cost, type) => Math.max(0, cost - robot.expertise[type] - robot.storage[type]));
}

// The action if the robot stands at the module, otherwise go there.
function at(robot/*: Robot*/, module/*: string*/, action/*: string*/) {
  return robot.target === module ? action : `GOTO ${module}`;
}

function decide(me/*: Robot*/, available/*: number[]*/, samples/*: Sample[]*/) {
  if (me.eta > 0) return 'WAIT';
  const mine = samples.filter((sample) => sample.carrier === 0);
  if (!mine.length || (me.target === 'SAMPLES' && mine.length < MOST_SAMPLES)) return at(me, 'SAMPLES', 'CONNECT 1');
  const unknown = mine.find((sample) => sample.costs[0] === UNKNOWN);
  if (unknown) return at(me, 'DIAGNOSIS', `CONNECT ${unknown.number}`);
  mine.sort((one, other) => total(missingFor(one, me)) - total(missingFor(other, me)));
  if (total(missingFor(mine[0], me)) === 0) return at(me, 'LABORATORY', `CONNECT ${mine[0].number}`);
  for (const sample of mine) {
    const missing = missingFor(sample, me);
    const there = missing.every((need, type) => need <= available[type]);
    if (there && total(me.storage) + total(missing) <= MOST_MOLECULES) {
      return at(me, 'MOLECULES', `CONNECT ${TYPES[missing.findIndex((need) => need > 0)]}`);
    }
  }
  return at(me, 'DIAGNOSIS', `CONNECT ${mine[0].number}`); // into the cloud
}

function readRobot(line/*: string*/) {
  const [target, eta, score, ...rest] = line.split(' ');
  const numbers = rest.map(Number);
  return { target, eta: Number(eta), score: Number(score), storage: numbers.slice(0, 5), expertise: numbers.slice(5) };
}

function readSample(line/*: string*/) {
  const [number, carrier, rank, gain, health, ...costs] = line.split(' ');
  return { number, carrier: Number(carrier), rank: Number(rank), gain, health: Number(health), costs: costs.map(Number) };
}

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  const projects = await readMany(Number(await read()));
  for (;;) {
    const [me, other] = (await readMany(2)).map(readRobot);
    const available = (await read()).split(' ').map(Number);
    const samples = (await readMany(Number(await read()))).map(readSample);
    console.log(decide(me, available, samples));
  }
}
