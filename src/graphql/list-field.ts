import { type GraphQLResolveInfo, Kind, responsePathAsArray, type SelectionSetNode } from 'graphql';
import { type Connection, connection, isShown } from '../shared/connection.js';
import { isSoundText } from '../shared/sound-text.js';
import {
  type AnyCollection,
  type Collection,
  type Condition,
  type Document,
  documentOf,
  type KeysetPage,
  type KeysetRequest,
  type OrderTerm,
  type Page,
  type PageRow,
  type Value,
} from '../store/index.js';
import type { ListQuery } from './request-lists.js';

/** The arguments that every list has: which page of it. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A list, whichever page of it is asked for. */
export interface ListOf {
  readonly collection: AnyCollection;
  readonly where: readonly Condition[];
  readonly order: readonly OrderTerm[];
  /** What `first` is when the client says null. */
  readonly first: number;
}

/** The page that a field asks for; the total is counted only where it is selected. */
export const listQuery = (
  { collection, where, order, first }: ListOf,
  { first: wanted, after }: PageArguments,
  info: GraphQLResolveInfo,
): ListQuery => ({
  collection: collection.name,
  of: collection,
  where,
  order,
  first: wanted ?? first,
  after: after ?? null,
  count: selects(info, 'totalCount'),
  field: `${info.parentType.name}.${info.fieldName}`,
  path: responsePathAsArray(info.path),
});

/** The page that a field asks for of what is no list of documents; `otherwise`: its size when the client does not say. */
export const keysetRequest = (
  { first, after }: PageArguments,
  otherwise: number,
  info: GraphQLResolveInfo,
): KeysetRequest => ({ first: first ?? otherwise, after: after ?? null, count: selects(info, 'totalCount') });

/** Such a page as a connection. */
export function keysetConnection<T>(page: KeysetPage<T>): Connection<T> & { readonly totalCount: number } {
  return { ...connection(page, ({ node }) => node), totalCount: page.totalCount ?? 0 };
}

/** So many characters of documents are parsed before others have their turn. */
const TURN_CHARS = 1_048_576;

/** A page as a connection; `nodeOf` makes a node of a document, undefined: there is nothing to show of it. */
export async function connectionOf<D extends Document, T>(
  collection: Collection<D>,
  page: Page,
  nodeOf: (document: D) => T | undefined,
): Promise<Connection<T> & { readonly totalCount: number }> {
  const rows: { readonly cursor: string; readonly damage: unknown; readonly node: T | undefined }[] = [];
  let chars = 0;
  for (const row of page.rows) {
    const { cursor, damage } = row;
    rows.push({ cursor, damage, node: damage === undefined ? nodeOf(documentIn(collection, row)) : undefined });
    chars += row.body.length;
    if (chars < TURN_CHARS) continue;
    chars = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const made = connection({ ...page, rows }, ({ node }) => node);
  return { ...made, totalCount: made.totalCount ?? 0 };
}

/** The documents of a page of the reader's, as its rows hold them. */
export const documentsOf = <D extends Document>(collection: Collection<D>, { rows }: Page): D[] =>
  rows.filter(isShown).map((row) => documentIn(collection, row));

const documentIn = <D extends Document>(collection: Collection<D>, row: PageRow): D =>
  (row.document as D | undefined) ?? documentOf(collection, row);

/** The condition that the column equals the argument; nothing where it is not given. No column has a text that cannot be stored. */
export const equal = (column: string, value: Value | null | undefined): Condition[] => {
  if (value == null) return [];
  return typeof value === 'string' && !isSoundText(value) ? [{ op: 'any', of: [] }] : [{ op: 'eq', column, value }];
};

/** The condition that the column compares so with the argument; nothing where it is not given. */
export const compared = (
  column: string,
  op: 'lt' | 'le' | 'gt' | 'ge',
  value: Value | null | undefined,
): Condition[] => (value == null ? [] : [{ op, column, value }]);

/** The condition that the column is 1 for true and 0 for false; nothing where it is not given. */
export const flagged = (column: string, value: boolean | null | undefined): Condition[] =>
  value == null ? [] : [{ op: 'eq', column, value: Number(value) }];

/** The condition that the column holds the argument as a part; nothing where it is not given. */
export const containing = (column: string, value: string | null | undefined): Condition[] =>
  value == null || value === '' ? [] : [{ op: 'contains', column, value }];

/** Whether the field is selected directly below the one that is resolved. */
export function selects(info: GraphQLResolveInfo, field: string): boolean {
  const within = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === field;
      if (selection.kind === Kind.INLINE_FRAGMENT) return within(selection.selectionSet);
      const fragment = info.fragments[selection.name.value];
      return fragment !== undefined && within(fragment.selectionSet);
    });
  return info.fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && within(selectionSet));
}
