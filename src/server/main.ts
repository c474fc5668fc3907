import { leaveOnSignals } from './signals.js';

// Before all else is loaded, which takes most of a start.
const unlisten = leaveOnSignals((code) => process.exit(code));
const { run } = await import('./run.js');
await run(unlisten);
