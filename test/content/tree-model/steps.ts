import { ACTORS } from './actors.js';
import { addMixin, deleteMixin, setProperties } from './kinds/change.js';
import { copyNode } from './kinds/copy.js';
import { createFile, createFolder, createNode } from './kinds/create.js';
import { lockNode, refreshLock, unlockNode } from './kinds/locks.js';
import { deleteNode, moveNode, orderNode, renameNode } from './kinds/move.js';
import { deleteAccessControl, setAccessControl } from './kinds/rights.js';
import { addVersionControl, checkin, checkout, checkpoint } from './kinds/versions.js';
import type { World } from './model-tree.js';
import type { Random } from './random.js';
import { type Step, type StepKind, stepKind } from './step.js';

/** Time passes; no operation. */
export const WAIT = 'wait';

const wait = stepKind<{ readonly ms: number }>({
  weight: 2,
  make: ({ random }) => ({ ms: 1_000 * (1 + random.below(20)) }),
  apply: (world, { ms }) => {
    world.now += ms;
    return { answer: true };
  },
});

/** All kinds of steps, by the names of the operations. */
export const STEP_KINDS: Readonly<Record<string, StepKind>> = {
  createFolder,
  createFile,
  createNode,
  moveNode,
  renameNode,
  deleteNode,
  orderNode,
  setProperties,
  addMixin,
  deleteMixin,
  setAccessControl,
  deleteAccessControl,
  lockNode,
  unlockNode,
  refreshLock,
  copyNode,
  addVersionControl,
  checkin,
  checkout,
  checkpoint,
  [WAIT]: wait,
};

const LOTS = Object.entries(STEP_KINDS).flatMap(([kind, { weight }]) => Array<string>(weight).fill(kind));

/** A step that the world makes possible, or nearly. */
export function someStep(random: Random, world: World, lab: string): Step {
  const kind = random.pick(LOTS);
  // The administrator gets things going again that lists, locks and versions have brought to a stand.
  const actor = random.chance(0.2) ? 0 : random.below(ACTORS.length);
  const caller = ACTORS[actor];
  if (caller === undefined) throw new Error(`there is no actor ${actor}`);
  return { kind, actor, input: kindOf(kind).make({ random, world, caller, lab }) };
}

export function kindOf(name: string): StepKind {
  const kind = STEP_KINDS[name];
  if (kind === undefined) throw new Error(`there is no kind of steps '${name}'`);
  return kind;
}
