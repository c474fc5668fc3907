import type { Caller } from '../../shared/caller.js';
import { badRequest, type ErrorInfo, limitExceeded } from '../../shared/errors.js';
import type { Draft } from '../../store/index.js';
import { autoCreated, type CreationContext } from '../type/auto-created.js';
import type { EffectiveChild, EffectiveType } from '../type/effective-type.js';
import { RESIDUAL } from '../type/node-type.js';
import type { TypeRegistry } from '../type/type-registry.js';
import {
  addedProblems,
  type ChildFacts,
  type NodeFacts,
  type NodeProblem,
  repositoryType,
  validateNode,
} from '../type/validate-node.js';
import { dateOfInstant } from '../value/date-value.js';
import type { NamespaceRegistry } from '../value/names.js';
import type { Property } from '../value/property.js';
import type { Access } from './access.js';
import { type ContentNode, nodes, ROOT_ID, STANDARD_FOLDERS } from './node.js';
import type { Tree } from './tree.js';

type Typed = Pick<ContentNode, 'type' | 'mixins'>;

export const isOfSameTypes = (a: Typed, b: Typed): boolean => a.type === b.type && a.mixins.join() === b.mixins.join();

export const ETAG = 'jcr:etag';

/** A change, as far as types look at it. */
interface TypedChange {
  readonly draft: Pick<Draft, 'get' | 'before' | 'find' | 'revision'>;
  readonly tree: Pick<Tree, 'get' | 'child' | 'parentOf'>;
  readonly access: Pick<Access, 'canRead'>;
  readonly caller: Caller;
  /** Whether the repository itself writes: what types protect, and nodes of its own types. */
  readonly writesProtected: boolean;
  readonly now: number;
  pathOf(node: ContentNode): string;
  /** What a message to the caller calls the node. */
  nameOf(node: ContentNode): string;
  /** The node's id as a refusal may tell it to the caller. */
  resourceOf(node: ContentNode): Pick<ErrorInfo, 'resourceId'>;
  /** Lets the repository itself set properties that types protect. */
  exempt(id: string, names: readonly string[]): void;
  exempted(id: string): ReadonlySet<string>;
}

/** A child that is to be added. */
interface AddedChild {
  readonly name: string;
  /** Null: what the parent's type says. */
  readonly type: string | null;
  readonly mixins: readonly string[];
  /** Whether the parent's type creates it, which may protect it. Default: false. */
  readonly isAutoCreated?: boolean;
}

/** The node types and namespaces of a workspace, and what they say of its nodes. */
export class Types {
  readonly registry: TypeRegistry;
  readonly namespaces: NamespaceRegistry;

  constructor(registry: TypeRegistry, namespaces: NamespaceRegistry) {
    this.registry = registry;
    this.namespaces = namespaces;
  }

  of({ type, mixins }: Typed): EffectiveType {
    return this.registry.effective(type, mixins);
  }

  isA(node: Typed, type: string): boolean {
    return this.of(node).isA(type);
  }

  isOrderable(node: Typed): boolean {
    return this.of(node).orderable;
  }

  /**
   * The type of a child to be added, and whether others may have its name.
   * @throws BAD_REQUEST the parent's types allow no such child, or no type is given and there is none by default
   */
  childOf(
    change: TypedChange,
    parent: ContentNode,
    { name, type, mixins, isAutoCreated = false }: AddedChild,
  ): { readonly type: string; readonly sns: boolean } {
    const effective = this.of(parent);
    const resolved = type ?? effective.defaultChildType(name);
    if (resolved === null) {
      throw badRequest(`expected a node type for '${name}', as '${parent.type}' has none for its children by default`);
    }
    const facts: NodeFacts = {
      type: parent.type,
      mixins: parent.mixins,
      properties: parent.properties,
      // Made for a refusal alone: a path takes its time.
      get path() {
        return change.pathOf(parent);
      },
      protectedAllowed: isAutoCreated || change.writesProtected,
    };
    refuse(addedProblems(this.registry, facts, { name, type: resolved, mixins, sameNamed: false }));
    const definition = effective.childDefinition(name, this.registry.effective(resolved, mixins));
    return { type: resolved, sns: definition?.sameNameSiblings ?? false };
  }

  /** Properties and children that come into being with the node. */
  autoCreated(node: ContentNode, { userId, now }: { readonly userId: string; readonly now: number }) {
    const context: CreationContext = {
      userId,
      now: dateOfInstant(now) ?? '',
      id: node.id,
      namespaces: this.namespaces,
    };
    return autoCreated(this.registry, node.type, node.mixins, context);
  }

  /** The node with the time and the user of its last change, where its type records them and the change did not set them itself. */
  touched(change: TypedChange, node: ContentNode): ContentNode {
    if (!this.isA(node, 'mix:lastModified')) return node;
    const before = change.draft.get(nodes, node.id)?.properties;
    const isSet = !isEqual(node.properties['jcr:lastModified'], before?.['jcr:lastModified']);
    const by: Property = { type: 'String', value: change.caller.userId };
    const at: Property = { type: 'Date', value: dateOfInstant(change.now) ?? '' };
    const stamps = isSet ? { 'jcr:lastModifiedBy': by } : { 'jcr:lastModified': at, 'jcr:lastModifiedBy': by };
    change.exempt(node.id, Object.keys(stamps));
    return { ...node, properties: { ...node.properties, ...stamps } };
  }

  /** The node with another entity tag, where its types record one. */
  retagged(change: TypedChange, node: ContentNode): ContentNode {
    if (node.properties[ETAG] === undefined || !this.isA(node, 'mix:etag')) return node;
    change.exempt(node.id, [ETAG]);
    const value = `"${node.id}-${change.draft.revision}"`;
    return { ...node, properties: { ...node.properties, [ETAG]: { type: 'String', value } } };
  }

  /** @throws BAD_REQUEST every workspace has the node, or a type protects it from being moved or removed by itself */
  requireRemovable(change: TypedChange, node: ContentNode): void {
    const parent = change.tree.parentOf(node);
    if (parent === undefined) return;
    if (parent.id === ROOT_ID && STANDARD_FOLDERS.has(node.name)) throw standardFolder(change, node);
    const facts = { ...parent, path: change.pathOf(parent), changed: [], removed: [node] };
    const problems = validateNode(this.registry, { ...facts, protectedAllowed: change.writesProtected });
    refuse(problems.filter(({ rule }) => rule === 'protected_child'));
  }

  /** Problems of the node as it would be, compared with what it was before the draft, or with nothing where `isNew`. */
  problems(change: TypedChange, node: ContentNode, isNew = false): readonly NodeProblem[] {
    const before = isNew ? undefined : change.draft.before(nodes, node.id);
    const isRetyped = before === undefined || !isOfSameTypes(before, node);
    const own = before === undefined ? Object.keys(node.properties) : changedNames(before.properties, node.properties);
    const exempt = change.exempted(node.id);
    const effective = this.of(node);
    const facts: NodeFacts = {
      type: node.type,
      mixins: node.mixins,
      properties: node.properties,
      // Made for a problem alone: a path takes its time.
      get path() {
        return change.pathOf(node);
      },
      before: before?.properties ?? {},
      changed: own.filter((name) => !exempt.has(name)),
      typesChanged: isRetyped,
      hasChild: (name) => change.tree.child(node, name) !== undefined,
      added: before !== undefined && isRetyped ? retypedChildren(change, node, this.of(before), effective) : [],
      protectedAllowed: change.writesProtected,
      targetIsA: (id, type) => {
        const target = change.tree.get(id);
        return target !== undefined && change.access.canRead(target) && this.isA(target, type);
      },
    };
    const made = before?.type === node.type ? [] : notMadeByCallers(effective, change, node);
    // They are there already: what they are is asked, not whether they may be added.
    const broken = validateNode(this.registry, facts).filter(({ rule }) => rule !== 'protected_child');
    return [...made, ...broken];
  }

  /** @throws BAD_REQUEST a rule of the node's types is broken */
  check(change: TypedChange, node: ContentNode): void {
    refuse(this.problems(change, node));
  }
}

const standardFolder = (change: TypedChange, node: ContentNode) =>
  badRequest(`${change.nameOf(node)} cannot be renamed, moved or deleted: every workspace has it`, {
    reason: 'standard_folder',
    ...change.resourceOf(node),
  });

/** Problems of a new node whose type no caller may make. */
function notMadeByCallers(effective: EffectiveType, change: TypedChange, node: ContentNode): readonly NodeProblem[] {
  const problem = change.writesProtected ? undefined : repositoryType(effective);
  if (problem === undefined) return [];
  const message = `expected ${change.nameOf(node)} to have a type of content, but ${problem}`;
  return [{ item: null, rule: 'repository_type', message }];
}

// By value: a node may have been read twice.
const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const changedNames = (before: ContentNode['properties'], after: ContentNode['properties']): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isEqual(before[name], after[name]));

function refuse(problems: readonly NodeProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const message = problems.map((problem) => problem.message).join('; ');
  throw badRequest(message, { reason: first.rule, details: { problems } });
}

/** Children that are looked at when the types of their parent change. */
const CHILDREN_MAX = 400;

/**
 * The children of a node whose types change, as far as its new types may not allow what the old ones did: a definition is gone, or a named one
 * has come. @throws LIMIT_EXCEEDED there are too many to be looked at
 */
function retypedChildren(
  change: TypedChange,
  node: ContentNode,
  before: EffectiveType,
  after: EffectiveType,
): readonly ChildFacts[] {
  const had = new Set(before.children.map(told));
  const has = new Set(after.children.map(told));
  const isGone = before.children.some((one) => !has.has(told(one)));
  const isNarrowed = after.children.some((one) => one.name !== RESIDUAL && !had.has(told(one)));
  if (!isGone && !isNarrowed) return [];
  const children = change.draft.find(nodes, 'name', [node.id], { limit: CHILDREN_MAX + 1 });
  if (children.length > CHILDREN_MAX)
    throw limitExceeded(
      `expected at most ${CHILDREN_MAX} children in ${change.nameOf(node)}, as its new types may not allow them, but it has more`,
    );
  return children.map(({ name, type, mixins }, i) => ({
    name,
    type,
    mixins,
    sameNamed: children[i - 1]?.name === name || children[i + 1]?.name === name,
  }));
}

const told = (child: EffectiveChild): string => JSON.stringify(child);
