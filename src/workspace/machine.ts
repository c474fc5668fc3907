import { assign, setup } from 'xstate';
import { caused } from '../store/index.js';

interface WorkspaceContext {
  /** Why it failed; null: it has not. */
  readonly message: string | null;
}

export type WorkspaceEvent =
  | { readonly type: 'start' }
  /** Its partition is open. */
  | { readonly type: 'opened' }
  /** Its partition cannot be opened. */
  | { readonly type: 'fail'; readonly message: string }
  /** Its partition is closed, and refuses everything. */
  | { readonly type: 'stop' }
  /** Its partition is to be removed: there is no way back. */
  | { readonly type: 'delete' };

/** Actions of a workspace's transitions: each is written, and those who follow it hear of it. */
export interface WorkspaceAction {
  readonly type: 'store' | 'tell';
  readonly params?: undefined;
}

const to = <T extends string>(target: T) => ({ target, actions: ['forgive', 'store', 'tell'] }) as const;
const failed = { target: 'FAILED', actions: ['blame', 'store', 'tell'] } as const;

/**
 * A workspace. `STOPPED` says that its partition refuses everything already, `ONLINE` that it takes calls: each is told behind what it tells of. One that
 * is being removed stays `DELETED` until nothing is left of it, so that a removal that is cut off goes on, and nobody starts half a workspace.
 */
export const workspaceMachine = setup({
  types: { context: {} as WorkspaceContext, events: {} as WorkspaceEvent },
  actions: {
    forgive: assign({ message: null }),
    blame: assign({ message: ({ event }) => (event.type === 'fail' ? event.message : null) }),
    store: caused,
    tell: caused,
  },
}).createMachine({
  id: 'workspace',
  initial: 'STARTING',
  context: { message: null },
  states: {
    STARTING: { on: { opened: to('ONLINE'), fail: failed, stop: to('STOPPED') } },
    // A server that starts finds it so; then it may be that it cannot be opened any more.
    ONLINE: { on: { fail: failed, stop: to('STOPPED') } },
    FAILED: { on: { start: to('STARTING'), opened: to('ONLINE'), fail: failed, stop: to('STOPPED') } },
    STOPPED: { on: { start: to('STARTING'), delete: to('DELETED') } },
    DELETED: { type: 'final' },
  },
});
