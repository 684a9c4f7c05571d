// A bot that plays any legal move.

async function main(read/*: () => Promise<string>*/, readMany/*: (count: number) => Promise<string[]>*/) {
  const fields/*: Record<string, string[]>*/ = {}; // of the state, by name; your seat among them
  for (;;) {
    const [name, ...values] = (await read()).split(' ');
    if (name !== 'legal') {
      fields[name] = values;
      continue;
    }
    const legal = await readMany(Number(values[0]));
    console.log(legal[Math.floor(Math.random() * legal.length)]);
  }
}
