import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { pino } from 'pino';
import { activeTraceIds } from './trace.js';

/**
 * Where the log goes. A line that cannot be written is dropped: neither a full disk nor a reader that has gone may be the end of the server,
 * or keep it from ending. (pino's own destination throws at a full disk, and waits for room at the last line.)
 */
const standardError = {
  write(line: string): void {
    let rest: Uint8Array = Buffer.from(line);
    const end = performance.now() + PATIENCE_MS;
    while (rest.byteLength > 0) {
      const written = writtenOf(rest);
      if (written === undefined || performance.now() > end) return;
      if (written === 0) Atomics.wait(pause, 0, 0, PAUSE_MS);
      rest = rest.subarray(written);
    }
  },
};

/** How many bytes were taken; undefined: none will be. */
function writtenOf(bytes: Uint8Array): number | undefined {
  try {
    return writeSync(FILE_DESCRIPTOR, bytes);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EAGAIN' ? 0 : undefined;
  }
}

/** Where log lines go: JSON as it is, or, where standard error is a terminal, lines for the person in front of it. */
const logDestination = isatty(2)
  ? { write: (json: string) => standardError.write(lineForPeople(json, colored(process.env))) }
  : standardError;

/** Colors are left out where `NO_COLOR` says so, see https://no-color.org, and where the terminal has none. */
const colored = ({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean => !NO_COLOR && TERM !== 'dumb';

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/**
 * `14:03:07 WARN  the disk is full  workspace=web`, in local time; the stack of an error is below it. What could steer the terminal is escaped.
 */
export function lineForPeople(json: string, inColor: boolean): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as LogLine;
  const [name, color] = LEVELS.find(([, , least]) => level >= least) ?? TRACE;
  const paint = (text: string, code: number) => (inColor ? `\x1b[${code}m${text}\x1b[0m` : text);
  const facts = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const at = new Date(time).toTimeString().slice(0, 8);
  const words = [msg, ...(facts.length > 0 ? [''] : []), ...facts].filter((word) => word !== undefined);
  const head = `${paint(at, DIM)} ${paint(name.padEnd(5), color)} ${harmless(words.join(' '))}\n`;
  const cause = err?.stack ?? err?.message;
  return cause === undefined ? head : `${head}${harmless(cause).replaceAll(/^/gm, '  ')}\n`;
}

const DIM = 2;
/** From the most severe one on: its name, its color, and the least number that is one. */
const LEVELS = [
  ['FATAL', 31, 60],
  ['ERROR', 31, 50],
  ['WARN', 33, 40],
  ['INFO', 32, 30],
  ['DEBUG', 36, 20],
] as const;
const TRACE = ['TRACE', 36] as const;

/** Control characters but the line break, as JavaScript writes them. */
const harmless = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

const FILE_DESCRIPTOR = 2;
/** How long a line waits for a reader that takes nothing, ms. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 10;
const pause = new Int32Array(new SharedArrayBuffer(4));

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
