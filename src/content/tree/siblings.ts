import { documentOf, type Scalar, smallColumns, smallText, tableOf } from '../../store/index.js';
import { type ContentNode, nodes } from './node.js';

/** Statements that read the durable tree on the caller's thread. */
export interface SmallReads {
  prepare(sql: string): { all(...values: Scalar[]): readonly Readonly<Record<string, Scalar>>[] };
  /** Told how many characters each document has that is read. What it throws reaches whoever reads. */
  onRead?(characters: number): void;
}

/** How many of them are looked below at once. */
const TOGETHER_MAX = 50;
/** How many children of each are looked at. */
const CHILDREN_LOOKED_AT = 5;

const CONTENTS = `SELECT ${smallColumns()}, "c_parent" AS parent FROM ${tableOf(nodes)}
  WHERE "c_parent" IN (SELECT value FROM json_each(?)) AND "c_name" = 'jcr:content'`;
/** `own`: whether all of the first children have lists of their own; null: there are none. */
const CHILDREN = `SELECT value AS id, (SELECT min("c_ownAcl" IS NOT NULL) FROM
  (SELECT "c_ownAcl" FROM ${tableOf(nodes)} WHERE "c_parent" = value LIMIT ${CHILDREN_LOOKED_AT})) AS own FROM json_each(?)`;

/** Nodes of one page, of which the same will be asked: what lies below one of them is read for all of them at once. */
export class Siblings {
  readonly #reads: SmallReads;
  readonly #ids: readonly string[];
  #contents: ReadonlyMap<string, ContentNode | undefined> | undefined;
  #children: ReadonlyMap<string, boolean> | undefined;

  constructor(reads: SmallReads, ids: readonly string[]) {
    this.#reads = reads;
    this.#ids = ids;
  }

  /** The node's jcr:content, null: there is none; undefined: it is to be read by itself. */
  contentOf({ id }: ContentNode): ContentNode | null | undefined {
    this.#contents ??= this.#readContents();
    return this.#contents.has(id) ? this.#contents.get(id) : null;
  }

  /** Whether the node has a child without a list of its own; undefined: that is to be looked at by itself. */
  hasPlainChild({ id }: ContentNode): boolean | undefined {
    this.#children ??= this.#readChildren();
    return this.#children.get(id);
  }

  #readContents(): ReadonlyMap<string, ContentNode | undefined> {
    const found = new Map<string, ContentNode | undefined>();
    for (const row of this.#reads.prepare(CONTENTS).all(JSON.stringify(this.#ids))) {
      const [parent, text] = [String(row.parent), smallText(row)];
      // Of several the first is meant.
      const isOne = text !== undefined && !found.has(parent);
      if (isOne) this.#reads.onRead?.(text.length);
      found.set(parent, isOne ? documentOf(nodes, { id: String(row.id), body: text }) : undefined);
    }
    return found;
  }

  #readChildren(): ReadonlyMap<string, boolean> {
    const rows = this.#reads.prepare(CHILDREN).all(JSON.stringify(this.#ids));
    return new Map(rows.filter(({ own }) => own !== 1).map(({ id, own }) => [String(id), own === 0]));
  }
}

/** The nodes in groups that are looked below at once, each by its id. */
export function siblingsOf(reads: SmallReads, siblings: readonly ContentNode[]): Map<string, Siblings> {
  const groups = new Map<string, Siblings>();
  for (let at = 0; at < siblings.length; at += TOGETHER_MAX) {
    const ids = siblings.slice(at, at + TOGETHER_MAX).map(({ id }) => id);
    const group = new Siblings(reads, ids);
    for (const id of ids) groups.set(id, group);
  }
  return groups;
}
