import { and, assign, setup } from 'xstate';

/** How a run left the instance: some token still waits, or it has ended. */
export type RunOutcome = 'waiting' | 'completed' | 'cancelled' | 'failed';

/** What the instance's actor knows. */
export interface ProcessInstanceContext {
  /** Whether its first run is behind it: an instance starts once. */
  readonly started: boolean;
}

export type ProcessInstanceEvent =
  | { type: 'start'; outcome: RunOutcome }
  /** A task, job, message or signal moved it on. */
  | { type: 'step'; outcome: RunOutcome }
  | { type: 'suspend' }
  | { type: 'activate' }
  | { type: 'cancel' }
  /** It goes on under another version of its definition. */
  | { type: 'migrate' }
  /** Its variables or tokens are changed from outside. */
  | { type: 'modify' };

/** A process instance: the life cycle around its token flow. */
export const processInstanceMachine = setup({
  types: { context: {} as ProcessInstanceContext, events: {} as ProcessInstanceEvent },
  guards: {
    isNew: ({ context }) => !context.started,
    isStarted: ({ context }) => context.started,
    completes: ({ event }) => 'outcome' in event && event.outcome === 'completed',
    isCancelled: ({ event }) => 'outcome' in event && event.outcome === 'cancelled',
    fails: ({ event }) => 'outcome' in event && event.outcome === 'failed',
  },
  actions: {
    markStarted: assign({ started: true }),
    // A transition needs a target or an action to count as accepted.
    stay: () => {},
  },
}).createMachine({
  id: 'processInstance',
  initial: 'active',
  context: { started: false },
  states: {
    active: {
      on: {
        start: [
          { guard: and(['isNew', 'completes']), target: 'completed', actions: 'markStarted' },
          { guard: and(['isNew', 'isCancelled']), target: 'cancelled', actions: 'markStarted' },
          { guard: and(['isNew', 'fails']), target: 'failed', actions: 'markStarted' },
          { guard: 'isNew', actions: 'markStarted' },
        ],
        step: [
          { guard: and(['isStarted', 'completes']), target: 'completed' },
          { guard: and(['isStarted', 'isCancelled']), target: 'cancelled' },
          { guard: and(['isStarted', 'fails']), target: 'failed' },
          { guard: 'isStarted', actions: 'stay' },
        ],
        suspend: 'suspended',
        cancel: 'cancelled',
        migrate: { actions: 'stay' },
        modify: { actions: 'stay' },
      },
    },
    suspended: {
      on: { activate: 'active', cancel: 'cancelled', migrate: { actions: 'stay' }, modify: { actions: 'stay' } },
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
    failed: { type: 'final' },
  },
});
