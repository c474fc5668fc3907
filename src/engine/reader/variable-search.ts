import { isShown } from '../../shared/connection.js';
import { limitExceeded } from '../../shared/errors.js';
import {
  type Collection,
  type Condition,
  type Document,
  documentOf,
  listPage,
  type QueryContext,
  type ReaderQuery,
  type State,
  snapshotState,
} from '../../store/documents.js';
import { type ProcessInstance, processInstances, type Task, tasks } from '../collections.js';
import type { TypedValue, Variables } from '../element/typed-value.js';
import { processVariables, taskVariables } from '../run/seen-variables.js';

/** A variable that is sought: of a process, or a task's own. */
export interface SoughtVariable {
  readonly of: 'process' | 'task';
  readonly name: string;
  readonly operator: VariableOperator;
  /** It is compared with variables of its type alone; all numbers are of one. */
  readonly value: string | number | boolean | null;
  /** Whether the name, and a text, may be in another case. */
  readonly anyCase: { readonly name: boolean; readonly value: boolean };
}

export type VariableOperator = 'eq' | 'neq' | 'gt' | 'gteq' | 'lt' | 'lteq' | 'like' | 'notLike';

/** Instances or tasks that fulfil conditions and have variables. */
interface VariableSearch {
  readonly partition: string;
  /** ms */
  readonly now: number;
  readonly collection: string;
  readonly where: readonly Condition[];
  readonly order: readonly { readonly column: string; readonly descending?: boolean }[];
  /** All have to hold. */
  readonly variables: readonly SoughtVariable[];
  /** How many of those that are found are passed over, and how many are told of at most; null: they are counted alone. */
  readonly page: { readonly skip: number; readonly first: number } | null;
  readonly field: string;
}

interface FoundByVariables {
  readonly ids: readonly string[];
  /** How many have been found: all of them where they are counted. */
  readonly found: number;
}

/** How many are looked at; of how many at once. */
const LOOKED_AT_MAX = 100_000;
const AT_ONCE = 500;

/** Looks at one after the other: what else is asked for should leave few. @throws LIMIT_EXCEEDED */
export const variableSearch: ReaderQuery<VariableSearch, FoundByVariables> = {
  name: 'variableSearch',
  run: (context, search) => {
    const { skip, first } = search.page ?? { skip: 0, first: 0 };
    const ids: string[] = [];
    let found = 0;
    for (const id of matching(context, search)) {
      if (search.page !== null && found >= skip) ids.push(id);
      found++;
      if (search.page !== null && ids.length >= first) break;
    }
    return { ids, found };
  },
};

function* matching(context: QueryContext, search: VariableSearch): Generator<string> {
  const state = snapshotState(context, search.partition, search.now);
  const isOfTasks = search.collection === tasks.name;
  for (const document of isOfTasks ? looked(context, search, tasks) : looked(context, search, processInstances)) {
    const variablesOf = variablesIn(state, document);
    if (search.variables.every((sought) => has(variablesOf(sought.of), sought))) yield document.id;
  }
}

function* looked<D extends Document>(
  { log, caller }: QueryContext,
  { where, order, field }: VariableSearch,
  collection: Collection<D>,
): Generator<D> {
  const request = { collection: collection.name, where, order, first: AT_ONCE, count: false, field, caller };
  let after: string | null = null;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += AT_ONCE) {
    const { rows, hasNextPage } = listPage(log, collection, { ...request, after });
    for (const row of rows) if (isShown(row)) yield documentOf(collection, row);
    after = rows.at(-1)?.cursor ?? null;
    if (!hasNextPage || after === null) return;
  }
  throw limitExceeded(`expected at most ${LOOKED_AT_MAX} whose variables are looked at: say more than the variables`);
}

type VariablesOf = (of: SoughtVariable['of']) => Variables;

function variablesIn(state: State, document: ProcessInstance | Task): VariablesOf {
  if (!('instanceId' in document)) return () => processVariables(state, document);
  const instance = state.get(processInstances, document.instanceId);
  if (instance === undefined) return () => ({});
  return (of) =>
    of === 'process' ? processVariables(state, instance) : taskVariables(state, instance, document).local;
}

/** Whether one of the variables is as it is sought. */
export function has(variables: Variables, sought: SoughtVariable): boolean {
  const { name, anyCase } = sought;
  if (!anyCase.name) return fits(variables[name], sought);
  const lower = name.toLowerCase();
  return Object.entries(variables).some(([each, value]) => each.toLowerCase() === lower && fits(value, sought));
}

/** As in Camunda, what is of another type is neither equal nor unequal. */
function fits(variable: TypedValue | undefined, { operator, value, anyCase }: SoughtVariable): boolean {
  if (variable === undefined) return false;
  const found = plain(variable);
  if (value === null) return operator === 'eq' ? found === null : operator === 'neq' && found !== null;
  if (typeof found !== typeof value) return false;
  const folded = <T>(one: T) => (anyCase.value && typeof one === 'string' ? one.toLowerCase() : one);
  const [one, other] = [folded(found), folded(value)] as [string, string];
  if (operator === 'like' || operator === 'notLike')
    return typeof value === 'string' && isLike(one, other) === (operator === 'like');
  const results = { eq: one === other, neq: one !== other, gt: one > other, gteq: one >= other };
  return { ...results, lt: one < other, lteq: one <= other }[operator];
}

function plain({ type, value }: TypedValue): unknown {
  return type === 'Long' && typeof value === 'string' ? Number(value) : value;
}

/** `%` stands for any text, `_` for any sign. */
export function isLike(text: string, pattern: string): boolean {
  let [at, of] = [0, 0];
  // Where the last `%` stands, and how far it reaches.
  let [any, reach] = [-1, 0];
  while (at < text.length) {
    const sign = pattern[of];
    if (sign === '%') [any, reach, of] = [of, at, of + 1];
    else if (sign === '_' || sign === text[at]) [at, of] = [at + 1, of + 1];
    else if (any >= 0) [at, reach, of] = [reach + 1, reach + 1, any + 1];
    else return false;
  }
  return /^%*$/.test(pattern.slice(of));
}
