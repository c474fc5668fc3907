import { pino } from 'pino';

/** The server's log: JSON lines on stderr. Never a variable's value, a document's body or a secret. */
export const log = pino(
  { level: process.env.MILLRACE_LOG_LEVEL ?? 'info', base: null, redact: ['password', 'authorization', 'cookie'] },
  pino.destination({ dest: 2, sync: false }),
);
