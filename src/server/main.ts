import { leaveOnSignals } from './signals.js';
import { usageAnswer } from './usage.js';

const answer = usageAnswer(process.argv.slice(2));
if (answer !== undefined) {
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exit(answer.code);
}
// Before all else is loaded, which takes most of a start.
const unlisten = leaveOnSignals((code) => process.exit(code));
const { run } = await import('./run.js');
await run(unlisten);
