import type { Caller } from '../../../../src/shared/caller.js';
import { type FrozenModelNode, isWithin, type ModelNode, pathOf, type World, within } from '../model-tree.js';
import { changeOf, doRestore, historyOf, type ModelRestore, type Placed, planOf } from '../model-versions.js';
import { somePath } from '../places.js';
import { type Expected, Rules } from '../rules.js';
import { type Chance, stepKind, type VersionOf } from '../step.js';
import { refersTo } from './move.js';
import { isRefusal, managed, someVersionable, type Versioned } from './versions.js';

interface Restore extends Versioned {
  readonly versionName?: VersionOf;
  readonly label?: string;
}

export const LABELS = ['l1', 'l2', 'l3'];

/** One of the versions of a node, now and then none. */
function someVersion({ random, world }: Chance, node: ModelNode): VersionOf {
  const count = historyOf(world, node).versions.length;
  const number = random.chance(0.05) ? count : random.chance(0.05) ? 0 : 1 + random.below(Math.max(count - 1, 1));
  return { $version: number, of: pathOf(node) };
}

/** How many nodes a restore compares by itself: what is larger is planned by a reader, which is none here. */
const SMALL_MAX = 60;

const sizeOf = (frozen: FrozenModelNode | null): number =>
  frozen === null ? 0 : frozen.children.reduce((sum, child) => sum + sizeOf(child), 1);

/** A node of which every restore is small, mostly versionable. */
function someRestorable(chance: Chance): ModelNode {
  const node = someVersionable(chance);
  const { versions } = historyOf(chance.world, node);
  const isSmall = [...within(node)].length <= SMALL_MAX && versions.every(({ frozen }) => sizeOf(frozen) <= SMALL_MAX);
  return isSmall ? node : (chance.world.at('/jcr:system') ?? node);
}

export const restoreVersion = stepKind<Restore>({
  weight: 6,
  make: (chance) => {
    const node = someRestorable(chance);
    const path = somePath(chance, node);
    const { random } = chance;
    return random.chance(0.2) ? { path, label: random.pick(LABELS) } : { path, versionName: someVersion(chance, node) };
  },
  apply: (world, { path, versionName, label = '' }, caller) => {
    const node = managed(world, path, caller, [null, 'CONFLICT']);
    if (isRefusal(node)) return node;
    const { versions, labels } = historyOf(world, node);
    const number = versionName === undefined ? labels.get(label) : versionName.$version;
    const rules = new Rules(world, caller)
      .that(number !== undefined && versions[number] !== undefined, 'NOT_FOUND')
      .that(number !== 0, 'BAD_REQUEST');
    return rules.refusal ?? restored({ world, caller, node }, number ?? 0, node);
  },
});

export const uncheckout = stepKind<Versioned>({
  weight: 2,
  make: (chance) => ({ path: somePath(chance, someRestorable(chance)) }),
  apply: (world, { path }, caller) => {
    const node = managed(world, path, caller, [true, 'BAD_REQUEST']);
    if (isRefusal(node)) return node;
    const number = node.versioning?.base ?? 0;
    return (
      new Rules(world, caller).that(number !== 0, 'BAD_REQUEST').refusal ??
      restored({ world, caller, node }, number, true)
    );
  },
});

interface Restoring {
  readonly world: World;
  readonly caller: Caller;
  readonly node: ModelNode;
}

function restored({ world, caller, node }: Restoring, number: number, answer: ModelNode | true): Expected {
  const plan = planOf(world, node, number);
  const trial = world.clone();
  const { isBusy, isLocked, gone } = doRestore(trial, planOf(trial, trialOf(trial, node), number), caller);
  const keys = new Set([...gone].map(({ key }) => key));
  const stays = trial.all();
  const rules = new Rules(world, caller)
    .that(!isBusy, 'UNAVAILABLE')
    .that(!plan.isLost, 'CONFLICT')
    .that(!isLocked, 'CONFLICT')
    .that(!stays.some((holder) => [...gone].some((target) => refersTo(holder, target))), 'CONFLICT')
    .that(areTargetsThere(stays, keys, plan), 'CONFLICT');
  const perhaps = new Rules(world, caller);
  for (const one of plan.placed) requirePlaceable({ world, caller, node }, one, { certain: rules, perhaps });
  const act = (): Expected => {
    doRestore(world, planOf(world, node, number), caller);
    return { answer };
  };
  if (rules.refusal !== undefined) return rules.refusal;
  if (perhaps.refusal === undefined) return act();
  return 'codes' in perhaps.refusal ? { ...perhaps.refusal, otherwise: act } : act();
}

const trialOf = (trial: World, { key }: ModelNode): ModelNode => trial.withKey(key) ?? trial.root;

/** Whether every strong reference of what is restored leads to a node. */
function areTargetsThere(stays: readonly ModelNode[], gone: ReadonlySet<number>, { placed }: ModelRestore): boolean {
  const there = new Set(stays.map(({ key }) => key));
  const written = new Set(placed.filter(({ isWritten }) => isWritten).map(({ frozen }) => frozen.key));
  const holders = stays.filter(({ key }) => written.has(key) && !gone.has(key));
  return holders.every(({ properties }) =>
    [...properties.values()].every(
      ({ type, values }) =>
        type !== 'Reference' || values.every((value) => there.has((value as { readonly $id: number }).$id)),
    ),
  );
}

/** Whether somebody else's lock or somebody's rights are in the way of a node, or perhaps are: where it may not be touched at all. */
function requirePlaceable(
  { world, node: root }: Restoring,
  placed: Placed,
  { certain, perhaps }: { readonly certain: Rules; readonly perhaps: Rules },
): void {
  const node = world.withKey(placed.frozen.key);
  const parent = placed.parent === null ? undefined : world.withKey(placed.parent);
  if (node === undefined) {
    if (parent !== undefined) certain.unlocked(parent);
    return;
  }
  const change = changeOf(node, placed);
  if (change === 'no') return;
  const rules = change === 'yes' ? certain : perhaps;
  rules.unlocked(node);
  if (parent !== undefined && node.parent !== parent) rules.unlocked(parent);
  if (!placed.isTaken || node.parent === null) return;
  rules
    .that(!isWithin(root, node), 'CONFLICT')
    .granted(node.parent, 'jcr:removeChildNodes')
    .granted(node, 'jcr:removeNode')
    .changeable(node.parent);
}

interface AddLabel extends Versioned {
  readonly versionName: VersionOf;
  readonly label: string;
  readonly moveLabel: boolean;
}

export const addVersionLabel = stepKind<AddLabel>({
  weight: 2,
  make: (chance) => {
    const node = someVersionable(chance);
    const label = chance.random.chance(0.04) ? 'a/b' : chance.random.pick(LABELS);
    const versionName = someVersion(chance, node);
    return { path: somePath(chance, node), versionName, label, moveLabel: chance.random.chance(0.5) };
  },
  apply: (world, { path, versionName: { $version }, label, moveLabel }, caller) => {
    const node = managed(world, path, caller, [null, 'CONFLICT']);
    if (isRefusal(node)) return node;
    const history = historyOf(world, node);
    const holder = history.labels.get(label);
    const rules = new Rules(world, caller)
      .that(history.versions[$version] !== undefined, 'NOT_FOUND')
      .that($version !== 0 && !label.includes('/'), 'BAD_REQUEST')
      .that(holder === undefined || holder === $version || moveLabel, 'ALREADY_EXISTS');
    if (rules.refusal !== undefined) return rules.refusal;
    world.histories.set(node.key, { ...history, labels: new Map([...history.labels, [label, $version]]) });
    return { answer: 'version' };
  },
});

export const removeVersionLabel = stepKind<Versioned & { readonly label: string }>({
  weight: 1,
  make: (chance) => ({ path: somePath(chance, someVersionable(chance)), label: chance.random.pick(LABELS) }),
  apply: (world, { path, label }, caller) => {
    const node = managed(world, path, caller, [null, 'CONFLICT']);
    if (isRefusal(node)) return node;
    const history = historyOf(world, node);
    const rules = new Rules(world, caller).that(history.labels.has(label), 'NOT_FOUND');
    if (rules.refusal !== undefined) return rules.refusal;
    const labels = new Map(history.labels);
    labels.delete(label);
    world.histories.set(node.key, { ...history, labels });
    return { answer: 'version' };
  },
});
