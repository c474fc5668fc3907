import { setup } from 'xstate';
import { caused } from '../../store/index.js';

/** Events of an external task, each of which an operation or the interpreter sends. */
export type ExternalTaskEvent =
  /** A worker takes it. `isFree`: it is nobody else's, for a lock has ended by now. */
  | { type: 'lock'; isFree: boolean }
  /** `isFree`: the lock has ended by now, and there is nothing to extend. */
  | { type: 'extend'; isFree: boolean }
  | { type: 'unlock' }
  /** The worker has ended it: with its work done, or with a BPMN error. */
  | { type: 'complete' }
  /** `retries`: how often it may still be tried; 0: an operator is needed. */
  | { type: 'fail'; retries: number }
  | { type: 'setRetries'; retries: number }
  /** Its scope was left, or its instance ended. */
  | { type: 'cancel' };

/** Actions that an external task's transitions cause: it is written or gone, its incident opens or ends, and workers hear of it. */
export interface ExternalTaskAction {
  readonly type: 'store' | 'remove' | 'openIncident' | 'closeIncident' | 'tellOpened' | 'tellUpdated' | 'tellEnded';
  readonly params?: undefined;
}

/** In every open state. */
const cancel = { target: 'cancelled', actions: ['remove', 'tellEnded'] } as const;
const lock = { guard: 'isFree', target: 'locked', actions: 'store' } as const;

/**
 * Work that waits for a worker, or that one has taken. A lock ends by the system clock, without an event: it is looked at when somebody wants the task;
 * until then whoever had it may still end it. `failed`: no retries are left, or it was given none. Suspension is the instance's.
 */
export const externalTaskMachine = setup({
  types: { context: {} as Record<string, never>, events: {} as ExternalTaskEvent },
  guards: {
    isFree: ({ event }) => 'isFree' in event && event.isFree,
    isHeld: ({ event }) => 'isFree' in event && !event.isFree,
    hasRetries: ({ event }) => 'retries' in event && event.retries > 0,
  },
  actions: {
    store: caused,
    remove: caused,
    openIncident: caused,
    closeIncident: caused,
    tellOpened: caused,
    tellUpdated: caused,
    tellEnded: caused,
  },
}).createMachine({
  id: 'externalTask',
  initial: 'open',
  context: {},
  states: {
    open: {
      on: {
        lock,
        setRetries: [
          { guard: 'hasRetries', actions: ['store', 'tellUpdated'] },
          { target: 'failed', actions: ['openIncident', 'store', 'tellUpdated'] },
        ],
        cancel,
      },
    },
    locked: {
      on: {
        lock,
        extend: { guard: 'isHeld', actions: 'store' },
        unlock: { target: 'open', actions: ['store', 'tellOpened'] },
        complete: { target: 'completed', actions: ['remove', 'tellEnded'] },
        fail: [
          { guard: 'hasRetries', target: 'open', actions: ['store', 'tellOpened'] },
          { target: 'failed', actions: ['openIncident', 'store', 'tellUpdated'] },
        ],
        setRetries: { guard: 'hasRetries', actions: ['store', 'tellUpdated'] },
        cancel,
      },
    },
    failed: {
      on: {
        setRetries: { guard: 'hasRetries', target: 'open', actions: ['closeIncident', 'store', 'tellOpened'] },
        cancel: { target: 'cancelled', actions: ['closeIncident', 'remove', 'tellEnded'] },
      },
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
