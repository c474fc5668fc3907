import { isLike } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { asksNothing } from './list-route.js';
import {
  dateOf,
  type Json,
  objectsIn,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  unfit,
} from './rest-call.js';

/** Query parameters of a list, by name: of a list its items. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** Whether an item is one of those that a parameter asks for. */
type Fits = (item: Json, values: readonly string[], name: string) => boolean;

/** A list that no collection has: it is told from what one or a few instances are. */
export interface ToldList {
  readonly path: string;
  /** All of it, of the instances that are asked about. */
  readonly all: (call: RestCall, given: Given) => Promise<readonly Json[]> | readonly Json[];
  /** By the names of the parameters, those that name the instances included. */
  readonly filters: Readonly<Record<string, Fits>>;
  /** Fields, by what Camunda's `sortBy` calls them. */
  readonly sorts: Readonly<Record<string, string>>;
}

/** `GET <path>` and `GET <path>/count`, and both by POST, as `listRoutes` has them. */
export const toldRoutes = (list: ToldList): readonly RestRoute[] =>
  (['GET', 'POST'] as const).flatMap((method) => [
    {
      method,
      path: `${list.path}/count`,
      answer: async (call) => ({ json: { count: (await found(list, call)).length } }),
    },
    { method, path: list.path, answer: (call) => paged(list, call) },
  ]);

const OF_PAGES: ReadonlySet<string> = new Set([
  ...['firstResult', 'maxResults', 'sortBy', 'sortOrder', 'sorting'],
  ...['deserializeValues', 'tenantIdIn', 'withoutTenantId'],
]);

async function found(list: ToldList, call: RestCall): Promise<readonly Json[]> {
  const given = new Map<string, readonly string[]>();
  for (const [name, value] of call.query) given.set(name, value.split(','));
  for (const [name, value] of Object.entries(call.json()))
    if (value !== null) given.set(name, (Array.isArray(value) ? value : [value]).map(String));
  const isAsked = (name: string, values: readonly string[]) =>
    !OF_PAGES.has(name) && (Object.hasOwn(list.filters, name) || !asksNothing(name, values.join()));
  const asked = [...given].filter(([name, values]) => isAsked(name, values));
  for (const [name] of asked) if (!Object.hasOwn(list.filters, name)) throw unknown(list, name);
  if ((given.get('tenantIdIn') ?? []).length > 0) return [];
  const all = await list.all(call, given);
  return all.filter((item) => asked.every(([name, values]) => list.filters[name]?.(item, values, name) ?? true));
}

const unknown = ({ path, filters }: ToldList, name: string) =>
  badRequest(`expected one of ${Object.keys(filters).join(', ')} as a parameter of '${path}', but found '${name}'`, {
    reason: 'argument_invalid',
    details: { argument: name },
  });

async function paged(list: ToldList, call: RestCall): Promise<RestAnswer> {
  const orders = ordersOf(list, call);
  const sorted = [...(await found(list, call))].sort((a, b) => {
    for (const { field, sign } of orders) {
      const [one, other] = [a[field] ?? '', b[field] ?? ''] as [string, string];
      if (one !== other) return one < other ? -sign : sign;
    }
    return 0;
  });
  const first = wholeOf(call, 'firstResult', 0);
  return { json: sorted.slice(first, first + wholeOf(call, 'maxResults', sorted.length)) };
}

function ordersOf({ sorts }: ToldList, call: RestCall) {
  const { query } = call;
  const inBody = objectsIn(call.json(), 'sorting') ?? [];
  const inQuery = query.has('sortBy') || query.has('sortOrder') ? [Object.fromEntries(query)] : [];
  return [...inBody, ...inQuery].map((each) => {
    const [by, order] = [textIn(each, 'sortBy') ?? '', textIn(each, 'sortOrder')];
    const field = Object.hasOwn(sorts, by) ? sorts[by] : undefined;
    if (field === undefined) throw unfit('sortBy', `one of ${Object.keys(sorts).join(', ')}`, by);
    if (order !== 'asc' && order !== 'desc') throw unfit('sortOrder', "'asc' or 'desc'", order);
    return { field, sign: order === 'asc' ? 1 : -1 };
  });
}

function wholeOf({ query }: RestCall, name: string, otherwise: number): number {
  const given = query.get(name);
  if (given === null) return otherwise;
  if (!/^\d{1,10}$/.test(given)) throw unfit(name, 'a whole number from 0', given);
  return Number(given);
}

/** The field is one of the values. */
export const among =
  (field: string): Fits =>
  (item, values) =>
    values.includes(String(item[field]));

/** The field is like the pattern, in which `%` stands for any text. */
export const like =
  (field: string): Fits =>
  (item, [pattern = '']) =>
    isLike(String(item[field] ?? ''), pattern);

/** `true` asks for those that fulfil it; `false` for all. */
export const asked =
  (fulfils: (item: Json) => boolean): Fits =>
  (item, [value], name) => {
    if (value !== 'true' && value !== 'false') throw unfit(name, 'true or false', value);
    return value === 'false' || fulfils(item);
  };

/** The field, a date, is before or after the one that is given, or the same. */
export const dated =
  (field: string, sign: 1 | -1): Fits =>
  (item, [value = ''], name) => {
    const at = item[field];
    return typeof at === 'string' && sign * (dateOf(field, at) - dateOf(name, value)) >= 0;
  };

/** It was looked at when the list was told. */
export const told: Fits = () => true;
