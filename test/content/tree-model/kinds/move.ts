import type { Caller } from '../../../../src/shared/caller.js';
import { seen } from '../model-rights.js';
import {
  childAt,
  childNamed,
  detach,
  isWithin,
  type ModelNode,
  pathOf,
  stepsOf,
  type World,
  within,
} from '../model-tree.js';
import { isOrdered, mandatoryChildOf, mayHaveChild, mayRepeat } from '../model-types.js';
import { forgetHistories } from '../model-versions.js';
import {
  innerNode,
  innerPath,
  isFull,
  isName,
  isPath,
  orderedParent,
  someName,
  someParent,
  somePath,
} from '../places.js';
import { type Expected, NOT_FOUND, Rules } from '../rules.js';
import { stepKind } from '../step.js';

interface Move {
  readonly sourcePath: string;
  readonly destPath: string;
  readonly name?: string;
}

export const moveNode = stepKind<Move>({
  weight: 10,
  make: (chance) => {
    const node = innerNode(chance);
    const isBelowItself = chance.random.chance(0.1);
    const dest = isBelowItself ? chance.random.pick([...within(node)]) : someParent(chance);
    const sourcePath = pathOf(node);
    return {
      sourcePath: sourcePath === chance.lab ? '/nowhere' : sourcePath,
      destPath: somePath(chance, dest),
      ...(chance.random.chance(0.4) && { name: someName(chance) }),
    };
  },
  apply: (world, { sourcePath, destPath, name }, caller) => {
    const node = seen(world, sourcePath, caller);
    const parent = isPath(destPath) ? seen(world, destPath, caller) : undefined;
    return node === undefined || parent === undefined ? NOT_FOUND : moved(world, node, parent, name, caller);
  },
});

export const renameNode = stepKind<{ readonly path: string; readonly name: string }>({
  weight: 7,
  make: (chance) => ({ path: innerPath(chance), name: someName(chance) }),
  apply: (world, { path, name }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    return node?.parent == null ? NOT_FOUND : moved(world, node, node.parent, name, caller);
  },
});

function moved(world: World, node: ModelNode, parent: ModelNode, given: string | undefined, caller: Caller): Expected {
  const name = given ?? node.name;
  const from = node.parent;
  if (from === null || !isName(name)) return NOT_FOUND;
  if (parent === from && name === node.name) return { answer: node };
  const rules = new Rules(world, caller)
    .granted(node, 'jcr:removeNode')
    .granted(from, 'jcr:removeChildNodes')
    .granted(parent, 'jcr:addChildNodes')
    .changeable(from)
    .changeable(parent)
    .unlocked(node)
    .that(!isWithin(parent, node), 'BAD_REQUEST')
    .that(mayHaveChild(parent, name, node), 'BAD_REQUEST')
    .that(mandatoryChildOf(from) !== node.name, 'BAD_REQUEST')
    .that(mayRepeat(parent) || childNamed(parent, name) === undefined, 'ALREADY_EXISTS');
  if (rules.refusal !== undefined) return rules.refusal;
  const isShared = childNamed(parent, name) !== undefined;
  node.name = name;
  if (parent !== from || isShared) {
    detach(node);
    node.parent = parent;
    node.place = world.newPlace(parent);
    parent.children.push(node);
  }
  return { answer: node };
}

export const deleteNode = stepKind<{ readonly path: string }>({
  weight: 7,
  make: (chance) => {
    if (chance.random.chance(0.2)) return { path: innerPath(chance) };
    // Something large where there is much, else something small.
    const bySize = [innerNode(chance), innerNode(chance), innerNode(chance)]
      .map((node) => ({ node, size: [...within(node)].length }))
      .sort((a, b) => (isFull(chance) ? b.size - a.size : a.size - b.size));
    const path = pathOf(bySize[0]?.node ?? innerNode(chance));
    return { path: path === chance.lab ? '/nowhere' : path };
  },
  apply: (world, { path }, caller) => {
    if (!isPath(path)) return NOT_FOUND;
    const node = seen(world, path, caller);
    if (node === undefined) return { answer: false };
    if (node.parent === null) return NOT_FOUND;
    const gone = new Set(within(node));
    const rules = new Rules(world, caller)
      .granted(node.parent, 'jcr:removeChildNodes')
      .changeable(node.parent)
      .that(mandatoryChildOf(node.parent) !== node.name, 'BAD_REQUEST');
    for (const one of gone) rules.granted(one, 'jcr:removeNode').unlocked(one);
    const stays = world.all().filter((one) => !gone.has(one));
    rules.that(!stays.some((holder) => [...gone].some((target) => refersTo(holder, target))), 'CONFLICT');
    if (rules.refusal !== undefined) return rules.refusal;
    detach(node);
    const versioned = [...gone].filter(({ versioning }) => versioning !== null);
    forgetHistories(
      world,
      versioned.map(({ key }) => key),
    );
    return { answer: true };
  },
});

/** Whether a REFERENCE of the holder leads to the target. */
export const refersTo = (holder: ModelNode, target: ModelNode, type = 'Reference'): boolean =>
  [...holder.properties.values()].some(
    (property) => property.type === type && property.values.some((value) => isIdOf(value, target)),
  );

export const isIdOf = (value: unknown, { key }: ModelNode): boolean =>
  typeof value === 'object' && value !== null && '$id' in value && value.$id === key;

export const orderNode = stepKind<{ readonly path: string; readonly before: string | null }>({
  weight: 7,
  make: (chance) => {
    const { random } = chance;
    const parent = orderedParent(chance);
    const children = parent.children.length > 0 ? parent.children : [parent];
    const name = pathOf(random.pick(children)).split('/').at(-1) ?? '';
    const odd = random.pick(['missing', '..', `${name}/a`, '.', `../${name}`]);
    const before = random.chance(0.2) ? null : random.chance(0.06) ? odd : name;
    return { path: somePath(chance, random.pick(children)), before };
  },
  apply: (world, { path, before }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    const parent = node?.parent;
    if (node === undefined || parent == null) return NOT_FOUND;
    const sibling = before === null ? undefined : siblingAt(parent, before);
    const isSeen = sibling !== undefined && seen(world, pathOf(sibling), caller) !== undefined;
    const rules = new Rules(world, caller)
      .that(isOrdered(parent), 'BAD_REQUEST')
      .that(before === null || isSeen, 'BAD_REQUEST')
      .granted(parent, 'jcr:addChildNodes')
      .changeable(parent);
    if (rules.refusal !== undefined) return rules.refusal;
    if (sibling === node) return { answer: node };
    detach(node);
    node.place = world.newPlace(parent);
    parent.children.splice(sibling === undefined ? parent.children.length : parent.children.indexOf(sibling), 0, node);
    return { answer: node };
  },
});

function siblingAt(parent: ModelNode, text: string): ModelNode | undefined {
  const [step, ...more] = stepsOf(text);
  return step === undefined || more.length > 0 ? undefined : childAt(parent, step);
}
