import { limitExceeded } from '../../shared/errors.js';
import {
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  storedColumns,
  storedDocument,
  tableOf,
} from '../../store/documents.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { formatSegment } from '../value/path.js';

interface ArchiveWalk {
  readonly partition: string;
  readonly path: string;
  /** How many nodes there may be. */
  readonly nodesMax: number;
  /** ms, domain clock */
  readonly now: number;
}

/**
 * The nodes from the path down that the caller may read, as they are at one revision: parents first, siblings in their order. A line each:
 * depth, TAB, identifier, TAB, the name as it stands in a path. Empty: there is no such node. One text, as there may be very many.
 */
export const archiveWalk: ReaderQuery<ArchiveWalk, string> = {
  name: 'archiveWalk',
  run(context, { partition, path, nodesMax, now }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const root = view.at(path);
    if (root === undefined) return '';
    return new Walk(context, view, nodesMax).lines(root);
  },
};

interface ArchivePage {
  readonly partition: string;
  readonly ids: readonly string[];
  /** Whether lists that the caller may read are given. */
  readonly includeAcl: boolean;
  /** ms, domain clock */
  readonly now: number;
}

export interface ArchivedPage {
  /** The first of the nodes, as they are now; null: gone, or not readable any more. */
  readonly nodes: readonly (ContentNode | null)[];
}

/** A page ends when its nodes are more than this as text. */
const PAGE_LENGTH_MAX = 1_000_000;

/** Some of the nodes of an archive; at least one. */
export const archivePage: ReaderQuery<ArchivePage, ArchivedPage> = {
  name: 'archivePage',
  run(context, { partition, ids, includeAcl, now }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const found: (ContentNode | null)[] = [];
    let length = 0;
    for (const id of ids) {
      const node = view.get(id);
      const shown = node === undefined ? null : shownOf(view, node, includeAcl);
      found.push(shown);
      length += JSON.stringify(shown).length;
      if (length > PAGE_LENGTH_MAX) break;
    }
    return { nodes: found };
  },
};

function shownOf(view: ContentView, node: ContentNode, includeAcl: boolean): ContentNode {
  const { acl, lock: _lock, versioning: _versioning, ...rest } = node;
  const isShown = includeAcl && acl !== undefined && view.access.has(node, 'jcr:readAccessControl');
  return isShown ? { ...rest, acl } : rest;
}

class Walk {
  readonly #context: QueryContext;
  readonly #view: ContentView;
  #left: number;

  constructor(context: QueryContext, view: ContentView, nodesMax: number) {
    this.#context = context;
    this.#view = view;
    this.#left = nodesMax;
  }

  lines(root: ContentNode): string {
    const found: string[] = [];
    const stack = [{ node: root, depth: 0, segment: this.#view.tree.segmentOf(root) }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { node, depth, segment } = top;
      if (--this.#left < 0) throw tooLarge();
      found.push(`${depth}\t${node.id}\t${segment}`);
      const children = this.#childrenOf(node).map((child) => ({ ...child, depth: depth + 1 }));
      for (const child of children.reverse()) stack.push(child);
    }
    return found.join('\n');
  }

  #childrenOf(parent: ContentNode): { node: ContentNode; segment: string }[] {
    const order = this.#view.types.isOrderable(parent) ? '"c_order", "id"' : '"c_name", "c_sibling"';
    const sql = `SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE "c_parent" = ? ORDER BY ${order}`;
    const counts = new Map<string, number>();
    const children: { node: ContentNode; segment: string }[] = [];
    for (const row of this.#context.log.prepare(sql).iterate(parent.id)) {
      const node = storedDocument(nodes, row);
      // Where names repeat, their order is that of their index; what cannot be read has one too.
      const index = (counts.get(node.name) ?? 0) + 1;
      counts.set(node.name, index);
      if (!this.#view.access.canReadBelow(parent, node.acl)) continue;
      children.push({ node, segment: formatSegment({ name: node.name, index }) });
      if (children.length > this.#left) throw tooLarge();
    }
    return children;
  }
}

const tooLarge = () =>
  limitExceeded('expected fewer nodes for one archive, but there are too many', { reason: 'archive_too_large' });
