import type { RunJob, Token, Wait } from './instance-state.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

type JobWait = Extract<Wait, { kind: 'job' }>;

/** What tells one job from another. */
interface JobDetails {
  readonly of: JobWait['of'];
  readonly dueAt: number;
  readonly call?: RunJob['call'];
  readonly repeat?: RunJob['repeat'];
}

/** Creates a job for the token on behalf of the place. */
export function createJob(run: Run, token: Token, place: Place, details: JobDetails): JobWait {
  const { of, dueAt, call, repeat } = details;
  const id = run.context.ids.next();
  run.effects.push({
    type: 'createJob',
    job: {
      id,
      type: TYPES[of],
      dueAt,
      immediate: of === 'call' || of === 'cut',
      exclusive: of === 'cut' || place.element.exclusive,
      retryCycle: place.element.retryCycle,
      element: place.index,
      tokenId: token.id,
      ...(call && { call }),
      ...(repeat && { repeat }),
    },
  });
  return repeat === undefined ? { kind: 'job', id, of } : { kind: 'job', id, of, repeat };
}

/** The token waits at the place for a transaction of its own: asyncBefore, asyncAfter. */
export function park(run: Run, token: Token, place: Place, of: 'before' | 'after'): void {
  token.wait = createJob(run, token, place, { of, dueAt: run.context.now });
}

const TYPES = {
  timer: 'timer',
  before: 'continuation',
  after: 'continuation',
  cut: 'continuation',
  call: 'call',
} as const satisfies Record<JobWait['of'], RunJob['type']>;
