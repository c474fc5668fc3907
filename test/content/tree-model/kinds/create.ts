import type { Caller } from '../../../../src/shared/caller.js';
import { mayRead, seen } from '../model-rights.js';
import { childAt, childNamed, type ModelNode, type ModelProperty, stepsOf, type World } from '../model-tree.js';
import { definitionsOf, isA, isConcrete, isSound, mayHaveChild, mayRepeat, type Typed } from '../model-types.js';
import { begun } from '../model-versions.js';
import { isFull, isName, isPath, NAMES, someName, someParent, somePath } from '../places.js';
import { type Expected, NOT_FOUND, Rules } from '../rules.js';
import { type Chance, stepKind } from '../step.js';
import { type Given, givenProperties, settled } from './given.js';

const CONTENT = Buffer.from('text').toString('base64');

interface CreateFolder {
  readonly path: string;
  readonly name: string;
  readonly nodeType?: string;
  readonly createParents?: boolean;
}

const placeOf = (chance: Chance) => {
  const path = isFull(chance) ? '/nowhere' : somePath(chance, someParent(chance));
  const isDeeper = chance.random.chance(0.15);
  const deeper = chance.random.pick([`/${someName(chance)}`, `/${chance.random.pick(NAMES)}[2]`, '/d/e']);
  return { path: isDeeper ? `${path}${deeper}` : path, name: someName(chance) };
};

export const createFolder = stepKind<CreateFolder>({
  weight: 12,
  make: (chance) => ({
    ...placeOf(chance),
    createParents: chance.random.chance(0.7) && !isFull(chance),
    ...(chance.random.chance(0.1) && { nodeType: chance.random.pick(['nt:unstructured', 'nt:hierarchyNode']) }),
  }),
  apply: (world, { nodeType = 'nt:folder', ...input }, caller) => added(world, input, { type: nodeType }, caller),
});

export const createFile = stepKind<CreateFolder & { readonly content: object }>({
  weight: 10,
  make: (chance) => ({
    ...placeOf(chance),
    content: { inline: CONTENT, size: 4 },
    createParents: chance.random.chance(0.7) && !isFull(chance),
    ...(chance.random.chance(0.1) && { nodeType: chance.random.pick(['nt:unstructured', 'nt:folder']) }),
  }),
  apply: (world, { nodeType = 'nt:file', content, ...input }, caller) =>
    added(world, input, { type: nodeType, content }, caller),
});

interface Added {
  readonly type: string;
  /** The bytes of a file. */
  readonly content?: object;
}

const FOLDER: Typed = { type: 'nt:folder', mixins: [] };
const RESOURCE: Typed = { type: 'nt:resource', mixins: [] };

/** A folder or file of a name that nothing has, with the folders that are missing on the way to it. */
function added(world: World, { path, name, createParents }: CreateFolder, made: Added, caller: Caller): Expected {
  if (!isPath(path)) return NOT_FOUND;
  const there = seen(world, path, caller);
  if (there === undefined && createParents === false) return NOT_FOUND;
  const way = there === undefined ? wayTo(world, path, caller) : { at: there, missing: [] };
  const rules = new Rules(world, caller).granted(way.at, 'jcr:addChildNodes').changeable(way.at);
  if ('taken' in way) return rules.that(false, 'ALREADY_EXISTS').refusal ?? NOT_FOUND;
  const { at, missing } = way;
  const typed: Typed = { type: made.type, mixins: [] };
  const names = [...missing.map((step) => step.name), name];
  names.forEach((one, i) => {
    const parent = i === 0 ? at : FOLDER;
    const child = i === missing.length ? typed : FOLDER;
    rules.that(isName(one), 'BAD_REQUEST').that(mayHaveChild(parent, one, child), 'BAD_REQUEST');
  });
  // The second of a name cannot be made where there is no first, nor be asked for where it is not there.
  rules.that(
    missing.every(({ index }) => index === 1),
    'BAD_REQUEST',
  );
  rules.that(missing.length > 0 || childNamed(at, name) === undefined, 'ALREADY_EXISTS');
  rules.that(isConcrete(typed), 'BAD_REQUEST');
  if (made.content !== undefined) rules.that(mayHaveChild(typed, 'jcr:content', RESOURCE), 'BAD_REQUEST');
  if (made.content === undefined) rules.that(made.type !== 'nt:file', 'BAD_REQUEST');
  if (rules.refusal !== undefined) return rules.refusal;
  let parent = at;
  for (const step of missing) parent = newNode(world, parent, { name: step.name, ...FOLDER }, caller);
  const node = newNode(world, parent, { name, ...typed }, caller);
  if (made.content !== undefined) {
    const content = newNode(world, node, { name: 'jcr:content', ...RESOURCE }, caller);
    content.properties.set('jcr:data', single('Binary', made.content));
    content.properties.set('jcr:mimeType', single('String', 'application/octet-stream'));
  }
  return { answer: node };
}

/** How far the path leads to what may be seen, though not all above that may be, and what is missing; or what is there but must not be seen. */
function wayTo(world: World, path: string, caller: Caller) {
  const steps = stepsOf(path);
  const there = [world.root];
  for (const step of steps) {
    const child = childAt(there.at(-1) ?? world.root, step);
    if (child === undefined) break;
    there.push(child);
  }
  const last = Math.max(
    0,
    there.findLastIndex((node) => mayRead(node, caller)),
  );
  const at = there[last] ?? world.root;
  return last < there.length - 1 ? { at, taken: true } : { at, missing: steps.slice(last) };
}

export const single = (type: string, value: unknown): ModelProperty => ({ type, multiple: false, values: [value] });

type Made = Pick<ModelNode, 'name' | 'type'> & {
  readonly mixins: readonly string[];
  readonly properties?: ReadonlyMap<string, ModelProperty>;
};

/** The node with what its types set by themselves. */
export function newNode(world: World, parent: ModelNode, made: Made, caller: Caller): ModelNode {
  const { properties, ...rest } = made;
  const node = world.add(parent, { ...rest, mixins: [...made.mixins], properties: new Map(properties) });
  setAutomatic(world, node, caller);
  return node;
}

/** What is there already stays. */
export function setAutomatic(world: World, node: ModelNode, { userId }: Caller): void {
  const values = { now: new Date(world.now).toISOString(), user: userId, id: { $id: node.key } };
  for (const [name, { type, auto }] of definitionsOf(node))
    if (auto !== undefined && !node.properties.has(name)) node.properties.set(name, single(type, values[auto]));
  // What becomes versionable is checked out, behind the root version.
  if (isA(node, 'mix:versionable')) node.versioning ??= begun(world, node);
}

interface CreateNode {
  readonly path: string;
  readonly name: string;
  readonly nodeType: string;
  readonly mixins?: readonly string[];
  readonly properties?: readonly Given[];
  readonly allowSameNameSiblings?: boolean;
}

const NODE_TYPES = ['nt:unstructured', 'nt:unstructured', 'nt:unstructured', 'nt:folder', 'nt:folder'];
const ODD_TYPES = ['nt:file', 'nt:resource', 'nt:hierarchyNode', 'mix:title', 'nt:nonsense'];
const MIXINS = ['mix:referenceable', 'mix:title', 'mix:lockable', 'mi:anyChildren', 'mix:created', 'mix:versionable'];

export const createNode = stepKind<CreateNode>({
  weight: 22,
  make: (chance) => {
    const { random } = chance;
    return {
      path: isFull(chance) ? '/nowhere' : somePath(chance, someParent(chance)),
      name: someName(chance),
      nodeType: random.pick(random.chance(0.06) ? ODD_TYPES : NODE_TYPES),
      ...(random.chance(0.4) && { mixins: random.some(random.chance(0.05) ? ['nt:folder', 'mix:no'] : MIXINS) }),
      ...(random.chance(0.4) && { properties: givenProperties(chance) }),
      ...(random.chance(0.7) && { allowSameNameSiblings: random.chance(0.9) }),
    };
  },
  apply: (world, input, caller) => {
    const parent = isPath(input.path) ? seen(world, input.path, caller) : undefined;
    if (parent === undefined) return NOT_FOUND;
    const { name, mixins = [], nodeType, properties: given = [], allowSameNameSiblings = false } = input;
    const typed = { type: nodeType, mixins };
    const rules = new Rules(world, caller)
      .granted(parent, 'jcr:addChildNodes')
      .changeable(parent)
      .that(isName(name) && isConcrete(typed), 'BAD_REQUEST')
      .that(mayHaveChild(parent, name, typed), 'BAD_REQUEST')
      .that((allowSameNameSiblings && mayRepeat(parent)) || childNamed(parent, name) === undefined, 'ALREADY_EXISTS');
    const { properties, errors } = settled(world, typed, new Map(), given, caller);
    rules.that(errors.length === 0, 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    const node = newNode(world, parent, { name, ...typed, properties }, caller);
    if (isSound(node)) return { answer: node };
    parent.children.pop();
    world.fresh = world.fresh.filter((one) => one !== node);
    return NOT_FOUND;
  },
});
