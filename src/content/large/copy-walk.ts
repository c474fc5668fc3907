import { badRequest, limitExceeded } from '../../shared/errors.js';
import type { QueryContext } from '../../store/index.js';
import type { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { BELOW } from '../tree/subtree.js';

/** How many nodes one copy may have. */
export const COPY_NODES_MAX = 500_000;

/** A node that is copied. */
export interface Walked {
  readonly id: string;
  /** That wrote it last. */
  readonly revision: number;
}

/**
 * The nodes below the source, itself first, that the caller may read; what cannot be read is left out with all below it.
 * @throws BAD_REQUEST what is left out is what a type demands; LIMIT_EXCEEDED
 */
export function walkReadable({ log }: QueryContext, view: ContentView, source: ContentNode): Walked[] {
  const found: Walked[] = [];
  const hidden = new Set<string>();
  for (const row of log.prepare(`${BELOW} SELECT id, parent, own, revision FROM below`).iterate(source.id)) {
    const id = String(row.id);
    const isHidden = hidden.has(String(row.parent)) || (row.own !== null && !isReadable(view, id));
    if (isHidden) hidden.add(id);
    else found.push({ id, revision: Number(row.revision) });
    if (found.length > COPY_NODES_MAX)
      throw limitExceeded(`expected at most ${COPY_NODES_MAX} nodes to be copied, but there are more`, {
        reason: 'subtree_too_large',
        resourceId: source.id,
      });
  }
  return found;
}

/** @throws BAD_REQUEST */
function isReadable(view: ContentView, id: string): boolean {
  const node = view.tree.reading.get(nodes, id);
  if (node === undefined || view.access.canRead(node)) return true;
  const parent = view.tree.parentOf(node);
  const isDemanded =
    parent !== undefined &&
    view.access.canRead(parent) &&
    view.types.of(parent).mandatoryChildren.some(({ name }) => name === node.name);
  if (!isDemanded) return false;
  throw badRequest(`'${view.tree.pathOf(parent)}' cannot be copied: its type demands a child that you may not read`, {
    reason: 'mandatory_child',
    resourceId: parent.id,
  });
}
