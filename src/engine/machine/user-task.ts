import { and, assign, setup } from 'xstate';
import { caused } from '../../store/index.js';

/** Context of a task's actor: who works on it, and to whom a delegated one returns. */
interface UserTaskContext {
  readonly assignee: string | null;
  readonly owner: string | null;
}

/** Events of a task, each of which an operation or the interpreter sends. `userId`: to whom the task goes. */
export type UserTaskEvent =
  | { type: 'claim'; userId: string }
  | { type: 'unclaim' }
  | { type: 'assign'; userId: string }
  /** Someone else answers first; the task then returns to its owner. */
  | { type: 'delegate'; userId: string }
  | { type: 'resolve' }
  | { type: 'complete' }
  | { type: 'setVariables' }
  /** A listener of the model changed it; nobody is named by null and by an empty text. */
  | { type: 'change'; userId: string | null; owner: string | null }
  /** Its scope was left, or its instance ended. */
  | { type: 'cancel' };

/** Actions that a task's transitions cause: it is written or gone, and its subscribers hear of it. */
export interface UserTaskAction {
  readonly type: 'store' | 'remove' | 'tellAssigned' | 'tellUpdated' | 'tellCompleted' | 'tellDeleted';
  readonly params?: undefined;
}

const assigned = ['setAssignee', 'store', 'tellAssigned'] as const;
const freed = { target: 'created', actions: ['clearAssignee', 'store', 'tellUpdated'] } as const;
const completed = { target: 'completed', actions: ['remove', 'tellCompleted'] } as const;

/** In every open state. `holder`: the state of one that is given to somebody. */
const open = <S extends 'assigned' | 'delegated'>(holder: S) =>
  ({
    change: [
      { guard: 'isMine', actions: ['setOwner', 'store', 'tellUpdated'] },
      { guard: 'namesUser', target: holder, actions: ['setOwner', ...assigned] },
      { target: 'created', actions: ['setOwner', 'clearAssignee', 'store', 'tellUpdated'] },
    ],
    setVariables: { actions: ['store', 'tellUpdated'] },
    cancel: { target: 'cancelled', actions: ['remove', 'tellDeleted'] },
  }) as const;

/**
 * A user task. `created` has no assignee and `assigned` has one; `delegated` waits for the one it was delegated to, `resolved` came back to its
 * owner, who may be nobody. Suspension is the instance's. A transition to the same state without actions: there is nothing to do.
 */
export const userTaskMachine = setup({
  types: { context: {} as UserTaskContext, events: {} as UserTaskEvent },
  guards: {
    isMine: ({ context, event }) => 'userId' in event && event.userId === context.assignee,
    isFree: ({ context }) => context.assignee === null,
    namesUser: ({ event }) => 'userId' in event && event.userId !== null && event.userId !== '',
    returnsToAnother: ({ context }) => context.owner !== null && context.owner !== context.assignee,
  },
  actions: {
    setAssignee: assign({ assignee: ({ event }) => ('userId' in event ? event.userId : null) }),
    clearAssignee: assign({ assignee: null }),
    setOwner: assign({ owner: ({ context, event }) => ('owner' in event ? event.owner : context.owner) }),
    keepOwner: assign({ owner: ({ context }) => context.owner ?? context.assignee }),
    returnToOwner: assign({ assignee: ({ context }) => context.owner }),
    store: caused,
    remove: caused,
    tellAssigned: caused,
    tellUpdated: caused,
    tellCompleted: caused,
    tellDeleted: caused,
  },
}).createMachine({
  id: 'userTask',
  initial: 'created',
  context: { assignee: null, owner: null },
  states: {
    created: {
      on: {
        claim: { guard: 'namesUser', target: 'assigned', actions: assigned },
        unclaim: 'created',
        assign: { guard: 'namesUser', target: 'assigned', actions: assigned },
        delegate: { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', ...assigned] },
        complete: completed,
        ...open('assigned'),
      },
    },
    assigned: {
      on: {
        claim: { guard: 'isMine', target: 'assigned' },
        unclaim: freed,
        assign: [
          { guard: 'isMine', target: 'assigned' },
          { guard: 'namesUser', actions: assigned },
        ],
        delegate: [
          { guard: 'isMine', target: 'delegated', actions: ['keepOwner', 'store', 'tellUpdated'] },
          { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', ...assigned] },
        ],
        complete: completed,
        ...open('assigned'),
      },
    },
    delegated: {
      on: {
        claim: { guard: 'isMine', target: 'delegated' },
        unclaim: freed,
        assign: [
          { guard: 'isMine', target: 'delegated' },
          { guard: 'namesUser', actions: assigned },
        ],
        delegate: [
          { guard: 'isMine', target: 'delegated' },
          { guard: 'namesUser', actions: assigned },
        ],
        resolve: [
          { guard: 'returnsToAnother', target: 'resolved', actions: ['returnToOwner', 'store', 'tellAssigned'] },
          { target: 'resolved', actions: ['returnToOwner', 'store', 'tellUpdated'] },
        ],
        ...open('delegated'),
      },
    },
    resolved: {
      on: {
        claim: [
          { guard: 'isMine', target: 'resolved' },
          { guard: and(['isFree', 'namesUser']), target: 'assigned', actions: assigned },
        ],
        unclaim: freed,
        assign: [
          { guard: 'isMine', target: 'assigned', actions: ['store', 'tellUpdated'] },
          { guard: 'namesUser', target: 'assigned', actions: assigned },
        ],
        delegate: [
          { guard: 'isMine', target: 'delegated', actions: ['keepOwner', 'store', 'tellUpdated'] },
          { guard: 'namesUser', target: 'delegated', actions: ['keepOwner', ...assigned] },
        ],
        complete: completed,
        ...open('assigned'),
      },
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
