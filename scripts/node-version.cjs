// Says in a sentence that this Node is too old, before anything is read that it may not understand. `npm start` and its like load it first
// (`node -r`), so it is written for every Node there is.
const wanted = /\d+(\.\d+)*/.exec(require('../package.json').engines.node)[0];

/** Whether a version is at least the other, both as numbers between dots. */
function isAtLeast(version, least) {
  const [here, there] = [version, least].map((text) => text.split('.').map(Number));
  const differing = [0, 1, 2].find((at) => (here[at] || 0) !== (there[at] || 0));
  return differing === undefined || (here[differing] || 0) > (there[differing] || 0);
}

if (!isAtLeast(process.versions.node, wanted)) {
  const found = `found ${process.versions.node} (${process.execPath})`;
  process.stderr.write(
    `expected Node ${wanted} or later, but ${found}; nothing was installed. See https://nodejs.org\n`,
  );
  process.exit(1);
}
