import { type ErrorInfo, ServiceError } from '../../shared/errors.js';
import { IDENTITY } from '../type/validate-node.js';
import type { NodeChange } from './change-event.js';
import type { ContentNode } from './node.js';
import type { Types } from './types.js';

// Users, groups and roles are nodes (`mi:identity`), and who somebody is must not be a matter of rights to nodes: whoever may write all of a home,
// as its user may, still changes nothing of the nodes that say who that is. What is above such a node is one, too, so that none goes with
// what is above it.

/** A change, as far as a refusal tells of it. */
interface Told {
  readonly types: Pick<Types, 'isA'>;
  nameOf(node: ContentNode): string;
  resourceOf(node: ContentNode): Pick<ErrorInfo, 'resourceId'>;
}

/** Requires that nobody but identity itself makes, changes, locks, versions, moves or removes a node of it. @throws FORBIDDEN */
export function requireNoIdentityChanged(change: Told, changes: readonly NodeChange[]): void {
  for (const { before, after } of changes) {
    const node = [before, after].find((one) => one !== undefined && change.types.isA(one, IDENTITY));
    if (node === undefined || isSame(before, after)) continue;
    throw new ServiceError(
      'FORBIDDEN',
      `expected ${change.nameOf(node)} to be left alone: it says who somebody is, and is made, changed and removed by operations on users, groups and roles alone`,
      { reason: 'identity_node', ...change.resourceOf(node) },
    );
  }
}

/** Whether nothing but the revision differs: a node is written anew when something below it changes its order. */
function isSame(before: ContentNode | undefined, after: ContentNode | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const rest = ({ version: _, ...others }: ContentNode) => JSON.stringify(others);
  return rest(before) === rest(after);
}
