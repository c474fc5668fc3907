import type { Random } from '../../support/random.js';
import { ACTORS } from './actors.js';
import { addMixin, deleteMixin, setProperties } from './kinds/change.js';
import { copyNode } from './kinds/copy.js';
import { createFile, createFolder, createNode } from './kinds/create.js';
import { lockNode, refreshLock, unlockNode } from './kinds/locks.js';
import { deleteNode, moveNode, orderNode, renameNode } from './kinds/move.js';
import { addVersionLabel, removeVersionLabel, restoreVersion, uncheckout } from './kinds/restore.js';
import { deleteAccessControl, setAccessControl } from './kinds/rights.js';
import { contentTransaction } from './kinds/transaction.js';
import { addVersionControl, checkin, checkout, checkpoint } from './kinds/versions.js';
import { pathOf, type World } from './model-tree.js';
import { type RevisionOf, type Step, type StepKind, stepKind } from './step.js';

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

/** Those that may be part of a transaction. */
const PARTS: Readonly<Record<string, StepKind>> = {
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
  uncheckout,
  removeVersionLabel,
};

/** All kinds of steps, by the names of the operations. */
export const STEP_KINDS: Readonly<Record<string, StepKind>> = {
  ...PARTS,
  // A version that a transaction makes has no name before.
  restoreVersion,
  addVersionLabel,
  contentTransaction: contentTransaction(PARTS),
  [WAIT]: wait,
};

/** Steps that may say which version of the node they expect. */
const EXPECTING = new Set(
  Object.keys(STEP_KINDS).filter((kind) => !/^(create|add.*Label|remove.*Label|contentTransaction|wait)/.test(kind)),
);

const LOTS = Object.entries(STEP_KINDS).flatMap(([kind, { weight }]) => Array<string>(weight).fill(kind));

/** A step that the world makes possible, or nearly. */
export function someStep(random: Random, world: World, lab: string): Step {
  const kind = random.pick(LOTS);
  // The administrator gets things going again that lists, locks and versions have brought to a stand.
  const actor = random.chance(0.2) ? 0 : random.below(ACTORS.length);
  const caller = ACTORS[actor];
  if (caller === undefined) throw new Error(`there is no actor ${actor}`);
  const input = kindOf(kind).make({ random, world, caller, lab });
  const locked = random.chance(0.1) ? world.all().filter(({ lock }) => lock !== null) : [];
  const shown = locked.length > 0 && { shows: pathOf(random.pick(locked)) };
  return { kind, actor, input: EXPECTING.has(kind) ? expecting(random, input) : input, ...shown };
}

function expecting(random: Random, input: { readonly path?: string; readonly sourcePath?: string }): object {
  const path = input.path ?? input.sourcePath;
  if (path === undefined || !random.chance(0.1)) return input;
  return { ...input, expectedVersion: { $revision: path, isStale: random.chance(0.3) } satisfies RevisionOf };
}

export function kindOf(name: string): StepKind {
  const kind = STEP_KINDS[name];
  if (kind === undefined) throw new Error(`there is no kind of steps '${name}'`);
  return kind;
}
