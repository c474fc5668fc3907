import { ServiceError } from '../../shared/errors.js';
import {
  type Asking,
  documentOf,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  tableOf,
} from '../../store/documents.js';
import { LargeKind, orRefused, type Ready, type Refused, refusalOf } from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typeStamps } from '../tree/stored-types.js';
import { breaksNodes, breaksType } from '../type/type-changes.js';
import type { TypeRegistry } from '../type/type-registry.js';
import { frozenChunks, frozenNodes } from '../version/version.js';
import { namespaceInUse, textsOf, usesPrefix } from './namespaces.js';
import { planTypes, type TypePlan, type TypeWork } from './type-plan.js';

/** Asked for a registration of node types. */
export interface TypesQuestion {
  readonly partition: string;
  readonly work: TypeWork;
  /** How many types a workspace may register. */
  readonly typesMax: number;
  /** From 0. */
  readonly round: number;
  /** ms, domain clock */
  readonly now: number;
}

/** A registration as far as it could be seen at a revision: no node stands against it. */
export interface PlannedTypes extends Ready {
  readonly revision: number;
  /** The registration before; null: there was none. */
  readonly stamp: string | null;
  /** A refusal holds as long as the types are those. */
  readonly plan: TypePlan | Refused;
}

/** A registration is the only one of its transaction. */
export const registering = new LargeKind<TypesQuestion, PlannedTypes>('planNodeTypes', () => '');

/** From so many nodes on that were written since the plan, it is planned anew. */
const WRITTEN_MAX = 200;

/**
 * The registration, planned by the reader and still sound: same types before, and no node written since stands against it.
 * @throws what the plan is refused with; CONFLICT a type is in use; UNAVAILABLE the tree never rests
 */
export function plannedTypes(change: Change, work: TypeWork, typesMax: number): Asking | TypePlan {
  const { draft, now } = change;
  return registering.decide(change, {
    about: '',
    path: () => '/',
    question: (_, round) => ({ partition: draft.partition, work, typesMax, round, now }),
    take: ({ revision, stamp, plan }) => {
      if (stamp !== stampOf(change)) return undefined;
      if ('problem' in plan) throw refusalOf(plan.problem);
      return isStillSound(change, plan, revision) ? plan : undefined;
    },
  });
}

const stampOf = ({ draft }: Pick<Change, 'draft'>): string | null => draft.get(typeStamps, 'types')?.stamp ?? null;

/** False: too much was written since to say. @throws CONFLICT a node of a type that may not change was made */
function isStillSound(change: Change, plan: TypePlan, revision: number): boolean {
  const { affected, freed } = plan;
  if (affected.length === 0 && freed === null) return true;
  const written = change.draft.range(nodes, 'version', [revision + 1], WRITTEN_MAX);
  if (written.length === WRITTEN_MAX) return false;
  const { registry } = change.types;
  const after = registry.changed(plan.types, plan.gone);
  const changed: ChangedTypes = { before: registry, after, affected: new Set(affected) };
  for (const node of written) {
    const name = spoiledBy(changed, node);
    if (name !== null) throw typeInUse(changed, name, change.nameOf(node));
    if (freed !== null && usesPrefix(node, freed)) throw namespaceInUse(freed, change.nameOf(node));
  }
  return true;
}

/** Plans a registration of node types, and looks whether a node stands against it: all nodes are looked at where a known type changes. */
export const planNodeTypes: ReaderQuery<TypesQuestion, PlannedTypes> = {
  name: 'planNodeTypes',
  run(context, { partition, now, work, typesMax }) {
    const state = snapshotState(context, partition, now);
    const view = new ContentView(state, context.caller);
    const stamp = state.get(typeStamps, 'types')?.stamp ?? null;
    const plan = orRefused(() => {
      const planned = planTypes(view.types, work, typesMax);
      requireUnused(context, view, planned);
      if (planned.freed !== null) requireUnnamed(context, view, planned.freed);
      return planned;
    });
    return { problem: null, revision: context.revision, stamp, plan };
  },
};

/** Up to so many names are looked for in the text of a node before it is read. */
const NAMES_SOUGHT_MAX = 20;

/** @throws CONFLICT */
function requireUnused({ log }: QueryContext, view: ContentView, { types, gone, affected }: TypePlan): void {
  if (affected.length === 0) return;
  const { registry } = view.types;
  const changed: ChangedTypes = { before: registry, after: registry.changed(types, gone), affected: new Set(affected) };
  const sought = affected.length > NAMES_SOUGHT_MAX ? [] : affected.map((name) => JSON.stringify(name));
  for (const typed of nodesByTypes(log, sought)) {
    const name = spoiledBy(changed, typed);
    if (name === null) continue;
    const node = view.get(typed.id);
    throw typeInUse(changed, name, node === undefined ? 'one that you may not read' : `'${view.tree.pathOf(node)}'`);
  }
}

type Typed = Pick<ContentNode, 'id' | 'type' | 'mixins'>;

/** Of the nodes with equal types and mixins the one whose id is the lowest, ordered by types and mixins. `sought`: see {@link rowsWith}. */
function nodesByTypes(log: QueryContext['log'], sought: readonly string[]): Typed[] {
  const found = new Map<string, Typed>();
  for (const row of rowsWith(log, nodes, sought)) {
    const { id, type, mixins } = documentOf(nodes, row);
    const key = `${type}\n${JSON.stringify(mixins)}`;
    const known = found.get(key);
    if (known === undefined || id < known.id) found.set(key, { id, type, mixins });
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

/** The stored documents of which a text has one of those sought in it; all, where none is sought. */
function* rowsWith(
  log: QueryContext['log'],
  { name }: { readonly name: string },
  sought: readonly string[],
): Generator<{ readonly id: string; readonly body: string }> {
  for (const row of log.prepare(`SELECT id, body FROM ${tableOf({ name })}`).iterate()) {
    const body = String(row.body);
    if (sought.length === 0 || sought.some((text) => body.includes(text))) yield { id: String(row.id), body };
  }
}

/** Of what is out of the tree or frozen in a version, text that begins like a name counts as one. @throws CONFLICT */
function requireUnnamed({ log }: QueryContext, view: ContentView, prefix: string): void {
  const texts = textsOf(prefix);
  for (const { id } of rowsWith(log, nodes, texts)) {
    const node = view.get(id);
    if (node === undefined) throw namespaceInUse(prefix, 'something that you may not see');
    if (usesPrefix(node, prefix)) throw namespaceInUse(prefix, `'${view.tree.pathOf(node)}'`);
  }
  for (const collection of [frozenChunks, frozenNodes])
    for (const _ of rowsWith(log, collection, texts)) throw namespaceInUse(prefix, 'what a version has frozen');
}

/** Node types before and after a registration. */
interface ChangedTypes {
  readonly before: TypeRegistry;
  readonly after: TypeRegistry;
  /** The types that are gone or say something else now, those that inherit from one included. */
  readonly affected: ReadonlySet<string>;
}

/**
 * The type because of which a node of these types would not stay what it is: gone, or demanding more than before; null: there is none. What is
 * more than the sum of its parts, as two types that only together define an item in two ways, is found too.
 */
function spoiledBy(
  { before, after, affected }: ChangedTypes,
  { type, mixins }: Pick<ContentNode, 'type' | 'mixins'>,
): string | null {
  const used = [type, ...mixins].filter((name) => affected.has(name));
  const [first] = used;
  if (first === undefined) return null;
  const lost = used.find(
    (name) => after.get(name) === undefined || breaksType(before.require(name), after.require(name)),
  );
  if (lost !== undefined) return lost;
  const breaks = orRefused(() => {
    const effective = { before: before.effective(type, mixins), after: after.effective(type, mixins) };
    return breaksNodes({ ...effective, isA: (one, supertype) => after.isA(one, supertype) });
  });
  // Refused: they do not fit together any longer.
  return breaks === false ? null : first;
}

/** `where`: the node's path, or words for a node that the caller may not read. */
const typeInUse = ({ after }: ChangedTypes, name: string, where: string): ServiceError => {
  const change = after.get(name) === undefined ? 'is to go' : 'is to demand more than before';
  return new ServiceError('CONFLICT', `expected no node to be of type '${name}', which ${change}, but ${where} is`, {
    reason: 'node_type_in_use',
    resourceId: name,
  });
};
