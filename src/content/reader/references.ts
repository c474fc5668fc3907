import { badRequest, limitExceeded } from '../../shared/errors.js';
import {
  decodeCursor,
  encodeCursor,
  multiTableOf,
  PAGE_MAX,
  type Page,
  type PageRow,
  type Prepared,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  tableOf,
} from '../../store/index.js';
import { nodes } from '../collections.js';
import { ContentView } from '../content-view.js';
import type { ContentNode } from '../model/node.js';
import { type PropertyType, valuesOf } from '../model/property.js';
import { type NodeRow, Readable } from './readable.js';

export interface ReferencesQuery {
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
export interface ReferenceRow extends PageRow {
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
    this.#body = context.log.prepare(`SELECT body FROM ${tableOf(nodes)} WHERE id = ?`);
  }

  page({ first, after, count }: ReferencesQuery): ReferencesPage {
    if (!Number.isInteger(first) || first < 0)
      throw badRequest(`expected 'first' to be a whole number from 0 to ${PAGE_MAX}, but it is ${first}`);
    if (first > PAGE_MAX) throw limitExceeded(`expected 'first' to be at most ${PAGE_MAX}, but it is ${first}`);
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
    let total = 0;
    for (const _ of this.#holders(0, '')) total++;
    return total;
  }

  /** The holders behind the place, in order, as far as the caller may read them and what is shown for them. */
  *#holders(fromKind: number, behindId: string): Generator<Holder> {
    for (let kind = fromKind; kind < KINDS.length; kind++) {
      const references = multiTableOf(nodes, KINDS[kind]?.column ?? '');
      const sql = `SELECT d.id, d."c_parent" AS parent, d."c_name" AS name, d."c_ownAcl" IS NOT NULL AS hasOwn FROM ${references} m JOIN ${tableOf(nodes)} d ON d.id = m.id WHERE m.value = ? AND m.id > ? ORDER BY m.id`;
      const isHolder = this.#context.log.prepare(`SELECT 1 FROM ${references} WHERE value = ? AND id = ?`);
      const behind = kind === fromKind ? behindId : '';
      for (const row of this.#context.log.prepare(sql).iterate(this.#targetId, behind)) {
        const id = String(row.id);
        const shownId = this.#shownFor(row, isHolder);
        if (shownId !== undefined) yield { kind, id, shownId };
      }
    }
  }

  /** The node that stands in the list for a holder; undefined: none that the caller may read, or it stands there itself. */
  #shownFor({ id, parent, name, hasOwn }: Readonly<Record<string, unknown>>, isHolder: Prepared): string | undefined {
    const holder: NodeRow = {
      id: String(id),
      parent: parent === null ? null : String(parent),
      hasOwn: hasOwn === 1,
    };
    if (!this.#readable.has(holder)) return undefined;
    if (name !== 'jcr:content' || holder.parent === null) return holder.id;
    const isShown = this.#readable.hasId(holder.parent) && isHolder.get(this.#targetId, holder.parent) === undefined;
    return isShown ? holder.parent : undefined;
  }

  #rowOf({ kind, id, shownId }: Holder, hash: string): ReferenceRow {
    const shown = this.#nodeOf(shownId);
    const content = this.#view.contentOf(shown.node);
    const { type } = KINDS[kind] ?? KINDS[0];
    const own = id === shownId ? this.#namesIn(shown.node, type) : [];
    const inContent = content.id === shownId ? [] : this.#namesIn(content, type);
    return {
      id: shownId,
      body: shown.body,
      cursor: encodeCursor(hash, [kind, id]),
      propertyNames: [...new Set([...own, ...inContent])],
      isWeak: type === 'WeakReference',
    };
  }

  #namesIn({ properties }: ContentNode, type: PropertyType): string[] {
    return Object.entries(properties)
      .filter(([, property]) => property.type === type && valuesOf(property).includes(this.#targetId))
      .map(([name]) => name);
  }

  #nodeOf(id: string): { readonly body: string; readonly node: ContentNode } {
    const body = String(this.#body.get(id)?.body);
    return { body, node: JSON.parse(body) as ContentNode };
  }
}
