import { and, assign, setup } from 'xstate';
import { caused } from '../../store/index.js';

/** How a run left the instance: some token still waits, or it has ended. */
export type RunOutcome = 'waiting' | 'completed' | 'cancelled' | 'failed';

/** Context of an instance's actor. */
interface ProcessInstanceContext {
  /** Whether its first run has begun: an instance starts once. */
  readonly started: boolean;
}

export type ProcessInstanceEvent =
  /** Its first run begins; how it ends is a step. */
  | { type: 'start' }
  /** Its start, a task, job, message or signal moved it on. */
  | { type: 'step'; outcome: RunOutcome }
  | { type: 'suspend' }
  | { type: 'activate' }
  | { type: 'cancel' }
  /** Its definition is deleted with all instances: what hangs on it goes with it. */
  | { type: 'erase' }
  /** It goes on under another version of its definition. */
  | { type: 'migrate' }
  /** Its variables or tokens are changed from outside; nothing may be left to wait for. Default: some token waits. */
  | { type: 'modify'; outcome?: RunOutcome };

/** Actions that an instance's transitions cause: it is written, what hangs on it follows, and its subscribers hear of it. */
export type ProcessInstanceAction =
  | {
      readonly type:
        | 'store'
        | 'closeIncidents'
        | 'dropHeldJobs'
        | 'tellCalled'
        | 'tellStarted'
        | 'tellSuspended'
        | 'tellActivated'
        | 'tellEnded';
      readonly params?: undefined;
    }
  | { readonly type: 'suspendTasks' | 'suspendJobs'; readonly params: SuspendParams };

/** Whether what hangs on the instance is suspended with it, or goes on. */
interface SuspendParams {
  readonly suspended: boolean;
}

const ends = ['closeIncidents', 'store', 'tellEnded'] as const;
const suspends = (suspended: boolean) =>
  [
    'store',
    { type: 'suspendTasks', params: { suspended } },
    { type: 'suspendJobs', params: { suspended } },
    'tellCalled',
  ] as const;

/**
 * A process instance: the life cycle around its token flow. A transition to the same state without actions: there is nothing to do, it is so
 * already.
 */
export const processInstanceMachine = setup({
  types: { context: {} as ProcessInstanceContext, events: {} as ProcessInstanceEvent },
  guards: {
    isNew: ({ context }) => !context.started,
    isStarted: ({ context }) => context.started,
    completes: ({ event }) => 'outcome' in event && event.outcome === 'completed',
    isCancelled: ({ event }) => 'outcome' in event && event.outcome === 'cancelled',
    isWaiting: ({ event }) => !('outcome' in event) || event.outcome === undefined || event.outcome === 'waiting',
    fails: ({ event }) => 'outcome' in event && event.outcome === 'failed',
  },
  actions: {
    markStarted: assign({ started: true }),
    store: caused,
    closeIncidents: caused,
    dropHeldJobs: caused,
    tellCalled: caused,
    suspendTasks: (_, _params: SuspendParams) => caused(),
    suspendJobs: (_, _params: SuspendParams) => caused(),
    tellStarted: caused,
    tellSuspended: caused,
    tellActivated: caused,
    tellEnded: caused,
  },
}).createMachine({
  id: 'processInstance',
  initial: 'active',
  context: { started: false },
  states: {
    active: {
      on: {
        start: { guard: 'isNew', actions: ['markStarted', 'tellStarted'] },
        step: [
          { guard: and(['isStarted', 'completes']), target: 'completed', actions: ends },
          { guard: and(['isStarted', 'isCancelled']), target: 'cancelled', actions: ends },
          { guard: and(['isStarted', 'fails']), target: 'failed', actions: ends },
          { guard: 'isStarted', actions: 'store' },
        ],
        suspend: { target: 'suspended', actions: [...suspends(true), 'tellSuspended'] },
        activate: 'active',
        cancel: { target: 'cancelled', actions: ends },
        erase: { target: 'cancelled', actions: 'tellEnded' },
        migrate: { actions: 'store' },
        modify: [
          { guard: 'completes', target: 'completed', actions: ends },
          { guard: 'isCancelled', target: 'cancelled', actions: ends },
          { guard: 'fails', target: 'failed', actions: ends },
          { guard: 'isWaiting', actions: 'store' },
        ],
      },
    },
    suspended: {
      on: {
        suspend: 'suspended',
        activate: { target: 'active', actions: [...suspends(false), 'tellActivated'] },
        cancel: { target: 'cancelled', actions: [...ends, 'dropHeldJobs'] },
        erase: { target: 'cancelled', actions: 'tellEnded' },
        migrate: { actions: 'store' },
        modify: [
          { guard: 'completes', target: 'completed', actions: [...ends, 'dropHeldJobs'] },
          { guard: 'isCancelled', target: 'cancelled', actions: [...ends, 'dropHeldJobs'] },
          { guard: 'isWaiting', actions: 'store' },
        ],
      },
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
    failed: { type: 'final' },
  },
});
