import { pino } from 'pino';
import { logDestination } from './log-lines.js';
import { activeTraceIds } from './trace.js';

const wanted = process.env.MILLRACE_LOG_LEVEL ?? '';

/**
 * The server's log on stderr: JSON lines, or lines for people where that is a terminal. Never a variable's value, a document's body or a secret. Written at once: nothing is lost when the
 * process is killed, and none is held up at its end by a reader that has gone, for which pino's buffer would wait for ever.
 */
export const log = pino(
  {
    // What is no level is told by whoever reads the settings.
    level: wanted === 'silent' || wanted in pino.levels.values ? wanted : 'info',
    base: null,
    redact: ['password', 'authorization', 'cookie'],
    // So that a line is found by its trace.
    mixin: activeTraceIds,
  },
  logDestination,
);
