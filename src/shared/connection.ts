/** A row that knows its place. `damage`: there is nothing to show of it; the list goes on behind it all the same. */
interface Placed {
  readonly cursor: string;
  readonly damage?: unknown;
}

/** What a connection is made from: one page of rows that each know their place. */
interface ConnectionSource<R extends Placed> {
  readonly rows: readonly R[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number | null;
}

/** A page in the shape of the GraphQL Cursor Connections Specification. */
export interface Connection<T> {
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly pageInfo: PageInfo;
  /** Null when it was not asked for. */
  readonly totalCount: number | null;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null on an empty page. */
  readonly startCursor: string | null;
  /** Null on an empty page. */
  readonly endCursor: string | null;
}

/** The page as a connection (Relay, "Connection Types" and "PageInfo"); `nodeOf` makes a row's node, undefined: there is nothing to show of it. */
export function connection<R extends Placed, T>(
  page: ConnectionSource<R>,
  nodeOf: (row: R) => T | undefined,
): Connection<T> {
  const { rows, hasNextPage, hasPreviousPage, totalCount } = page;
  return {
    edges: rows.filter(isShown).flatMap((row) => {
      const node = nodeOf(row);
      return node === undefined ? [] : [edge(node, row)];
    }),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      get startCursor() {
        return rows[0]?.cursor ?? null;
      },
      get endCursor() {
        return rows.at(-1)?.cursor ?? null;
      },
    },
    totalCount,
  };
}

/** Cursors are made when they are asked for. */
const edge = <T>(node: T, row: Placed) => ({
  node,
  get cursor() {
    return row.cursor;
  },
});

/** Whether there is something to show of the row. */
export const isShown = ({ damage }: Placed): boolean => damage === undefined;
