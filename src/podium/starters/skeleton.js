// Plays one game: `main` reads its lines with `await read()` and `await readMany(count)`; the program ends with them.
async function start() {
  const lines = require('readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) process.exit(); // the game is over
    return value;
  };
  const readMany = async (count) => {
    const found = [];
    for (let i = 0; i < count; i++) found.push(await read());
    return found;
  };
  await main(read, readMany);
}

start();
