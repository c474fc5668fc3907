// Mocha's own report (`dot` or `spec`), and at its end the totals as JSON in the file that the option `totals` names.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = function TotalsReporter(runner, options) {
  const { totals, style } = options.reporterOptions ?? {};
  const Reporter = style === 'spec' ? reporters.Spec : reporters.Dot;
  const reporter = new Reporter(runner, options);
  runner.once('end', () => {
    writeFileSync(totals, JSON.stringify({ passed: reporter.stats.passes, failed: reporter.stats.failures }));
  });
};
