import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FirstUser } from '../../src/server/wire/domain.js';

/** A server in a process of its own, as `npm start` runs it. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** All that it has printed so far: its banner. */
  readonly printed: () => string;
  /** Its log so far. */
  readonly logged: () => string;
  /** Sends a signal and resolves with the code or the signal with which the process ended. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

const MAIN = fileURLToPath(new URL('../../src/server/main.js', import.meta.url));
const WITH_USERS = fileURLToPath(new URL('./server-child.js', import.meta.url));

/**
 * Starts the server's main program and waits for its banner; with `users`, one that is the same but knows these users, whose password is
 * their name. @throws when it ends before that, with what it said
 */
export async function serverProcess(
  env: Readonly<Record<string, string>>,
  users?: readonly FirstUser[],
): Promise<ServerProcess> {
  const program = users === undefined ? [MAIN] : [WITH_USERS, JSON.stringify(users)];
  // A process takes the flags of this one.
  const child = spawn(process.execPath, [...process.execArgv, ...program], {
    env: { ...environment(), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let logged = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (logged += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  while (!/ {2}curl .*\n/.test(printed)) {
    const outcome = await Promise.race([once(child.stdout, 'data'), ended]);
    if (!Array.isArray(outcome)) throw new Error(`the server ended with ${outcome}: ${logged}`);
  }
  return {
    child,
    baseUrl: /Address +(\S+)/.exec(printed)?.[1] ?? '',
    printed: () => printed,
    logged: () => logged,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** What a program needs of this process' environment; settings of the server are not handed on. */
const environment = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });
