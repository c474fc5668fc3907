import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Logs } from '../../../src/store/log/logs.js';
import type { ChildPlace } from '../log-kit.js';

/** The logs of the place that a test names to its child. */
export function logsOfChild({ folder }: ChildPlace): Logs {
  return new LocalLogs(folder);
}
