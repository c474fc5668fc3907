import { ServiceError, unavailable } from '../../shared/errors.js';
import { allSteps } from '../../store/documents.js';
import { valuesOf } from '../value/property.js';
import type { Change } from './change.js';
import { isHolding } from './detached.js';
import { type ContentNode, nodes } from './node.js';

/** How many holders of references to one node are looked at: first a few, and more where those do not count. */
const HOLDER_READS = [50, 200] as const;

/**
 * A node with a strong reference to the target, `isGone` left out; undefined: none. Null: too many that do not count were looked at, so that
 * the question is for the reader. What waits to be swept does not count.
 */
export function referrerOf(
  change: Change,
  target: Pick<ContentNode, 'id'>,
  isGone: (holder: ContentNode) => boolean = () => false,
): ContentNode | undefined | null {
  for (const limit of HOLDER_READS) {
    const holders = change.draft.findMulti(nodes, 'strong', target.id, limit);
    const found = holders.find((one) => !isGone(one) && isHolding(change.draft, change.tree, one));
    if (found !== undefined || holders.length < limit) return found;
  }
  return null;
}

/**
 * Whether nothing that stays has a strong reference to one of these (JCR 2.0 §3.6.4). False: that cannot be said from the few holders that a
 * decision looks at. @throws CONFLICT something has
 */
export const isUnreferenced = (change: Change, removed: readonly ContentNode[]): boolean =>
  allSteps(unreferencedSteps(change, removed));

/** As {@link isUnreferenced}, node by node. */
export function* unreferencedSteps(change: Change, removed: readonly ContentNode[]): Generator<void, boolean, void> {
  const ids = new Set(removed.map(({ id }) => id));
  for (const target of removed) {
    const holder = referrerOf(change, target, ({ id }) => ids.has(id));
    if (holder === null) return false;
    if (holder !== undefined) refuseReferenced(change, target, holder);
    yield;
  }
  return true;
}

/** Identifiers of the targets of the node's strong references. */
export const strongTargets = ({ properties }: Pick<ContentNode, 'properties'>): string[] =>
  Object.values(properties).flatMap((property) =>
    property.type === 'Reference' ? valuesOf(property).map(String) : [],
  );

/** `holder`: for messages. @throws BAD_REQUEST the target is not in the tree, or is not referenceable (JCR 2.0 §3.8.3.2) */
export function requireTarget(change: Change, id: string, holder: { readonly what: string }): void {
  const target = change.tree.get(id);
  const isThere = target !== undefined && change.access.canRead(target);
  if (!isThere) {
    throw new ServiceError(
      'BAD_REQUEST',
      `expected ${holder.what} to refer to a node, but there is none with the identifier '${id}'`,
      {
        reason: 'reference_target_missing',
      },
    );
  }
  if (change.types.isA(target, 'mix:referenceable')) return;
  const found = `'${change.pathOf(target)}' is not`;
  throw new ServiceError('BAD_REQUEST', `expected ${holder.what} to refer to a referenceable node, but ${found}`, {
    reason: 'target_not_referenceable',
  });
}

/** Refuses to remove the node; in a transaction only if something still refers to it at the end. @throws CONFLICT */
export function refuseReferenced(change: Change, target: ContentNode, holder: ContentNode): void {
  const [name, resource] = [change.nameOf(target), change.resourceOf(target)];
  const refusal = (by: ContentNode): ServiceError => {
    // Who may not read the holder learns that there is one, not where.
    const where = change.access.canRead(by) ? `'${change.pathOf(by)}'` : 'a node that you may not read';
    const message = `${name} cannot be removed: ${where} refers to it`;
    return new ServiceError('CONFLICT', message, { reason: 'referenced', ...resource });
  };
  if (!change.isPart) throw refusal(holder);
  const { id } = target;
  change.referred.push({ id, step: change.step, check: () => requireUnreferred(change, id, refusal) });
}

/** At the end of a commit. @throws CONFLICT something still refers to the node, and it is gone */
function requireUnreferred(change: Change, id: string, refusal: (holder: ContentNode) => ServiceError): void {
  const back = change.draft.get(nodes, id);
  if (back !== undefined && change.tree.chainOf(back) !== undefined) return;
  const holder = referrerOf(change, { id });
  if (holder === null)
    throw unavailable('expected what refers to a deleted node to be swept by now, but it is not; try again', {
      reason: 'tree_busy',
      resourceId: id,
    });
  if (holder !== undefined) throw refusal(holder);
}
