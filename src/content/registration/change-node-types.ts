import { limitExceeded } from '../../shared/errors.js';
import { type Operation, steppedOperation } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { isAsking } from '../tree/content-operation.js';
import { keepTypes, TYPE_PACKS_MAX, typePacks, typeStamps } from '../tree/stored-types.js';
import { Types } from '../tree/types.js';
import { namespacesOf } from '../value/names.js';
import { requireTypeManagement } from './namespaces.js';
import { plannedTypes } from './planned-types.js';
import { changedPacks } from './type-packs.js';
import type { TypePlan, TypeWork } from './type-plan.js';

/** How large node types may be. */
export interface TypeLimits {
  /** Types that a workspace may register. */
  readonly typesMax: number;
  /** Characters of a CND text. */
  readonly cndMax: number;
}

interface RegisterNodeTypesInput {
  readonly cnd: string;
}

/**
 * Registers node types with the namespaces of their text, or changes them: as long as a node uses a type, only to what allows no less (JCR 2.0
 * §19.2.4). All or nothing. The answer: the names of what the text defines.
 * @throws FORBIDDEN; BAD_REQUEST (line, column, type); CONFLICT (in use); LIMIT_EXCEEDED
 */
export const registerNodeTypes = ({
  typesMax,
  cndMax,
}: TypeLimits): Operation<RegisterNodeTypesInput, readonly string[]> =>
  steppedOperation('registerNodeTypes', function* (state, { cnd }: RegisterNodeTypesInput, { caller, answers }) {
    if (cnd.length > cndMax)
      throw limitExceeded(`expected node type definitions of at most ${cndMax} characters, but found ${cnd.length}`, {
        reason: 'cnd_too_large',
      });
    const change = new Change(state, caller, answers);
    const planned = yield* changedTypes(change, { cnd }, typesMax);
    return isAsking(planned) ? planned : yield* change.decisionSteps(planned.defined);
  });

interface UnregisterNodeTypesInput {
  readonly names: readonly string[];
}

/** Removes node types (JCR 2.0 §19.2.5). All or nothing. @throws FORBIDDEN; BAD_REQUEST (unknown, built in); CONFLICT (in use) */
export const unregisterNodeTypes = ({ typesMax }: TypeLimits): Operation<UnregisterNodeTypesInput, boolean> =>
  steppedOperation('unregisterNodeTypes', function* (state, { names }: UnregisterNodeTypesInput, { caller, answers }) {
    const change = new Change(state, caller, answers);
    const planned = yield* changedTypes(change, { names: [...new Set(names)] }, typesMax);
    return isAsking(planned) ? planned : yield* change.decisionSteps(true);
  });

interface UnregisterNamespaceInput {
  readonly prefix: string;
}

/** Removes a namespace that nothing is named by. @throws FORBIDDEN; BAD_REQUEST (unknown, built in); CONFLICT (in use) */
export const unregisterNamespace = ({ typesMax }: TypeLimits): Operation<UnregisterNamespaceInput, boolean> =>
  steppedOperation('unregisterNamespace', function* (state, { prefix }: UnregisterNamespaceInput, { caller, answers }) {
    const change = new Change(state, caller, answers);
    const planned = yield* changedTypes(change, { prefix }, typesMax);
    return isAsking(planned) ? planned : yield* change.decisionSteps(true);
  });

function* changedTypes(
  change: Change,
  work: TypeWork,
  typesMax: number,
): Generator<void, ReturnType<typeof plannedTypes>, void> {
  requireTypeManagement(change);
  const plan = plannedTypes(change, work, typesMax);
  if (!isAsking(plan)) yield* write(change, plan);
  return plan;
}

function* write(change: Change, { types, gone, namespaces }: TypePlan): Generator<void, void, void> {
  const isSame = types.length + gone.length === 0 && sameNamespaces(change, namespaces);
  if (isSame) return;
  const packs = change.draft.range(typePacks, 'pack', [''], TYPE_PACKS_MAX);
  for (const pack of yield* changedPacks(packs, types, gone)) {
    if (pack.types.length === 0) change.draft.remove(typePacks, pack.id);
    else change.draft.put(typePacks, pack);
  }
  const stamp = change.draft.ids.next();
  change.draft.put(typeStamps, { id: 'types', stamp, namespaces });
  // An id of this decision: where nothing comes of it, nobody asks for it.
  keepTypes(stamp, new Types(change.types.registry.changed(types, gone), namespacesOf(namespaces)));
}

const sameNamespaces = ({ draft }: Change, namespaces: Readonly<Record<string, string>>): boolean =>
  JSON.stringify(draft.get(typeStamps, 'types')?.namespaces ?? {}) === JSON.stringify(namespaces);
