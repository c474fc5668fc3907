import { assign, setup } from 'xstate';

/** What the long job's actor knows: how often it was taken. */
interface LongJobMachineContext {
  readonly attempt: number;
}

export type LongJobEvent =
  /** More items, before it starts. */
  | { type: 'append' }
  | { type: 'start' }
  /** A worker is free. */
  | { type: 'take' }
  | { type: 'progress' }
  /** Back into the queue, without a fault of its own: the server drains or went away. */
  | { type: 'release' }
  | { type: 'complete' }
  | { type: 'fail' }
  | { type: 'abort' }
  /** Nothing of it runs any more. */
  | { type: 'stopped' };

/**
 * A long job: filled, started, run by one worker. Once its abort was asked it ends as `aborted`, whatever its run comes to; and as no state
 * but the last ones is final, a job ends exactly once.
 */
export const longJobMachine = setup({
  types: { context: {} as LongJobMachineContext, events: {} as LongJobEvent },
  actions: { countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }) },
}).createMachine({
  id: 'longJob',
  initial: 'init',
  context: { attempt: 0 },
  states: {
    init: { on: { append: { target: 'init', reenter: true }, start: 'queued', abort: 'aborted' } },
    queued: { on: { take: { target: 'running', actions: 'countAttempt' }, fail: 'failed', abort: 'aborting' } },
    running: {
      on: {
        progress: { target: 'running', reenter: true },
        release: 'queued',
        complete: 'completed',
        fail: 'failed',
        abort: 'aborting',
      },
    },
    aborting: {
      on: {
        progress: { target: 'aborting', reenter: true },
        release: 'aborted',
        complete: 'aborted',
        fail: 'aborted',
        stopped: 'aborted',
      },
    },
    completed: { type: 'final' },
    failed: { type: 'final' },
    aborted: { type: 'final' },
  },
});
