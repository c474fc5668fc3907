import type { Asking, Decision } from '../../store/index.js';
import { unknownInstance } from '../errors.js';
import { bounded } from '../rule/bounded-text.js';
import { requireInstanceRight } from '../rule/rights.js';
import { sceneOf } from './open-task.js';
import { presentInstance } from './present-instance.js';
import { type RunScene, runInstance } from './run-instance.js';

/** Ends an instance from outside. Answers true. @throws BAD_REQUEST (unknown), FORBIDDEN, CONFLICT (it has ended) */
export function cancelInstance(
  { services, state, context }: Omit<RunScene, 'changes'>,
  { id, command, reason }: { readonly id: string; readonly command: string; readonly reason: string | null },
): Decision<boolean> | Asking {
  const instance = presentInstance(state, id);
  if (instance === undefined) throw unknownInstance(id);
  requireInstanceRight(context.caller, instance, 'cancel process instance');
  const scene = sceneOf(services, state, context);
  const why = bounded('reason', reason, 'reason') ?? `cancelled by ${context.caller.userId}`;
  const end = runInstance(scene, { command, instance, event: 'cancel', input: { type: 'cancel', reason: why } });
  return 'ask' in end ? end : scene.changes.decision(true);
}
