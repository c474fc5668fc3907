import { holds, isLockedBelow, lockOf, lockOver } from '../model-locks.js';
import { seen } from '../model-rights.js';
import type { ModelNode, World } from '../model-tree.js';
import { isA } from '../model-types.js';
import { isPath, someNode, somePath } from '../places.js';
import { NOT_FOUND, Rules } from '../rules.js';
import { type Chance, stepKind } from '../step.js';
import { withMixin } from './change.js';

interface LockNode {
  readonly path: string;
  readonly isDeep: boolean;
  readonly isSessionScoped: boolean;
  readonly timeout: number | null;
}

export const lockNode = stepKind<LockNode>({
  weight: 5,
  make: (chance) => ({
    path: somePath(chance),
    isDeep: chance.random.chance(0.4),
    isSessionScoped: chance.random.chance(0.2),
    timeout: chance.random.pick([null, null, 5, 30, 0]),
  }),
  apply: (world, { path, isDeep, isSessionScoped, timeout }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:lockManagement')
      .that(timeout === null || timeout > 0, 'BAD_REQUEST')
      .that(!isSessionScoped || caller.sessionId !== null, 'BAD_REQUEST')
      .that(lockOver(node, world.now) === null, 'CONFLICT')
      .that(!isLockedBelow(node, isDeep, caller, world.now), 'CONFLICT');
    if (rules.refusal !== undefined) return rules.refusal;
    if (!isA(node, 'mix:lockable')) Object.assign(node, withMixin(node, 'mix:lockable'));
    const sessionId = isSessionScoped ? caller.sessionId : null;
    node.lock = { token: world.newToken(), owner: caller.userId, deep: isDeep, sessionId, ...lasting(world, timeout) };
    return { answer: node };
  },
});

const lasting = ({ now }: World, timeout: number | null) =>
  timeout === null
    ? { expires: null, timeoutMs: null }
    : { expires: now + timeout * 1_000, timeoutMs: timeout * 1_000 };

/** A node that holds a lock, mostly. */
function someLocked(chance: Chance): ModelNode {
  const locked = chance.world.all().filter(({ lock }) => lock !== null);
  return locked.length > 0 && chance.random.chance(0.85) ? chance.random.pick(locked) : someNode(chance);
}

export const unlockNode = stepKind<{ readonly path: string }>({
  weight: 5,
  make: (chance) => ({ path: somePath(chance, someLocked(chance)) }),
  apply: (world, { path }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const lock = lockOf(node, world.now);
    const isOwn = lock !== null && (lock.owner === caller.userId || holds(lock, caller));
    const mayBreak = isOwn || caller.roles.includes('administrator');
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:lockManagement')
      .that(lock !== null && mayBreak, 'CONFLICT');
    if (rules.refusal !== undefined) return rules.refusal;
    node.lock = null;
    return { answer: true };
  },
});

export const refreshLock = stepKind<{ readonly path: string; readonly timeout: number | null }>({
  weight: 2,
  make: (chance) => ({ path: somePath(chance, someLocked(chance)), timeout: chance.random.pick([null, 10]) }),
  apply: (world, { path, timeout }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const lock = lockOf(node, world.now);
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:lockManagement')
      .that(lock !== null && holds(lock, caller), 'CONFLICT');
    if (rules.refusal !== undefined || lock === null) return rules.refusal ?? NOT_FOUND;
    const seconds = timeout ?? (lock.timeoutMs === null ? null : lock.timeoutMs / 1_000);
    node.lock = { ...lock, ...lasting(world, seconds) };
    return { answer: node };
  },
});
