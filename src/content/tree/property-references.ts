import {
  decodeCursor,
  documentOf,
  encodeCursor,
  multiTableOf,
  type Page,
  type PageRow,
  type Prepared,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  soundText,
  storedColumns,
  storedText,
  tableOf,
} from '../../store/documents.js';
import { type PropertyType, valuesOf } from '../value/property.js';
import { requirePage } from './children.js';
import { ContentView } from './content-view.js';
import { type ContentNode, nodes } from './node.js';
import { Readable } from './readable.js';

interface ReferencesQuery {
  readonly targetId: string;
  readonly first: number;
  readonly after: string | null;
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  /** Whether the total is wanted. */
  readonly count: boolean;
}

/** A row of the page: the node that refers, and by which of its properties. */
interface ReferenceRow extends PageRow {
  readonly propertyNames: readonly string[];
  readonly isWeak: boolean;
}

export interface ReferencesPage extends Page {
  readonly rows: readonly ReferenceRow[];
}

/**
 * One page of the nodes that refer to a node, as far as the caller may read them: first those with a REFERENCE, then those with a
 * WEAKREFERENCE, each in the order of their identifiers. For a jcr:content its file stands. The target was found by the caller.
 */
export const contentReferences: ReaderQuery<ReferencesQuery, ReferencesPage> = {
  name: 'contentReferences',
  run(context, query) {
    const view = new ContentView(snapshotState(context, query.partition, query.now), context.caller);
    return new References(context, view, query.targetId).page(query);
  },
};

/** The kinds of references in the order of the list. */
const KINDS = [
  { column: 'strong', type: 'Reference' },
  { column: 'weak', type: 'WeakReference' },
] as const satisfies readonly { readonly column: string; readonly type: PropertyType }[];

/** A node that holds a reference, and what is shown for it. */
interface Holder {
  readonly kind: number;
  readonly id: string;
  readonly shownId: string;
}

/**
 * The holders of references to a target, by their identifiers behind a given one: what is shown for each, and the folder whose readers may read
 * both where neither has a list of its own. A jcr:content is left out when its file refers, too: that stands for both.
 * The second of several of that name stands for itself.
 */
const holdersIn = (column: string): string => `
  SELECT d.id, d."c_parent" AS parent, d."c_ownAcl" IS NOT NULL AS "hasOwn", coalesce(f.id, d.id) AS "shownId",
    f."c_ownAcl" IS NOT NULL AS "shownHasOwn", coalesce(f."c_parent", d."c_parent", d.id) AS folder
  FROM ${multiTableOf(nodes, column)} m
  JOIN ${tableOf(nodes)} d ON d.id = m.id
  LEFT JOIN ${tableOf(nodes)} f ON d."c_name" = 'jcr:content' AND f.id = d."c_parent" AND NOT EXISTS (
    SELECT 1 FROM ${tableOf(nodes)} b
    WHERE b."c_parent" = d."c_parent" AND b."c_name" = d."c_name" AND b."c_sibling" < d."c_sibling")
  WHERE m.value = ? AND m.id > ?
    AND NOT EXISTS (SELECT 1 FROM ${multiTableOf(nodes, column)} o WHERE o.value = m.value AND o.id = f.id)`;

class References {
  readonly #context: QueryContext;
  readonly #view: ContentView;
  readonly #readable: Readable;
  readonly #targetId: string;
  readonly #body: Prepared;

  constructor(context: QueryContext, view: ContentView, targetId: string) {
    this.#context = context;
    this.#view = view;
    this.#readable = new Readable(context, view);
    this.#targetId = targetId;
    this.#body = context.log.prepare(`SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE id = ?`);
  }

  page({ first, after, count }: ReferencesQuery): ReferencesPage {
    requirePage(first);
    const hash = `references/${this.#targetId}`;
    const [kind = 0, id = ''] = after === null ? [] : decodeCursor(hash, 2, after);
    const found: Holder[] = [];
    for (const holder of this.#holders(Number(kind), String(id))) {
      found.push(holder);
      if (found.length > first) break;
    }
    return {
      rows: found.slice(0, first).map((holder) => this.#rowOf(holder, hash)),
      hasNextPage: found.length > first,
      hasPreviousPage: after !== null,
      totalCount: count ? this.#count() : null,
      revision: this.#context.revision,
    };
  }

  #count(): number {
    return KINDS.reduce((total, { column }) => total + this.#countOf(column), 0);
  }

  /** Holders are counted by the folder that decides who may read them; those with lists of their own are looked at one by one. */
  #countOf(column: string): number {
    const holders = holdersIn(column);
    const plain = `"hasOwn" = 0 AND "shownHasOwn" = 0`;
    const folders = this.#context.log.prepare(
      `SELECT folder, count(*) AS total FROM (${holders}) WHERE ${plain} GROUP BY folder`,
    );
    const others = this.#context.log.prepare(`SELECT * FROM (${holders}) WHERE NOT (${plain})`);
    const inFolders = folders
      .all(this.#targetId, '')
      .filter(({ folder }) => this.#readable.hasId(String(folder)))
      .reduce((total, row) => total + Number(row.total), 0);
    return inFolders + others.all(this.#targetId, '').filter((row) => this.#isReadable(row)).length;
  }

  /** The holders behind the place, in order, as far as the caller may read them and what is shown for them. */
  *#holders(fromKind: number, behindId: string): Generator<Holder> {
    for (let kind = fromKind; kind < KINDS.length; kind++) {
      const sql = `${holdersIn(KINDS[kind]?.column ?? '')} ORDER BY m.id`;
      const behind = kind === fromKind ? behindId : '';
      for (const row of this.#context.log.prepare(sql).iterate(this.#targetId, behind)) {
        if (this.#isReadable(row)) yield { kind, id: String(row.id), shownId: String(row.shownId) };
      }
    }
  }

  #isReadable({ id, parent, hasOwn, shownId }: Readonly<Record<string, unknown>>): boolean {
    const holder = { id: String(id), parent: parent as string | null, hasOwn: hasOwn === 1 };
    return this.#readable.has(holder) && (shownId === id || this.#readable.hasId(String(shownId)));
  }

  #rowOf({ kind, id, shownId }: Holder, hash: string): ReferenceRow {
    const { type } = KINDS[kind] ?? KINDS[0];
    const place = { id: shownId, cursor: encodeCursor(hash, [kind, id]), isWeak: type === 'WeakReference' };
    const damage = [shownId, id].find((one) => soundText(this.#body.get(one) ?? {}) === undefined);
    // Whether its readers may read it was decided by columns of the row.
    if (damage !== undefined)
      return { ...place, body: '', propertyNames: [], damage: { what: nodes.name, id: damage } };
    const shown = this.#nodeOf(shownId);
    this.#context.room.take(shown.body);
    const holders = id === shownId ? [shown.node, this.#view.contentOf(shown.node)] : [this.#nodeOf(id).node];
    return {
      ...place,
      body: shown.body,
      propertyNames: [...new Set(holders.flatMap((holder) => this.#namesIn(holder, type)))],
    };
  }

  #namesIn({ properties }: ContentNode, type: PropertyType): string[] {
    return Object.entries(properties)
      .filter(([, property]) => property.type === type && valuesOf(property).includes(this.#targetId))
      .map(([name]) => name);
  }

  #nodeOf(id: string): { readonly body: string; readonly node: ContentNode } {
    const row = this.#body.get(id);
    const body = row === undefined ? '' : storedText(nodes, row);
    return { body, node: documentOf(nodes, { id, body }) };
  }
}
