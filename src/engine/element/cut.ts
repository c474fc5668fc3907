import type { Token, Wait } from './instance-state.js';
import { createJob } from './park.js';
import type { Run } from './run.js';

/** How many steps pass between two looks at the clock. */
const CLOCK_EVERY = 32;

/** Each effect is about one document of the commit. */
const EFFECTS_MAX = 400;

/** Whether the run has had its share: of steps, of effects, or of time. */
export function isSpent({ context, effects, steps }: Run): boolean {
  if (effects.length >= EFFECTS_MAX) return true;
  return steps >= context.stepsMax || (steps % CLOCK_EVERY === 0 && context.expired?.() === true);
}

/** Ends the run here: what still moves waits for one job, each token at its place in the queue, so that going on is as if nothing had been. */
export function cut(run: Run): void {
  leaveTo(run, {});
}

/** Ends the run as {@link cut} does, with a job that waits for an operator: too many steps have been taken since the last wait. */
export function stall(run: Run): void {
  leaveTo(run, { stalled: run.stepsUnwaited });
}

function leaveTo(run: Run, details: { readonly stalled?: number }): void {
  const next = run.moving[run.moving.length - 1];
  if (next === undefined) return;
  const wait = createJob(run, next, run.place(next.element), { of: 'cut', dueAt: run.context.now, ...details });
  run.moving.forEach((token, rank) => {
    token.wait = { ...wait, rank };
  });
  run.moving.length = 0;
}

/** Puts the tokens that a cut left behind back into the queue. */
export function resume(run: Run, jobId: string): void {
  const left = run.state.tokens.filter((token) => isCut(token.wait, jobId));
  const rank = ({ wait }: Token) => (wait?.kind === 'job' ? (wait.rank ?? 0) : 0);
  left.sort((a, b) => rank(a) - rank(b));
  for (const token of left) token.wait = undefined;
  run.moving.push(...left);
}

const isCut = (wait: Wait | undefined, jobId: string) => wait?.kind === 'job' && wait.of === 'cut' && wait.id === jobId;
