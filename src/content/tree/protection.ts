import { type Caller, SYSTEM_USER } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { holdsLock } from '../../shared/rights/nodes.js';
import type { EffectiveType } from '../type/effective-type.js';
import { childAction } from '../type/opv.js';
import type { ContentNode, Lock } from './node.js';
import type { Types } from './types.js';

/** A lock, and the node that holds it. */
export interface HeldLock {
  readonly holder: ContentNode;
  readonly lock: Lock;
}

/** The node's own lock, if it is still in force. */
export const lockOf = ({ lock }: ContentNode, now: number): Lock | undefined =>
  lock === undefined || (lock.expires !== null && lock.expires <= now) ? undefined : lock;

export const withoutLock = ({ lock: _lock, ...rest }: ContentNode): ContentNode => rest;

/**
 * The lock that protects the last node of the chain: its own, or the nearest deep one above it. A file is one thing with its content, so the
 * lock of a node that has a jcr:content protects that too.
 */
export function lockOver(chain: readonly ContentNode[], now: number): HeldLock | undefined {
  for (let at = chain.length - 1; at >= 0; at--) {
    const holder = chain[at];
    if (holder === undefined) continue;
    const lock = lockOf(holder, now);
    if (lock !== undefined && (lock.deep || covers(chain, at))) return { holder, lock };
  }
  return undefined;
}

/** Whether a lock of this node that is not deep protects the last one. */
const covers = (chain: readonly ContentNode[], at: number): boolean =>
  at === chain.length - 1 || (at === chain.length - 2 && chain[at + 1]?.name === 'jcr:content');

/** The lock that keeps the caller from changing the last node of the chain. */
export function foreignLockOver(chain: readonly ContentNode[], caller: Caller, now: number): HeldLock | undefined {
  if (caller.userId === SYSTEM_USER) return undefined;
  const held = lockOver(chain, now);
  return held === undefined || holdsLock(held.lock, caller) ? undefined : held;
}

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
