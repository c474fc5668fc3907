import { sleep } from '../ledger.js';
import type { Ground } from './ground.js';

/** A drain takes 10 s at most; the rest is for a machine that is busy. */
const END_MS = 20_000;

/** Ends the server as an operator does; gives what is wrong with its end. */
export async function violationsAtEnd({ arena }: Ground): Promise<string[]> {
  if (!arena.isRunning) return ['the server had ended by itself'];
  const outcome = await Promise.race([arena.end('SIGTERM'), sleep(END_MS)]);
  if (outcome === 0) return [];
  if (outcome !== undefined) return [`the server ended with ${outcome}`];
  await arena.end('SIGKILL');
  return [`the server did not end within ${END_MS} ms of SIGTERM`];
}
