// Mocha's own report (`dot` or `spec`), and beside it the totals as JSON in the file that the option `totals` names: at the beginning of each
// test, so that a run that dies has named its last one, and at the end.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = function TotalsReporter(runner, options) {
  const { totals, style } = options.reporterOptions ?? {};
  const Reporter = style === 'spec' ? reporters.Spec : reporters.Dot;
  const reporter = new Reporter(runner, options);
  const write = (running) => {
    const { passes, failures } = reporter.stats;
    writeFileSync(totals, JSON.stringify({ passed: passes, failed: failures, running }));
  };
  runner.on('test', (test) => write(test.fullTitle()));
  runner.once('end', () => write(undefined));
};
