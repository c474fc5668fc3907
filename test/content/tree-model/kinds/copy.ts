import type { Caller } from '../../../../src/shared/caller.js';
import { mayRead, privilegesAt, seen } from '../model-rights.js';
import { childNamed, isWithin, type ModelNode, type ModelProperty, pathOf, type World } from '../model-tree.js';
import { definitionOf, isA, isSound, mayHaveChild, mayRepeat } from '../model-types.js';
import { isFull, isName, isPath, someName, someNode, someParent, somePath } from '../places.js';
import { NOT_FOUND, Rules } from '../rules.js';
import { stepKind } from '../step.js';
import { newNode } from './create.js';

interface Copy {
  readonly sourcePath: string;
  readonly destPath: string;
  readonly name?: string;
  readonly allowSameNameSiblings?: boolean;
}

export const copyNode = stepKind<Copy>({
  weight: 4,
  make: (chance) => ({
    sourcePath: isFull(chance) ? '/nowhere' : pathOf(someNode(chance)),
    destPath: somePath(chance, someParent(chance)),
    ...(chance.random.chance(0.5) && { name: someName(chance) }),
    ...(chance.random.chance(0.5) && { allowSameNameSiblings: true }),
  }),
  apply: (world, { sourcePath, destPath, name: given, allowSameNameSiblings = false }, caller) => {
    const source = seen(world, sourcePath, caller);
    const dest = isPath(destPath) ? seen(world, destPath, caller) : undefined;
    const name = given ?? source?.name ?? '';
    if (source === undefined || dest === undefined || isWithin(dest, source)) return NOT_FOUND;
    const rules = new Rules(world, caller)
      .granted(dest, 'jcr:addChildNodes')
      .changeable(dest)
      .that(isName(name) && mayHaveChild(dest, name, source), 'BAD_REQUEST')
      .that((allowSameNameSiblings && mayRepeat(dest)) || childNamed(dest, name) === undefined, 'ALREADY_EXISTS');
    // What the caller may not read is left out, even where it must not be missing.
    rules.that(readable(source, caller).every(isWhole(caller)), 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    const copies = new Map<number, number>();
    const withLists = privilegesAt(dest, caller).has('jcr:modifyAccessControl');
    const copy = copied(world, dest, { source, name, caller, copies, withLists });
    redirect(copy, copies);
    return { answer: copy };
  },
});

function readable(node: ModelNode, caller: Caller): ModelNode[] {
  return mayRead(node, caller) ? [node, ...node.children.flatMap((child) => readable(child, caller))] : [];
}

const isWhole =
  (caller: Caller) =>
  (node: ModelNode): boolean =>
    isSound({ ...node, children: node.children.filter((child) => mayRead(child, caller)) });

interface Copying {
  readonly source: ModelNode;
  readonly name: string;
  readonly caller: Caller;
  /** The key of the copy by that of what is copied. */
  readonly copies: Map<number, number>;
  /** Whether the caller may set lists where the copy is made. */
  readonly withLists: boolean;
}

/** Without versions and lock, and without lists that the caller may not bring; what the repository says of a node is said anew. */
function copied(world: World, parent: ModelNode, copying: Copying): ModelNode {
  const { source, name, caller, copies, withLists } = copying;
  const kept = [...source.properties].filter(([one]) => definitionOf(source, one)?.isProtected !== true);
  const mixins = source.mixins.filter((mixin) => mixin !== 'mix:versionable');
  const isReferenceable = isA(source, 'mix:referenceable') && !isA({ ...source, mixins }, 'mix:referenceable');
  const made = { name, type: source.type, mixins: isReferenceable ? [...mixins, 'mix:referenceable'] : mixins };
  const copy = newNode(world, parent, { ...made, properties: new Map(kept) }, caller);
  copies.set(source.key, copy.key);
  if (withLists && privilegesAt(source, caller).has('jcr:readAccessControl')) copy.acl = [...source.acl];
  for (const child of source.children)
    if (mayRead(child, caller)) copied(world, copy, { ...copying, source: child, name: child.name });
  return copy;
}

/** References inside of what was copied lead to the copies. */
function redirect(node: ModelNode, copies: ReadonlyMap<number, number>): void {
  for (const [name, property] of node.properties)
    if (property.type.endsWith('Reference')) node.properties.set(name, redirected(property, copies));
  for (const child of node.children) redirect(child, copies);
}

const redirected = (property: ModelProperty, copies: ReadonlyMap<number, number>): ModelProperty => ({
  ...property,
  values: property.values.map((value) => {
    const { $id } = value as { readonly $id: number };
    return { $id: copies.get($id) ?? $id };
  }),
});
