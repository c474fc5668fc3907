import { assign, setup } from 'xstate';
import { caused } from '../../actor.js';

/** Context of a long job's actor: how often it was taken. */
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

/** Actions of a long job's transitions: the last ones note when it ended; each is written, and those who follow it hear of it. */
export interface LongJobAction {
  readonly type: 'end' | 'store' | 'tell';
  readonly params?: undefined;
}

const stays = { actions: ['store', 'tell'] } as const;
const to = <T extends string>(target: T) => ({ target, actions: ['store', 'tell'] }) as const;
const endsAs = <T extends string>(target: T) => ({ target, actions: ['end', 'store', 'tell'] }) as const;

/**
 * A long job: filled, started, run by one worker. Once its abort was asked it ends as `aborted`, whatever its run comes to; and as no state
 * but the last ones is final, a job ends exactly once.
 */
export const longJobMachine = setup({
  types: { context: {} as LongJobMachineContext, events: {} as LongJobEvent },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    end: caused,
    store: caused,
    tell: caused,
  },
}).createMachine({
  id: 'longJob',
  initial: 'init',
  context: { attempt: 0 },
  states: {
    init: { on: { append: stays, start: to('queued'), abort: endsAs('aborted') } },
    queued: {
      on: {
        take: { target: 'running', actions: ['countAttempt', 'store', 'tell'] },
        fail: endsAs('failed'),
        abort: to('aborting'),
      },
    },
    running: {
      on: {
        progress: stays,
        release: to('queued'),
        complete: endsAs('completed'),
        fail: endsAs('failed'),
        abort: to('aborting'),
      },
    },
    aborting: {
      on: {
        progress: stays,
        release: endsAs('aborted'),
        complete: endsAs('aborted'),
        fail: endsAs('aborted'),
        stopped: endsAs('aborted'),
      },
    },
    completed: { type: 'final' },
    failed: { type: 'final' },
    aborted: { type: 'final' },
  },
});
