import type { Asking } from '../../store/index.js';
import {
  answered,
  answersOf,
  asking,
  busyTree,
  PLAN_ROUNDS_MAX,
  type Problem,
  refusalOf,
} from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { nodes } from '../tree/node.js';
import { typeStamps } from '../tree/stored-types.js';
import { namespaceInUse, usesPrefix } from './namespace-use.js';
import type { TypePlan, TypeWork } from './type-plan.js';
import { type ChangedTypes, spoiledBy, typeInUse } from './type-use.js';

/** Asked with the kind `planNodeTypes`; answered with a {@link PlannedTypes}. */
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
export interface PlannedTypes {
  readonly revision: number;
  /** The registration before; null: there was none. */
  readonly stamp: string | null;
  readonly plan: TypePlan | null;
  /** Null where there is a plan. */
  readonly problem: Problem | null;
}

export const PLAN_NODE_TYPES = 'planNodeTypes';

/** How many nodes that were written since the plan one decision looks at. */
const WRITTEN_MAX = 200;

/**
 * The registration, planned by the reader and still sound: same types before, and no node written since stands against it.
 * @throws what the plan is refused with; CONFLICT a type is in use; UNAVAILABLE the tree never rests
 */
export function plannedTypes(change: Change, work: TypeWork, typesMax: number): Asking | TypePlan {
  const answers = answersOf(change, PLAN_NODE_TYPES, () => true);
  const last = answers.at(-1);
  if (last !== undefined) {
    const { revision, stamp, plan, problem } = answered<PlannedTypes>(last);
    if (stamp === stampOf(change) && problem !== null) throw refusalOf(problem);
    if (stamp === stampOf(change) && plan !== null && isStillSound(change, plan, revision)) return plan;
    if (answers.length >= PLAN_ROUNDS_MAX) throw busyTree('/');
  }
  const { draft, now } = change;
  const question: TypesQuestion = { partition: draft.partition, work, typesMax, round: answers.length, now };
  return asking(PLAN_NODE_TYPES, question);
}

export const stampOf = ({ draft }: Pick<Change, 'draft'>): string | null =>
  draft.get(typeStamps, 'types')?.stamp ?? null;

/** False: too much was written since to say. @throws CONFLICT a node of a type that may not change was made */
function isStillSound(change: Change, plan: TypePlan, revision: number): boolean {
  const { affected, freed } = plan;
  if (affected.length === 0 && freed === null) return true;
  const written = change.draft.range(nodes, 'version', [revision + 1], WRITTEN_MAX + 1);
  if (written.length > WRITTEN_MAX) return false;
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
