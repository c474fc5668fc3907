// What each file of tests costs: mocha's workers load this, and it adds a line of JSON per file to the file that MILLRACE_TEST_USAGE names.
const { appendFileSync, readFileSync } = require('node:fs');

/** CPU seconds of this process, and of those that it has started and seen end, as far as the machine tells. */
function cpuSeconds() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return { own: (userCPUTime + systemCPUTime) / 1e6, children: childrenSeconds() };
}

/** Linux counts in ticks of 10 ms: `man 5 proc`, the fields cutime and cstime. */
function childrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

let before = { own: 0, children: 0 };

const mochaHooks = {
  afterAll() {
    const now = cpuSeconds();
    const { file } = this.test.parent.suites.find((suite) => suite.file !== undefined) ?? {};
    const used = { file, own: now.own - before.own, children: now.children - before.children };
    before = now;
    appendFileSync(process.env.MILLRACE_TEST_USAGE, `${JSON.stringify(used)}\n`);
  },
};

module.exports = { childrenSeconds, ...(process.env.MILLRACE_TEST_USAGE !== undefined && { mochaHooks }) };
