import { parseRetryCycle } from '../../expression/index.js';
import { evaluate, priorityAt } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { RunJob, Token, Wait } from './instance-state.js';
import { textOf } from './native.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { aside } from './variables.js';

type JobWait = Extract<Wait, { kind: 'job' }>;

/** Details of a job that a token waits for. */
interface JobDetails {
  readonly of: JobWait['of'] | 'called' | 'undo';
  readonly dueAt: number;
  /** The id of the job that is there already, and waits for this from now on. */
  readonly again?: string;
  readonly call?: RunJob['call'];
  readonly called?: RunJob['called'];
  readonly undoes?: RunJob['undoes'];
  readonly repeat?: RunJob['repeat'];
  readonly stalled?: RunJob['stalled'];
}

/** These go on by themselves, the others when the clock lets them. */
const IMMEDIATE: ReadonlySet<JobDetails['of']> = new Set<JobDetails['of']>(['call', 'called', 'undo', 'cut', 'bundle']);
const EXCLUSIVE: ReadonlySet<JobDetails['of']> = new Set<JobDetails['of']>(['cut', 'bundle']);

/** Creates a job for the token on behalf of the place. */
export function createJob(
  run: Run,
  token: Token,
  place: Place,
  details: JobDetails & { readonly of: 'called' | 'undo' },
): { readonly id: string };
export function createJob(
  run: Run,
  token: Token,
  place: Place,
  details: JobDetails & { readonly of: JobWait['of'] },
): JobWait;
export function createJob(
  run: Run,
  token: Token,
  place: Place,
  details: JobDetails,
): JobWait | { readonly id: string } {
  const { of, dueAt, again, repeat, stalled } = details;
  const fresh = run.context.ids.next();
  const id = again ?? fresh;
  const job = jobOf(run, token, place, { ...details, id });
  const { element, tokenId } = job;
  run.effects.push(
    again === undefined ? { type: 'createJob', job } : { type: 'moved', wait: 'job', id, element, tokenId, dueAt },
  );
  if (of === 'called' || of === 'undo') return { id };
  const isWait = of === 'call' || stalled !== undefined || dueAt > run.context.now;
  return { kind: 'job', id, of, ...(repeat && { repeat }), ...(!isWait && { steps: run.stepsUnwaited }) };
}

function jobOf(
  run: Run,
  token: Token,
  place: Place,
  { id, of, dueAt, call, called, undoes, repeat, stalled }: JobDetails & { readonly id: string },
): RunJob {
  return {
    id,
    type: TYPES[of],
    dueAt,
    immediate: IMMEDIATE.has(of),
    exclusive: EXCLUSIVE.has(of) || place.element.exclusive,
    retryCycle: retryCycleOf(run, token, place),
    ...priorityOf(run, token, place),
    element: place.index,
    tokenId: token.id,
    ...(call && { call }),
    ...(called && { called }),
    ...(undoes && { undoes }),
    ...(repeat && { repeat }),
    ...(stalled !== undefined && { stalled }),
  };
}

/** A retry cycle may be an expression; the job gets its value. @throws EXECUTION_FAILED where that cannot be read */
function retryCycleOf(run: Run, token: Token, place: Place): string | null {
  const { retryCycle } = place.element;
  if (retryCycle === null) return null;
  const text = textOf(asBegun(run, token, place, (where) => evaluate(run, where, retryCycle)))?.trim() ?? '';
  if (text === '') return null;
  try {
    parseRetryCycle(text);
    return text;
  } catch (cause) {
    throw executionFailed(place, { expected: `a retry cycle from '${retryCycle}'`, expression: retryCycle, cause });
  }
}

/** Jobs of higher priority begin before others that are due. @throws EXECUTION_FAILED where an expression gives no whole number */
function priorityOf(run: Run, token: Token, place: Place): Pick<RunJob, 'priority'> {
  const source = place.element.jobPriority ?? run.place(0).element.jobPriority;
  return source === undefined
    ? {}
    : { priority: asBegun(run, token, place, (where) => priorityAt(run, where, source)) };
}

/** Evaluates what is said of a job, which sees what is given to the activity that is to begin by it. */
function asBegun<T>(run: Run, token: Token, place: Place, evaluated: (where: At) => T): T {
  const where = at(run, token, place);
  if (token.given === undefined || run.rules < 8) return evaluated(where);
  return aside(run, { parent: where.scope, variables: token.given }, (scope) => evaluated({ ...where, scope }));
}

/** The token waits at the place for a transaction of its own: asyncBefore, or asyncAfter with the flow that it will leave by. */
export function park(run: Run, token: Token, place: Place, of: 'before' | 'after', way?: number): void {
  const job = createJob(run, token, place, { of, dueAt: run.context.now });
  token.wait = way === undefined ? job : { ...job, way };
}

const TYPES = {
  timer: 'timer',
  before: 'continuation',
  after: 'continuation',
  cut: 'continuation',
  bundle: 'continuation',
  call: 'call',
  called: 'called',
  undo: 'undo',
} as const satisfies Record<JobDetails['of'], RunJob['type']>;

/** How many steps pass between two looks at the clock. */
const CLOCK_EVERY = 32;

/** Each effect is about one document of the commit; in a large scope there are the tokens besides. */
const EFFECTS_MAX = 400;
const EFFECTS_OF_LARGE_MAX = 150;

/** How much more a run may take as long as a modification has instructions left: what refuses one of them shall refuse all, and so they are best carried out by one run. */
const SHARES_OF_MODIFICATION = 10;

/** Whether the run has had its share: of steps, of effects, or of time. */
export function isSpent({ state, context, effects, steps, isLarge }: Run): boolean {
  if (state.modifying?.instructions.length)
    return steps >= context.stepsMax * SHARES_OF_MODIFICATION || effects.length >= EFFECTS_MAX * SHARES_OF_MODIFICATION;
  if (effects.length >= (isLarge ? EFFECTS_OF_LARGE_MAX : EFFECTS_MAX)) return true;
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
  const wait = createJob(run, next, run.placeOf(next), { of: 'cut', dueAt: run.context.now, ...details });
  run.moving.forEach((token, rank) => {
    token.wait = { ...wait, rank };
  });
  run.moving.length = 0;
}

/** Puts the tokens that a cut left behind back into the queue. */
export function resume(run: Run, jobId: string): void {
  const left = run.state.tokens.flatMap((token) => {
    const { wait } = token;
    return wait?.kind === 'job' && wait.id === jobId ? [{ token, rank: wait.rank ?? 0 }] : [];
  });
  left.sort((a, b) => a.rank - b.rank);
  for (const { token } of left) {
    token.wait = undefined;
    run.moving.push(token);
  }
}
