import { bitOf, type Privileges } from '../../shared/rights/nodes.js';
import { type Prepared, type QueryContext, storedColumns, storedDocument, tableOf } from '../../store/documents.js';
import type { ContentView } from './content-view.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';

/** A node as far as it must be known to tell who may read it: columns of its row. */
interface NodeRow {
  readonly id: string;
  readonly parent: string | null;
  /** Whether it has a list of its own. */
  readonly hasOwn: boolean;
}

/** Privileges that are granted at a node; null: it is not in the tree. */
type Granted = Privileges | null;

const isRead = (granted: Granted): boolean => granted !== null && (granted & bitOf('jcr:read')) !== 0;

/**
 * Who may read which node, for many of them: of most nodes neither document nor path is looked at. Gives the same answer as `Access`, by the
 * same rule.
 */
export class Readable {
  readonly #view: ContentView;
  readonly #row: Prepared;
  readonly #body: Prepared;
  readonly #known = new Map<string, Granted>();

  constructor({ log }: QueryContext, view: ContentView) {
    this.#view = view;
    this.#row = log.prepare(
      `SELECT "c_parent" AS parent, "c_ownAcl" IS NOT NULL AS hasOwn FROM ${tableOf(nodes)} WHERE id = ?`,
    );
    this.#body = log.prepare(`SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE id = ?`);
    const root = view.tree.get(ROOT_ID);
    this.#known.set(ROOT_ID, root === undefined ? null : view.access.of(root));
  }

  has(row: NodeRow): boolean {
    // The root has no parent: its own list says the same twice.
    return isRead(this.#below(this.#granted(row.parent ?? row.id), row));
  }

  /** As {@link has}, of a node by its id alone. */
  hasId(id: string): boolean {
    return isRead(this.#granted(id));
  }

  #granted(id: string): Granted {
    const chain: NodeRow[] = [];
    let at: string | null = id;
    while (at !== null && !this.#known.has(at)) {
      const row: NodeRow = this.#rowOf(at);
      chain.push(row);
      at = row.parent;
    }
    let granted = at === null ? null : (this.#known.get(at) ?? null);
    for (const row of chain.reverse()) {
      granted = this.#below(granted, row);
      this.#known.set(row.id, granted);
    }
    return granted;
  }

  #below(above: Granted, { id, hasOwn }: NodeRow): Granted {
    return above === null ? null : this.#view.access.below(above, hasOwn ? this.#aclOf(id) : undefined);
  }

  #rowOf(id: string): NodeRow {
    const row = this.#row.get(id);
    return { id, parent: (row?.parent ?? null) as string | null, hasOwn: row?.hasOwn === 1 };
  }

  #aclOf(id: string): ContentNode['acl'] {
    const row = this.#body.get(id);
    return row === undefined ? undefined : storedDocument(nodes, row).acl;
  }
}
