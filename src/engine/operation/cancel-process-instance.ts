import { type Asking, afterOthers, type Decision } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { unknownInstance } from '../errors.js';
import { bounded } from '../rule/given-value.js';
import { requireInstanceRight } from '../rule/rights.js';
import { isOver } from '../run/following.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { isStuck } from '../run/large-instance-jobs.js';
import { runInstance } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';

/** Input of `cancelProcessInstance`. */
interface CancelProcessInstance {
  readonly id: string;
  /** Kept with the instance. Default: `cancelled by <user>`. */
  readonly reason?: string | null;
}

/**
 * Ends a running or suspended instance: its tasks, jobs, subscriptions and incidents go, its history stays. Answers true. Allowed to its
 * starter, supervisors and administrators.
 * @throws BAD_REQUEST (no such instance), FORBIDDEN, CONFLICT (it has ended)
 */
export const cancelProcessInstance = (services: EngineServices) =>
  instanceOperation<CancelProcessInstance, boolean>(
    'cancelProcessInstance',
    (state, { id, reason }, context) =>
      cancelInstance({ services, state, context }, { id, command: 'cancelProcessInstance', reason: reason ?? null }),
    (_, { id }) => id,
  );

/** Input of `deleteProcessInstance`. */
interface DeleteProcessInstance {
  readonly id: string;
  /** Accepted for the sake of the API: listeners do not run when an instance is ended from outside. */
  readonly skipCustomListeners?: boolean | null;
}

/**
 * Ends a running or suspended instance as `cancelProcessInstance` does; its history stays too. Answers true. Allowed to its starter,
 * supervisors and administrators.
 * @throws BAD_REQUEST (no such instance), FORBIDDEN, CONFLICT (it has ended)
 */
export const deleteProcessInstance = (services: EngineServices) =>
  instanceOperation<DeleteProcessInstance, boolean>(
    'deleteProcessInstance',
    (state, { id }, context) =>
      cancelInstance({ services, state, context }, { id, command: 'deleteProcessInstance', reason: null }),
    (_, { id }) => id,
  );

/** Ends an instance from outside. Answers true. @throws BAD_REQUEST (unknown), FORBIDDEN, CONFLICT (it has ended) */
function cancelInstance(
  { services, state, context }: Omit<RunScene, 'changes'>,
  { id, command, reason }: { readonly id: string; readonly command: string; readonly reason: string | null },
): Decision<boolean> | Asking {
  const instance = presentInstance(state, id);
  if (instance === undefined) throw unknownInstance(id);
  requireInstanceRight(context.caller, instance, 'cancel process instance');
  if (isOver(instance) && !isStuck(state, id)) return { ask: afterOthers(id) };
  const scene = sceneOf(services, state, context);
  const why = bounded('reason', reason, 'reason') ?? `cancelled by ${context.caller.userId}`;
  const end = runInstance(scene, { command, instance, event: 'cancel', input: { type: 'cancel', reason: why } });
  return 'ask' in end ? end : scene.changes.decision(true);
}
