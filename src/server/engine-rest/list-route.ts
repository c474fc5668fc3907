import { type SoughtVariable, variableSearch } from '../../engine/index.js';
import type { Caller } from '../../shared/caller.js';
import { isShown } from '../../shared/connection.js';
import { badRequest, limitExceeded } from '../../shared/errors.js';
import { isSoundText } from '../../shared/sound-text.js';
import { systemTime, turn } from '../../shared/time.js';
import {
  type Collection,
  type Condition,
  type Document,
  documentOf,
  type ListRequest,
  type OrderTerm,
  type Page,
  type State,
} from '../../store/index.js';
import {
  dateOf,
  type Json,
  objectsIn,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
  unfit,
} from './rest-call.js';
import { isOfVariables, soughtVariables, type VariableParameters } from './variable-query.js';
import { jsonText } from './variable-value.js';

/** A value of a query, as conditions. `values`: of a list its items. */
export type Filter = (
  value: string,
  name: string,
  values: readonly string[],
  call: RestCall,
) => readonly Condition[] | Promise<readonly Condition[]>;

/** A filter that needs nothing but the value. */
type PlainFilter = (value: string, name: string, values: readonly string[]) => readonly Condition[];

/** A list of Camunda's, as its query parameters ask for it. */
export interface ListedResource<D extends Document> {
  readonly path: string;
  readonly collection: Collection<D>;
  /** What all of it fulfil. */
  readonly always: readonly Condition[];
  /** What those fulfil that this caller is shown. Default: those that the collection shows. */
  readonly shown?: (caller: Caller) => readonly Condition[];
  /** By the names of the parameters. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** What it calls the variables that it looks for. Absent: it does not. */
  readonly variables?: VariableParameters;
  /** Columns, by what Camunda's `sortBy` calls them. */
  readonly sorts: Readonly<Record<string, string>>;
  /** The column that it is sorted by where nobody says how. */
  readonly sorted: string;
  /** As it is by now; undefined: it is gone, or is to come. Default: as it is stored. */
  readonly present?: (state: State, stored: D) => D | undefined;
  readonly dto: (call: RestCall, document: D) => Json;
}

/** `GET <path>` and `GET <path>/count`, and both by POST: what is asked for is in the body then, but for the page. */
export const listRoutes = <D extends Document>(list: ListedResource<D>): readonly RestRoute[] =>
  (['GET', 'POST'] as const).flatMap((method) => [
    {
      method,
      path: `${list.path}/count`,
      answer: async (call) => {
        const sought = soughtVariables(call, list.variables ?? {});
        if (sought.length > 0) return { json: { count: (await foundBy(list, call, sought, null)).found } };
        const { totalCount } = await call.list({ ...(await requestOf(list, call)), first: 0, count: true });
        return { json: { count: totalCount ?? 0 } };
      },
    },
    { method, path: list.path, answer: (call) => answered(list, call) },
  ]);

/** The ids of all that a call asks for, at most that many. */
export async function idsFound<D extends Document>(list: ListedResource<D>, call: RestCall, max: number) {
  const ids: string[] = [];
  for await (const page of pagesOf(list, call, { skip: 0, first: max })) ids.push(...page.map(({ id }) => id));
  return ids;
}

/** How many a list has at most; more have to be asked for by more calls. Of how many its parts are: the event loop is free between them. */
const LISTED_MAX = 50_000;
const AT_ONCE = 1_000;

/** From `firstResult` on, at most `maxResults`. @throws LIMIT_EXCEEDED */
async function answered<D extends Document>(list: ListedResource<D>, call: RestCall): Promise<RestAnswer> {
  const first = countIn(call, 'maxResults') ?? Number.POSITIVE_INFINITY;
  const skip = countIn(call, 'firstResult') ?? 0;
  const texts: string[] = [];
  let listed = 0;
  for await (const page of pagesOf(list, call, { skip, first: Math.min(first, LISTED_MAX + 1) })) {
    listed += page.length;
    if (listed > LISTED_MAX)
      throw limitExceeded(
        `expected at most ${LISTED_MAX} in a list, but found more: ask by 'firstResult' and 'maxResults'`,
      );
    const dtos = page.flatMap((document) => shown(list, call, document));
    if (dtos.length > 0) texts.push(jsonText(dtos).slice(1, -1));
  }
  return {
    bytes: Buffer.from(`[${texts.join(',')}]`),
    headers: { 'Content-Type': 'application/json' },
  };
}

/** What a call asks for, part by part. */
async function* pagesOf<D extends Document>(
  list: ListedResource<D>,
  call: RestCall,
  { skip, first }: { readonly skip: number; readonly first: number },
): AsyncGenerator<readonly D[]> {
  const sought = soughtVariables(call, list.variables ?? {});
  if (sought.length > 0) {
    const { ids } = await foundBy(list, call, sought, { skip, first });
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await turn(systemTime);
      yield ids.slice(at, at + AT_ONCE).flatMap((id) => call.state.get(list.collection, id) ?? []);
    }
    return;
  }
  const request = await requestOf(list, call);
  let [passed, after]: [number, string | null] = [0, null];
  do {
    const { rows, hasNextPage }: Page = await call.list({
      ...request,
      first: Math.min(skip + first - passed, AT_ONCE),
      after,
    });
    const wanted = rows.slice(Math.max(0, skip - passed)).filter(isShown);
    yield wanted.map((row) => documentOf(list.collection, row));
    passed += rows.length;
    after = hasNextPage ? (rows.at(-1)?.cursor ?? null) : null;
  } while (after !== null && passed < skip + first);
}

function shown<D extends Document>(list: ListedResource<D>, call: RestCall, stored: D): Json[] {
  const present = list.present === undefined ? stored : list.present(call.state, stored);
  return present === undefined ? [] : [list.dto(call, present)];
}

/** Those that have the variables, too. */
async function foundBy<D extends Document>(
  list: ListedResource<D>,
  call: RestCall,
  variables: readonly SoughtVariable[],
  page: { readonly skip: number; readonly first: number } | null,
) {
  const { collection, where, order, field } = await requestOf(list, call);
  const { partition, services } = call;
  const asked = { partition: partition.id, now: services.workers.now(), collection, where, order, field, variables };
  return call.ask(variableSearch, { ...asked, page });
}

type Request = Omit<ListRequest, 'caller'>;

async function requestOf<D extends Document>(list: ListedResource<D>, call: RestCall): Promise<Request> {
  const inQuery = [...call.query].map(([name, value]): Parameter => [name, value, value.split(',')]);
  const said = await conditionsOf(list, call, [...inQuery, ...inBody(call.json(), list.variables ?? {})]);
  const either = (objectsIn(call.json(), 'orQueries') ?? []).map(async (query): Promise<Condition> => {
    const of = await conditionsOf(list, call, inBody(query, {}));
    return { op: 'any', of: of.map((all) => ({ op: 'all', of: all })) };
  });
  const filters = [...said.flat(), ...(await Promise.all(either))];
  const order = orderOf(list, call);
  return {
    collection: list.collection.name,
    where: [...list.always, ...(list.shown?.(call.caller) ?? []), ...filters],
    order,
    count: false,
    field: `engine-rest/${list.path}`,
  };
}

/** Of each parameter that filters its conditions. @throws BAD_REQUEST (a parameter that the list does not know, a value) */
const conditionsOf = <D extends Document>(
  list: ListedResource<D>,
  call: RestCall,
  parameters: readonly Parameter[],
): Promise<readonly (readonly Condition[])[]> =>
  Promise.all(
    parameters.flatMap(([name, value, values]) => {
      if (PAGE_PARAMETERS.has(name) || isOfVariables(name, list.variables ?? {})) return [];
      const filter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
      if (filter === undefined && asksNothing(name, value)) return [];
      if (filter === undefined) throw unknownParameter(name, list);
      return [filter(value, name, values, call)];
    }),
  );

/** Whether it leaves all as it is, whatever it is about: clients that are generated send each flag, and tenants there are none. */
export const asksNothing = (name: string, value: string): boolean =>
  value === 'false' || /^include\w+WithoutTenantId$/.test(name);

type Parameter = readonly [name: string, value: string, values: readonly string[]];

/** @throws BAD_REQUEST (what is neither a value nor a list of texts) */
function inBody(body: Json, variables: VariableParameters): Parameter[] {
  return Object.entries(body).flatMap(([name, value]): Parameter[] => {
    if (value === null || OF_BODIES.has(name) || Object.hasOwn(variables, name)) return [];
    if (typeof value !== 'object') return [[name, String(value), [String(value)]]];
    const values = textsIn({ [name]: value }, name) ?? [];
    return [[name, values.join(','), values]];
  });
}

const OF_BODIES: ReadonlySet<string> = new Set(['sorting', 'orQueries']);
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['firstResult', 'maxResults', 'sortBy', 'sortOrder']);

const unknownParameter = (name: string, { path, filters }: Pick<ListedResource<Document>, 'path' | 'filters'>) =>
  badRequest(
    `expected one of ${Object.keys(filters).join(', ')} as a query parameter of '${path}', but found '${name}'`,
    { reason: 'argument_invalid', details: { argument: name } },
  );

type Sorted = Pick<ListedResource<Document>, 'sorts' | 'sorted'>;

function orderOf(list: Sorted, call: RestCall): OrderTerm[] {
  const inBody = objectsIn(call.json(), 'sorting') ?? [];
  if (inBody.length > 0) return inBody.map((each) => termOf(list, textIn(each, 'sortBy'), textIn(each, 'sortOrder')));
  const [sortBy, sortOrder] = [call.query.get('sortBy') ?? undefined, call.query.get('sortOrder') ?? undefined];
  if (sortBy === undefined && sortOrder === undefined) return [{ column: list.sorted }];
  return [termOf(list, sortBy, sortOrder)];
}

function termOf({ sorts }: Sorted, sortBy: string | undefined, sortOrder: string | undefined): OrderTerm {
  if (sortBy === undefined || sortOrder === undefined)
    throw badRequest('Only a single sorting parameter specified. sortBy and sortOrder required', {
      reason: 'argument_invalid',
    });
  const column = Object.hasOwn(sorts, sortBy) ? sorts[sortBy] : undefined;
  if (column === undefined) throw unfit('sortBy', `one of ${Object.keys(sorts).join(', ')}`, sortBy);
  if (sortOrder !== 'asc' && sortOrder !== 'desc') throw unfit('sortOrder', "'asc' or 'desc'", sortOrder);
  return { column, descending: sortOrder === 'desc' };
}

function countIn({ query }: RestCall, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (!/^\d{1,10}$/.test(given)) throw unfit(name, 'a whole number from 0', given);
  return Number(given);
}

/** The column is the value. No column has a text that cannot be stored. */
export const is =
  (column: string): PlainFilter =>
  (value) =>
    isSoundText(value) ? [{ op: 'eq', column, value }] : NONE;

/** The column is one of the values, between commas. */
export const isOneOf =
  (column: string): PlainFilter =>
  (_, __, values) => [{ op: 'in', column, values: values.filter(isSoundText) }];

/** The column is none of the values. */
export const isNoneOf =
  (column: string): PlainFilter =>
  (_, __, values) => [{ op: 'not', of: { op: 'in', column, values: values.filter(isSoundText) } }];

/** The column is the number, or compares so with it. */
export const isNumber =
  (column: string, op: 'eq' | 'le' | 'ge' = 'eq'): PlainFilter =>
  (value, name) => {
    if (!/^-?\d{1,10}$/.test(value)) throw unfit(name, 'a whole number', value);
    return [{ op, column, value: Number(value) }];
  };

/** The column, an instant, compares so with the date. */
export const isDate =
  (column: string, op: 'lt' | 'le' | 'gt' | 'ge'): PlainFilter =>
  (value, name) => [{ op, column, value: dateOf(name, value) }];

/** As {@link is}, in whatever case. */
export const isInAnyCase =
  (column: string): PlainFilter =>
  (value) =>
    isSoundText(value) ? [{ op: 'same', column, value }] : NONE;

/** The column is like the text, in which `%` stands for any text and `_` for any sign. */
export const isLike =
  (column: string, ignoreCase = false): PlainFilter =>
  (value) =>
    isSoundText(value) ? [{ op: 'like', column, value, ignoreCase }] : NONE;

/** True: these; false: those, by default all. */
export const flag =
  (these: readonly Condition[], those: readonly Condition[] = []): PlainFilter =>
  (value, name) => {
    if (value !== 'true' && value !== 'false') throw unfit(name, 'true or false', value);
    return value === 'true' ? these : those;
  };

/** Nothing fulfils it: of tenants there are none. */
export const nothing: PlainFilter = () => NONE;

const NONE: readonly Condition[] = [{ op: 'any', of: [] }];
