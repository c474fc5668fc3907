import {
  documentOf,
  type Evaluator,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  tableOf,
} from '../../store/index.js';
import { firstProblem } from '../large/delete-plan.js';
import { problemOf } from '../large/large-work.js';
import type { LargeWork } from '../large/long-work.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typeStamps } from '../tree/stored-types.js';
import { frozenChunks, frozenNodes } from '../version/version.js';
import { namespaceInUse, textsOf, usesPrefix } from './namespace-use.js';
import { PLAN_NODE_TYPES, type PlannedTypes, type TypesQuestion } from './planned-types.js';
import { planTypes, type TypePlan } from './type-plan.js';
import { type ChangedTypes, spoiledBy, typeInUse } from './type-use.js';

/** What a registration of node types comes to, and whether a node stands against it: all nodes are looked at where a known type changes. */
export const planNodeTypes: ReaderQuery<TypesQuestion, PlannedTypes> = {
  name: 'planNodeTypes',
  run(context, { partition, now, work, typesMax }) {
    const state = snapshotState(context, partition, now);
    const view = new ContentView(state, context.caller);
    const stamp = state.get(typeStamps, 'types')?.stamp ?? null;
    let plan: TypePlan | null = null;
    const problem = firstProblem(() => {
      const planned = planTypes(view.types, work, typesMax);
      requireUnused(context, view, planned);
      if (planned.freed !== null) requireUnnamed(context, view, planned.freed);
      plan = planned;
    });
    return { revision: context.revision, stamp, plan, problem: problem && problemOf(problem) };
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
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, typed]) => typed);
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

/** What answers a {@link TypesQuestion}. */
export const typeEvaluators = (work: LargeWork): Readonly<Record<string, Evaluator>> => ({
  [PLAN_NODE_TYPES]: (question: TypesQuestion, { caller }) =>
    work.plan(question.partition, planNodeTypes, question, caller),
});
