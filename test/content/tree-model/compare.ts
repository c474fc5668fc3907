import assert from 'node:assert/strict';
import {
  type ChildrenPage,
  type ContentNode,
  contentChildren,
  contentReferences,
  smallChildren,
  privilegesAt as storedPrivilegesAt,
} from '../../../src/content/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import type { Page } from '../../../src/store/index.js';
import type { Random } from '../../support/random.js';
import { USERS } from './actors.js';
import { isIdOf } from './kinds/move.js';
import type { Lockstep } from './lockstep.js';
import { mayRead, PRIVILEGES, privilegesAt } from './model-rights.js';
import { contentOf, type ModelLock, type ModelNode, type ModelProperty, pathOf } from './model-tree.js';
import { isOrdered } from './model-types.js';
import { historyOf } from './model-versions.js';

/** Whether all that is stored is what the model has: no node more, none less, each the same, in the same order. */
export function compareTrees({ world, subject, identities }: Lockstep): void {
  const stored = new Map(subject.stored().map((node) => [node.id, node]));
  const all = world.all();
  for (const node of all) {
    const found = stored.get(identities.of(node));
    assert.ok(found, `${pathOf(node)} is not stored`);
    assert.deepEqual(storedFacts(found), modelFacts(node, identities), `${pathOf(node)} is another`);
  }
  const known = new Set(all.map((node) => identities.of(node)));
  for (const node of stored.values()) assert.ok(known.has(node.id), `'${node.name}' (${node.type}) should be gone`);
  const byParent = groups([...stored.values()]);
  for (const node of all) {
    if (node.versioning === null) continue;
    const id = identities.of(node);
    const { versions, labels } = historyOf(world, node);
    assert.equal(subject.versionNamesOf(id).length, versions.length, `the number of versions of ${pathOf(node)}`);
    assert.deepEqual(subject.labelsOf(id), labels, `the labels of ${pathOf(node)}`);
  }
  for (const node of all) compareOrder(node, byParent.get(identities.of(node)) ?? [], identities);
}

function groups(stored: readonly ContentNode[]): ReadonlyMap<string, ContentNode[]> {
  const found = new Map<string, ContentNode[]>();
  for (const node of stored) {
    const siblings = found.get(node.parent ?? '');
    if (siblings === undefined) found.set(node.parent ?? '', [node]);
    else siblings.push(node);
  }
  return found;
}

type Identities = Lockstep['identities'];

function compareOrder(node: ModelNode, children: readonly ContentNode[], identities: Identities): void {
  if (!isOrdered(node)) return;
  const inOrder = [...children].sort((a, b) => bytesOrder(a.order ?? '', b.order ?? ''));
  assert.deepEqual(
    inOrder.map(({ id }) => id),
    node.children.map((child) => identities.of(child)),
    `the children of ${pathOf(node)} are in another order`,
  );
}

const storedFacts = ({ parent, name, type, mixins, properties, acl = [], lock, versioning }: ContentNode) => ({
  parent,
  name,
  type,
  mixins,
  properties,
  acl,
  lock: lock === undefined ? null : lockFacts(lock),
  checkedOut: versioning?.checkedOut,
});

const lockFacts = ({ owner, deep, sessionId, expires, timeoutMs }: ModelLock): Omit<ModelLock, 'token'> => ({
  owner,
  deep,
  sessionId,
  expires,
  timeoutMs,
});

const modelFacts = (node: ModelNode, identities: Identities) => ({
  parent: node.parent === null ? null : identities.of(node.parent),
  name: node.name,
  type: node.type,
  mixins: node.mixins,
  properties: Object.fromEntries(
    [...node.properties].map(([name, property]) => [name, propertyFacts(property, identities)]),
  ),
  acl: node.acl,
  lock: node.lock === null ? null : lockFacts(node.lock),
  checkedOut: node.versioning?.checkedOut,
});

function propertyFacts({ type, multiple, values }: ModelProperty, identities: Identities) {
  const told = values.map((value) =>
    typeof value === 'object' && value !== null && '$id' in value ? identities.of({ key: Number(value.$id) }) : value,
  );
  return multiple ? { type, values: told } : { type, value: told[0] };
}

const bytesOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Whether the user finds the node, and may do with it what the model says. */
export function compareNode({ subject, identities }: Lockstep, node: ModelNode, caller: Caller): void {
  const path = pathOf(node);
  const view = subject.view(caller);
  const found = view.at(path);
  const isSeen = mayRead(node, caller);
  assert.equal(found?.id, isSeen ? identities.of(node) : undefined, `${caller.userId} at ${path}`);
  if (found === undefined) return;
  assert.equal(view.tree.pathOf(found), path);
  const granted = storedPrivilegesAt(view, path).filter((one) => PRIVILEGES.includes(one));
  assert.deepEqual(new Set(granted), privilegesAt(node, caller), `the rights of ${caller.userId} at ${path}`);
}

/** Whether the user gets the children page by page, in order and counted. */
export function compareChildren(at: Lockstep, node: ModelNode, caller: Caller, first: number): void {
  const { subject, identities, world } = at;
  // Histories are shown below it that are no nodes.
  if (!mayRead(node, caller) || node.type === 'mi:versionStorage') return;
  const readable = node.children.filter((child) => mayRead(child, caller));
  const inOrder = isOrdered(node) ? readable : [...readable].sort((a, b) => bytesOrder(a.name, b.name));
  const parentId = identities.of(node);
  const rest = { parentId, partition: 'test', now: world.now };
  const what = `the children of ${pathOf(node)} for ${caller.userId}`;
  const ask = (after: string | null) => {
    const asked = { first, after, count: true };
    const page = subject.query(contentChildren, { ...rest, ...asked }, caller).answer;
    compareSmall(at, { parentId, caller, page: asked, what }, page);
    return page;
  };
  const ids = pages(ask, inOrder, what);
  assert.deepEqual(
    ids,
    inOrder.map((child) => identities.of(child)),
    what,
  );
}

interface SmallAsked {
  readonly parentId: string;
  readonly caller: Caller;
  readonly page: ChildrenPage;
  readonly what: string;
}

/** Whether a page that is read at once is the reader's, and each node of it has what is found for all of them together. */
function compareSmall({ subject }: Lockstep, { parentId, caller, page, what }: SmallAsked, given: Page): void {
  const [quick, view] = [subject.quickView(caller), subject.view(caller)];
  const parent = quick.get(parentId);
  const small = parent && smallChildren(quick, parent, page);
  if (small === undefined) return;
  const { revision: _, rows, ...rest } = given;
  const shown = rows.map(({ body, cursor }) => ({ node: JSON.parse(body) as ContentNode, cursor }));
  const { rows: found, ...restFound } = small;
  const quickly = found.map(({ node, cursor }) => ({ node, cursor }));
  assert.deepEqual({ ...restFound, rows: quickly }, { ...rest, rows: shown }, `${what}, at once`);
  quick.together(quickly.map(({ node }) => node));
  for (const { node } of quickly) {
    assert.deepEqual(quick.contentOf(node), view.contentOf(node), `the content of ${node.name} of ${what}`);
    const hasChildren = view.hasChildren(node);
    if (hasChildren !== undefined) assert.equal(quick.hasChildren(node), hasChildren, `below ${node.name} of ${what}`);
    assert.equal(quick.tree.pathOf(node), view.tree.pathOf(node));
    assert.equal(quick.isWritable(node), view.isWritable(node), `whether ${node.name} of ${what} can be changed`);
  }
}

/** All pages to the end; each with the right total. */
function pages(ask: (after: string | null) => Page, all: readonly unknown[], what: string): string[] {
  const ids: string[] = [];
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { rows, hasNextPage, totalCount } = ask(after);
    ids.push(...rows.map(({ id }) => id));
    assert.equal(totalCount, all.length, `the number of ${what}`);
    assert.equal(hasNextPage, ids.length < all.length, `whether there are more of ${what}`);
    after = rows.at(-1)?.cursor ?? null;
    isMore = hasNextPage;
  }
  return ids;
}

interface Reference {
  readonly id: string;
  readonly isWeak: boolean;
  readonly propertyNames: readonly string[];
}

/** Whether the user is told who refers to the node, and by what. */
export function compareReferences(at: Lockstep, node: ModelNode, caller: Caller, first: number): void {
  const { subject, identities, world } = at;
  if (!mayRead(node, caller)) return;
  const holders = world.all().filter((one) => mayRead(one, caller));
  const expected = ['Reference', 'WeakReference'].flatMap((type) =>
    holders
      .filter((one) => namesOf(one, node, type).length > 0)
      .flatMap((one) => toldReference(one, node, type, caller) ?? [])
      .map(({ shown, names }) => ({
        id: identities.of(shown),
        isWeak: type === 'WeakReference',
        propertyNames: [...new Set(names)].sort(),
      })),
  );
  const rest = { targetId: identities.of(node), first, partition: 'test', now: world.now, count: true };
  const what = `the references to ${pathOf(node)} for ${caller.userId}`;
  const found: Reference[] = [];
  const ask = (after: string | null): Page => {
    const { answer } = subject.query(contentReferences, { ...rest, after }, caller);
    for (const { id, isWeak, propertyNames } of answer.rows)
      found.push({ id, isWeak, propertyNames: [...propertyNames].sort() });
    return answer;
  };
  pages(ask, expected, what);
  const sorted = (all: readonly Reference[]) => all.map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(found), sorted(expected), what);
}

/** What a holder is told as: for a content stands its file, unless that is told by itself and tells of its content too. */
function toldReference(holder: ModelNode, target: ModelNode, type: string, caller: Caller) {
  const file = holder.parent !== null && contentOf(holder.parent) === holder ? holder.parent : null;
  if (file !== null) {
    const isTold = !mayRead(file, caller) || namesOf(file, target, type).length > 0;
    return isTold ? undefined : { shown: file, names: namesOf(holder, target, type) };
  }
  const content = contentOf(holder);
  const inContent = content !== undefined && mayRead(content, caller) ? namesOf(content, target, type) : [];
  return { shown: holder, names: [...namesOf(holder, target, type), ...inContent] };
}

const namesOf = (holder: ModelNode, target: ModelNode, type: string): string[] =>
  [...holder.properties].flatMap(([name, property]) =>
    property.type === type && property.values.some((value) => isIdOf(value, target)) ? [name] : [],
  );

/** A look here and there, as cheap as a step. */
export function compareSome(at: Lockstep, random: Random): void {
  const node = random.pick(at.world.all());
  const caller = random.pick(USERS);
  if (random.chance(0.5)) compareNode(at, node, caller);
  const first = 1 + random.below(4);
  if (random.chance(0.1)) compareChildren(at, node.parent ?? node, caller, first);
  if (random.chance(0.05)) compareReferences(at, node, caller, first);
}

/** The keys of nodes that a reference leads to. */
function referredIn(nodes: readonly ModelNode[]): ReadonlySet<number> {
  const values = nodes.flatMap(({ properties }) => [...properties.values()].flatMap((property) => property.values));
  return new Set(values.flatMap((value) => (isId(value) ? [value.$id] : [])));
}

const isId = (value: unknown): value is { readonly $id: number } =>
  typeof value === 'object' && value !== null && '$id' in value;

/** Everything, for everybody. */
export function compareAll(at: Lockstep): void {
  compareTrees(at);
  const referred = referredIn(at.world.all());
  for (const caller of USERS) {
    for (const node of at.world.all()) {
      compareNode(at, node, caller);
      if (node.children.length > 0) compareChildren(at, node, caller, 3);
      if (referred.has(node.key)) compareReferences(at, node, caller, 2);
    }
  }
}
