import type { Caller } from '../../../../src/shared/caller.js';
import { seen } from '../model-rights.js';
import type { ModelNode, World } from '../model-tree.js';
import { isA, isSound } from '../model-types.js';
import { addVersion } from '../model-versions.js';
import { isPath, someNode, somePath } from '../places.js';
import { type Code, type Expected, NOT_FOUND, Rules } from '../rules.js';
import { type Chance, stepKind } from '../step.js';
import { withMixin } from './change.js';
import { setAutomatic } from './create.js';

export interface Versioned {
  readonly path: string;
}

/** A node that is versionable, mostly. */
export function someVersionable(chance: Chance): ModelNode {
  const found = chance.world.all().filter(({ versioning }) => versioning !== null);
  return found.length > 0 && chance.random.chance(0.9) ? chance.random.pick(found) : someNode(chance);
}

const make = (chance: Chance): Versioned => ({ path: somePath(chance, someVersionable(chance)) });

/** A node whose versions the caller may manage, if it is as it must be (null: either way); else the refusal. */
export function managed(
  world: World,
  path: string,
  caller: Caller,
  [checkedOut, otherwise]: readonly [boolean | null, Code],
): ModelNode | Expected {
  const node = isPath(path) ? seen(world, path, caller) : undefined;
  if (node === undefined) return NOT_FOUND;
  const rules = new Rules(world, caller)
    .that(node.versioning !== null, 'BAD_REQUEST')
    .granted(node, 'jcr:versionManagement')
    .unlocked(node)
    .that(
      node.versioning === null || (checkedOut ?? node.versioning.checkedOut) === node.versioning.checkedOut,
      otherwise,
    );
  return rules.refusal ?? node;
}

export const isRefusal = (found: ModelNode | Expected): found is Expected => 'codes' in found || 'answer' in found;

export const checkin = stepKind<Versioned>({
  weight: 3,
  make,
  apply: (world, { path }, caller) => {
    const node = managed(world, path, caller, [true, 'UNAVAILABLE']);
    if (isRefusal(node)) return node;
    addVersion(world, node, false);
    return { answer: 'version' };
  },
});

export const checkpoint = stepKind<Versioned>({
  weight: 1,
  make,
  apply: (world, { path }, caller) => {
    const node = managed(world, path, caller, [true, 'BAD_REQUEST']);
    if (isRefusal(node)) return node;
    addVersion(world, node, true);
    return { answer: 'version' };
  },
});

export const checkout = stepKind<Versioned>({
  weight: 6,
  make,
  apply: (world, { path }, caller) => {
    const node = managed(world, path, caller, [false, 'UNAVAILABLE']);
    if (isRefusal(node)) return node;
    node.versioning = { checkedOut: true, base: node.versioning?.base ?? 0 };
    return { answer: true };
  },
});

export const addVersionControl = stepKind<Versioned>({
  weight: 1,
  make: (chance) => ({ path: somePath(chance) }),
  apply: (world, { path }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const after = withMixin(node, 'mix:versionable');
    const isGone = world.histories.get(node.key)?.isGone === true;
    if (!isGone) setAutomatic(world, after, caller);
    const rules = new Rules(world, caller)
      .that(!isA(node, 'mix:versionable') && (isGone || isSound(after)), 'BAD_REQUEST')
      .that(!isGone, 'UNAVAILABLE')
      .granted(node, 'jcr:nodeTypeManagement', 'jcr:versionManagement')
      .changeable(node);
    if (rules.refusal !== undefined) return rules.refusal;
    Object.assign(node, after);
    addVersion(world, node, false);
    return { answer: node };
  },
});
