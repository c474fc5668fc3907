import { and, assign, setup } from 'xstate';

/** What the task's actor knows: who works on it, and to whom a delegated one returns. */
export interface UserTaskContext {
  readonly assignee: string | null;
  readonly owner: string | null;
}

export type UserTaskEvent =
  | { type: 'claim'; userId: string }
  | { type: 'unclaim' }
  | { type: 'assign'; userId: string }
  /** Someone else answers first; the task then returns to its owner. */
  | { type: 'delegate'; userId: string }
  | { type: 'resolve' }
  | { type: 'complete' }
  | { type: 'setVariables' }
  /** Its scope was left, or its instance ended. */
  | { type: 'cancel' };

const open = { setVariables: { actions: 'stay' }, cancel: 'cancelled' } as const;

/**
 * A user task. `created` has no assignee and `assigned` has one; `delegated` waits for the one it was delegated to, `resolved` came back to its
 * owner, who may be nobody. Suspension is the instance's.
 */
export const userTaskMachine = setup({
  types: { context: {} as UserTaskContext, events: {} as UserTaskEvent },
  guards: {
    isMine: ({ context, event }) => 'userId' in event && event.userId === context.assignee,
    isFree: ({ context }) => context.assignee === null,
    // Asked with the bare type, as `accepts` does, a named user counts as there.
    namesUser: ({ event }) => !('userId' in event) || event.userId !== '',
  },
  actions: {
    setAssignee: assign({ assignee: ({ event }) => ('userId' in event ? event.userId : null) }),
    clearAssignee: assign({ assignee: null }),
    keepOwner: assign({ owner: ({ context }) => context.owner ?? context.assignee }),
    returnToOwner: assign({ assignee: ({ context }) => context.owner }),
    // A transition needs a target or an action to count as accepted.
    stay: () => {},
  },
}).createMachine({
  id: 'userTask',
  initial: 'created',
  context: { assignee: null, owner: null },
  states: {
    created: {
      on: {
        claim: { guard: 'namesUser', target: 'assigned', actions: 'setAssignee' },
        unclaim: { actions: 'stay' },
        assign: { guard: 'namesUser', target: 'assigned', actions: 'setAssignee' },
        delegate: { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', 'setAssignee'] },
        complete: 'completed',
        ...open,
      },
    },
    assigned: {
      on: {
        claim: { guard: 'isMine', actions: 'stay' },
        unclaim: { target: 'created', actions: 'clearAssignee' },
        assign: { guard: 'namesUser', actions: 'setAssignee' },
        delegate: { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', 'setAssignee'] },
        complete: 'completed',
        ...open,
      },
    },
    delegated: {
      on: {
        claim: { guard: 'isMine', actions: 'stay' },
        unclaim: { target: 'created', actions: 'clearAssignee' },
        assign: { guard: 'namesUser', actions: 'setAssignee' },
        delegate: { guard: 'namesUser', actions: 'setAssignee' },
        resolve: { target: 'resolved', actions: 'returnToOwner' },
        ...open,
      },
    },
    resolved: {
      on: {
        claim: [
          { guard: 'isMine', actions: 'stay' },
          { guard: and(['isFree', 'namesUser']), target: 'assigned', actions: 'setAssignee' },
        ],
        unclaim: { target: 'created', actions: 'clearAssignee' },
        assign: { guard: 'namesUser', target: 'assigned', actions: 'setAssignee' },
        delegate: { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', 'setAssignee'] },
        complete: 'completed',
        ...open,
      },
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
