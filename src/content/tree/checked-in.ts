import { ServiceError } from '../../shared/errors.js';
import type { EffectiveType } from '../type/effective-type.js';
import { childAction } from '../type/opv.js';
import type { ContentNode } from './node.js';
import type { Types } from './types.js';

/** A child that a node has or is to have. `type`: null for what the parent's type says. */
export interface ChildKind {
  readonly name: string;
  readonly type: string | null;
  readonly mixins: readonly string[];
}

/**
 * The checked-in node for which the last node of the chain is read-only: a checked-in node is, and what lies below it up to the next versionable
 * node, unless that lies below a child that versions leave out (JCR 2.0 §15.2.2).
 */
export function checkedInOver(chain: readonly ContentNode[], types: Types): ContentNode | undefined {
  const at = chain.findLastIndex(({ versioning }) => versioning !== undefined);
  const versionable = chain[at];
  if (versionable?.versioning?.checkedOut !== false) return undefined;
  const below = chain.slice(at);
  const isLeftOut = below.some((parent, i) => {
    const child = below[i + 1];
    return child !== undefined && isIgnored(types, types.of(parent), child);
  });
  return isLeftOut ? undefined : versionable;
}

/** Whether versions of the parent leave the child out, so that it may come and go while the parent is checked in. */
export function isIgnored(types: Types, parent: EffectiveType, { name, type, mixins }: ChildKind): boolean {
  const known = type ?? parent.defaultChildType(name);
  return known !== null && childAction(parent, name, types.of({ type: known, mixins })) === 'IGNORE';
}

/** The refusal that a node is checked in, or lies below what is. `name`: for messages. */
export const isCheckedIn = (versionable: ContentNode, name: string): ServiceError =>
  new ServiceError('CONFLICT', `expected ${name} to be checked out, but it is checked in`, {
    reason: 'checked_in',
    resourceId: versionable.id,
  });
