import { lockOf } from '../model-locks.js';
import { mayRead, seen } from '../model-rights.js';
import { contentOf, type ModelNode } from '../model-tree.js';
import { definitionOf, definitionsOf, isA, isResidual, isSound, typeNamed } from '../model-types.js';
import { isPath, someNode, somePath } from '../places.js';
import { NOT_FOUND, Rules } from '../rules.js';
import { stepKind } from '../step.js';
import { setAutomatic, single } from './create.js';
import { type Given, givenProperties, settled } from './given.js';
import { refersTo } from './move.js';

export const setProperties = stepKind<{ readonly path: string; readonly properties: readonly Given[] }>({
  weight: 14,
  make: (chance) => ({ path: somePath(chance), properties: givenProperties(chance) }),
  apply: (world, { path, properties: given }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const content = contentOf(node);
    const holder = content !== undefined && mayRead(content, caller) ? content : node;
    const rules = new Rules(world, caller).granted(holder, 'jcr:modifyProperties').changeable(holder);
    if (rules.refusal !== undefined) return rules.refusal;
    const { properties, errors } = settled(world, holder, holder.properties, given, caller);
    if (errors.length > 0) return { answer: { node, errors } };
    holder.properties = properties;
    if (isA(holder, 'mix:lastModified')) {
      holder.properties.set('jcr:lastModified', single('Date', new Date(world.now).toISOString()));
      holder.properties.set('jcr:lastModifiedBy', single('String', caller.userId));
    }
    return { answer: { node, errors: [] } };
  },
});

interface Mixin {
  readonly path: string;
  readonly mixinType: string;
}

const MIXINS = [
  'mix:referenceable',
  'mix:referenceable',
  'mix:lockable',
  'mix:versionable',
  'mix:title',
  'mix:created',
  'mix:lastModified',
  'mi:anyChildren',
  'mi:anyProperties',
];
const ODD_MIXINS = ['nt:folder', 'mix:nonsense', 'no:prefix'];

const isMixin = (name: string): boolean => typeNamed(name)?.mixin === true;

export const addMixin = stepKind<Mixin>({
  weight: 8,
  make: (chance) => ({
    path: somePath(chance),
    mixinType: chance.random.pick(chance.random.chance(0.05) ? ODD_MIXINS : MIXINS),
  }),
  apply: (world, { path, mixinType }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined || !isMixin(mixinType)) return NOT_FOUND;
    if (isA(node, mixinType)) return { answer: node };
    const after = withMixin(node, mixinType);
    const isGone = isA(after, 'mix:versionable') && world.histories.get(node.key)?.isGone === true;
    if (!isGone) setAutomatic(world, after, caller);
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:nodeTypeManagement')
      .changeable(node)
      .that(!isGone, 'UNAVAILABLE')
      .that(isGone || isSound(after), 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    Object.assign(node, after);
    return { answer: node };
  },
});

/** Whatever a mixin protects is the repository's own: nobody else's text of that name stays. */
export function withMixin(node: ModelNode, mixin: string): ModelNode {
  const after = { ...node, mixins: [...node.mixins, mixin], properties: new Map(node.properties) };
  const before = new Set(definitionsOf(node).map(([name]) => name));
  for (const [name, { isProtected }] of definitionsOf(after))
    if (isProtected === true && !before.has(name)) after.properties.delete(name);
  return after;
}

/** Whether the property goes with the mixin that alone defined it. JCR's own folders and resources take none but their own. */
function goesWith(before: ModelNode, after: ModelNode, name: string): boolean {
  const definition = definitionOf(before, name);
  if (definition === undefined) return !isResidual(after);
  if (definitionOf(after, name) !== undefined) return false;
  return definition.isProtected === true || !(isA(after, 'nt:unstructured') || isA(after, 'mi:anyProperties'));
}

export const deleteMixin = stepKind<Mixin>({
  weight: 5,
  make: (chance) => {
    const node = someNode(chance);
    const isOwn = node.mixins.length > 0 && chance.random.chance(0.85);
    return { path: somePath(chance, node), mixinType: chance.random.pick(isOwn ? node.mixins : MIXINS) };
  },
  apply: (world, { path, mixinType }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined || !isMixin(mixinType)) return NOT_FOUND;
    if (!node.mixins.includes(mixinType)) return { answer: node };
    const after = {
      ...node,
      mixins: node.mixins.filter((one) => one !== mixinType),
      properties: new Map(node.properties),
    };
    const isLost = (type: string) => isA(node, type) && !isA(after, type);
    for (const name of node.properties.keys()) if (goesWith(node, after, name)) after.properties.delete(name);
    const hasVersions = (world.histories.get(node.key)?.versions.length ?? 0) > 1;
    const isReferredTo = world.all().some((holder) => refersTo(holder, node));
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:nodeTypeManagement')
      .changeable(node)
      .that(!isLost('mix:simpleVersionable') || !hasVersions, 'CONFLICT')
      .that(!isLost('mix:referenceable') || !isReferredTo, 'CONFLICT')
      .that(!isLost('mix:lockable') || lockOf(node, world.now) === null, 'CONFLICT')
      .that(isSound(after), 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    if (isLost('mix:lockable')) node.lock = null;
    if (isLost('mix:simpleVersionable')) {
      node.versioning = null;
      world.histories.delete(node.key);
    }
    node.mixins = after.mixins;
    node.properties = after.properties;
    return { answer: node };
  },
});
