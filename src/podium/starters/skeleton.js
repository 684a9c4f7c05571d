// Plays one game: `main` reads its lines with `await read()` and `await readMany(count)`; the program ends with them.
async function start() {
  const { process } = globalThis/*:: as any*/;
  const waiting/*: string[]*/ = [];
  const chunks = process.stdin.setEncoding('utf8')[Symbol.asyncIterator]();
  let unfinished = '';
  const read = async () => {
    while (!waiting.length) {
      const { value, done } = await chunks.next();
      if (done) process.exit(); // the game is over
      waiting.push(...(unfinished + value).split('\n'));
      unfinished = waiting.pop()/*::!*/;
    }
    return waiting.shift()/*::!*/;
  };
  const readMany = async (count/*: number*/) => {
    const found = [];
    for (let i = 0; i < count; i++) found.push(await read());
    return found;
  };
  await main(read, readMany);
  process.exit();
}

start();
