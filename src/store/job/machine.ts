import { assign, setup } from 'xstate';

/** What the job's actor knows: how often it was taken, and how often it may still fail. */
export interface JobContext {
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
  | { type: 'setRetries'; retries: number }
  | { type: 'cancel' };

/** A job: work that is done at least once and whose outcome is committed exactly once, by the attempt that is `running`. */
export const jobMachine = setup({
  types: { context: {} as JobContext, events: {} as JobEvent },
  guards: { isLast: ({ context }) => context.retries <= 1 },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    useRetry: assign({ retries: ({ context }) => context.retries - 1 }),
    useLast: assign({ retries: 0 }),
    setRetries: assign({ retries: ({ event, context }) => ('retries' in event ? event.retries : context.retries) }),
  },
}).createMachine({
  id: 'job',
  initial: 'waiting',
  context: { attempt: 0, retries: 3 },
  states: {
    waiting: {
      on: {
        take: { target: 'running', actions: 'countAttempt' },
        kill: { target: 'dead', actions: 'useLast' },
        setRetries: { actions: 'setRetries' },
        cancel: 'cancelled',
      },
    },
    running: {
      on: {
        succeed: 'done',
        release: 'waiting',
        fail: [
          { guard: 'isLast', target: 'dead', actions: 'useLast' },
          { target: 'waiting', actions: 'useRetry' },
        ],
        kill: { target: 'dead', actions: 'useLast' },
        cancel: 'cancelled',
      },
    },
    dead: { on: { setRetries: { target: 'waiting', actions: 'setRetries' }, cancel: 'cancelled' } },
    done: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
