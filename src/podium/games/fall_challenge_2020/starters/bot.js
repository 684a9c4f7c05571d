// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

const TIERS = 4;
const CAPACITY = 10;
const ENOUGH_SPELLS = 8;
/*::type Action = ReturnType<typeof readAction>;*/

const total = (numbers/*: number[]*/) => numbers.reduce((sum, number) => sum + number, 0);

// Whether there is enough of everything, and room.
function isPossible(action/*: Action*/, inventory/*: number[]*/) {
  const after = inventory.map((count, tier) => count + action.deltas[tier]);
  return Math.min(...after) >= 0 && total(after) <= CAPACITY;
}

// What casting a spell is worth, where an ingredient of tier t is worth t + 1.
const gain = (action/*: Action*/) => total(action.deltas.map((delta, tier) => (tier + 1) * delta));

function decide(actions/*: Action[]*/, inventory/*: number[]*/) {
  const ofKind = (kind/*: string*/) => actions.filter((action) => action.kind === kind);
  const orders = ofKind('BREW').filter((order) => isPossible(order, inventory));
  if (orders.length) return `BREW ${orders.sort((one, other) => other.price - one.price)[0].number}`;
  const lesson = ofKind('LEARN').find((spell) => spell.place <= inventory[0]);
  if (lesson && ofKind('CAST').length < ENOUGH_SPELLS) return `LEARN ${lesson.number}`;
  const spells = ofKind('CAST').filter((spell) => spell.castable && isPossible(spell, inventory) && gain(spell) > 0);
  if (spells.length) return `CAST ${spells.sort((one, other) => gain(other) - gain(one))[0].number}`;
  return 'REST';
}

function readAction(line/*: string*/) {
  const [number, kind, ...words] = line.split(' ');
  const numbers = words.map(Number);
  const [price, place, tax, castable, repeatable] = numbers.slice(TIERS);
  return { number, kind, deltas: numbers.slice(0, TIERS), price, place, tax, castable: castable === 1, repeatable };
}

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  for (;;) {
    const actions = (await readMany(Number(await read()))).map(readAction);
    const [mine, other] = (await readMany(2)).map((line) => line.split(' ').map(Number));
    console.log(decide(actions, mine.slice(0, TIERS)));
  }
}
