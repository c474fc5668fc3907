import { assign, setup } from 'xstate';
import { caused } from '../actor.js';

/** Context of a job's actor: how often it was taken, and how often it may still fail. */
interface JobContext {
  readonly attempt: number;
  readonly retries: number;
}

export type JobEvent =
  | { type: 'take' }
  | { type: 'succeed' }
  /** Taken back without a fault of its own: the server drained or went away. */
  | { type: 'release' }
  | { type: 'fail' }
  | { type: 'kill' }
  /** Made dead: its maker opens the incident, which belongs to what it made. */
  | { type: 'bury' }
  | { type: 'setRetries'; retries: number }
  /** It is to run at another time than it was. */
  | { type: 'reschedule' }
  | { type: 'cancel' };

/** Actions of a job's transitions. Taking writes nothing by itself: a job may be taken by the decision that makes it, or by its outcome. */
export interface JobAction {
  readonly type: 'store' | 'remove' | 'retryLater' | 'retryNow' | 'openIncident' | 'resolveIncident';
  readonly params?: undefined;
}

const dies = { target: 'dead', actions: ['useLast', 'store', 'openIncident'] } as const;
const cancelled = { target: 'cancelled', actions: 'remove' } as const;

/** A job: work that is done at least once and whose outcome is committed exactly once, by the attempt that is `running`. */
export const jobMachine = setup({
  types: { context: {} as JobContext, events: {} as JobEvent },
  guards: {
    isLast: ({ context }) => context.retries <= 1,
    givesNone: ({ event }) => 'retries' in event && event.retries === 0,
    givesSome: ({ event }) => 'retries' in event && event.retries > 0,
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    useRetry: assign({ retries: ({ context }) => context.retries - 1 }),
    useLast: assign({ retries: 0 }),
    setRetries: assign({ retries: ({ event, context }) => ('retries' in event ? event.retries : context.retries) }),
    store: caused,
    remove: caused,
    retryLater: caused,
    retryNow: caused,
    openIncident: caused,
    resolveIncident: caused,
  },
}).createMachine({
  id: 'job',
  initial: 'waiting',
  context: { attempt: 0, retries: 3 },
  states: {
    waiting: {
      on: {
        take: { target: 'running', actions: 'countAttempt' },
        kill: dies,
        bury: { target: 'dead', actions: 'useLast' },
        setRetries: [{ guard: 'givesNone', ...dies }, { actions: ['setRetries', 'store'] }],
        reschedule: { actions: 'store' },
        cancel: cancelled,
      },
    },
    running: {
      on: {
        succeed: { target: 'done', actions: 'remove' },
        release: { target: 'waiting', actions: 'store' },
        fail: [
          { guard: 'isLast', ...dies },
          { target: 'waiting', actions: ['useRetry', 'retryLater', 'store'] },
        ],
        kill: dies,
        cancel: cancelled,
      },
    },
    dead: {
      on: {
        setRetries: {
          guard: 'givesSome',
          target: 'waiting',
          actions: ['setRetries', 'retryNow', 'store', 'resolveIncident'],
        },
        cancel: cancelled,
      },
    },
    done: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
