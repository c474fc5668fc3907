import { ServiceError, unavailable } from '../../shared/errors.js';
import { holdsLock } from '../../shared/rights/nodes.js';
import {
  type Asking,
  type ReaderQuery,
  type Scalar,
  storedColumns,
  storedDocument,
  tableOf,
} from '../../store/documents.js';
import type { Evaluator, Reader } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { lockOf } from '../tree/protection.js';

/** The kind of ask by which all locks of a workspace are looked through outside of the decision. */
export const LOCKS_BELOW = 'locksBelow';

interface LocksBelowQuestion {
  readonly partition: string;
  readonly nodeId: string;
  /** ms, domain clock */
  readonly now: number;
  /** How often it was asked before: what was written meanwhile may have brought other locks. */
  readonly round: number;
}

interface LocksBelowAnswer {
  /** A node below that somebody else has locked; null: there is none. */
  readonly holderId: string | null;
  /** The revision that was looked at. */
  readonly revision: number;
}

/** Locks that the decision looks at itself. */
const LOCKS_MAX = 25;
/** Nodes written since the plan that the decision looks at. */
const WRITTEN_MAX = 50;
/** Nodes that those may have brought along, which it looks at, too. */
const BROUGHT_MAX = 200;
const ROUNDS_MAX = 10;

/**
 * Sees to it that nothing which a lock on the node would cover holds the lock of somebody else (JCR 2.0 §17.4.1): all that lies below a deep
 * lock, else the content of a file. Asks where the workspace has many locks.
 * @throws CONFLICT; UNAVAILABLE (too much is written below it meanwhile)
 */
export function requireNoLockBelow(change: Change, node: ContentNode, deep: boolean): Asking | undefined {
  if (!deep) {
    const content = change.tree.child(node, 'jcr:content');
    if (content !== undefined && isForeign(change, content)) throw lockedBelow(change, node, content);
    return undefined;
  }
  const locks = change.draft.range(nodes, 'locked', [1], LOCKS_MAX + 1);
  if (locks.length > LOCKS_MAX) return requireNonePlanned(change, node);
  for (const holder of locks) requireNotBelow(change, node, holder);
  return undefined;
}

function requireNonePlanned(change: Change, node: ContentNode): Asking | undefined {
  const answers = change.answers.filter(({ ask }) => ask.kind === LOCKS_BELOW && isAbout(ask.question, node));
  const answer = answers.at(-1)?.answer;
  if (answer !== undefined && 'error' in answer) throw unavailable(answer.error.message);
  const planned = answer?.value as LocksBelowAnswer | undefined;
  if (planned !== undefined && stillHolds(change, node, planned)) return undefined;
  if (answers.length >= ROUNDS_MAX)
    throw unavailable(`expected to find the locks below ${change.nameOf(node)}, but too much is written there`);
  const { partition } = change.draft;
  const question: LocksBelowQuestion = { partition, nodeId: node.id, now: change.now, round: answers.length };
  return { ask: { kind: LOCKS_BELOW, question } };
}

const isAbout = (question: unknown, { id }: ContentNode): boolean => (question as LocksBelowQuestion).nodeId === id;

/** Whether what has come below the node since is known, and brought no lock along. @throws CONFLICT there is a lock */
function stillHolds(change: Change, node: ContentNode, { holderId, revision }: LocksBelowAnswer): boolean {
  const holder = holderId === null ? undefined : change.tree.get(holderId);
  if (holder !== undefined) requireNotBelow(change, node, holder);
  const written = change.draft.range(nodes, 'version', [revision + 1], WRITTEN_MAX);
  if (holder !== undefined || written.length === WRITTEN_MAX) return false;
  const brought = written.filter((one) => one.id !== node.id && change.tree.isWithin(one, node.id));
  for (let at = 0; at < brought.length; at++) {
    const one = brought[at] ?? node;
    if (isForeign(change, one)) throw lockedBelow(change, node, one);
    brought.push(...change.draft.find(nodes, 'name', [one.id], { limit: BROUGHT_MAX }));
    if (brought.length > BROUGHT_MAX) return false;
  }
  return true;
}

function requireNotBelow(change: Change, node: ContentNode, holder: ContentNode): void {
  const isBelow = holder.id !== node.id && isForeign(change, holder) && change.tree.isWithin(holder, node.id);
  if (isBelow) throw lockedBelow(change, node, holder);
}

function isForeign(change: Change, holder: ContentNode): boolean {
  const lock = lockOf(holder, change.now);
  return lock !== undefined && !holdsLock(lock, change.caller);
}

function lockedBelow(change: Change, node: ContentNode, holder: ContentNode): ServiceError {
  const found = `somebody else holds one at ${change.nameOf(holder)}`;
  return new ServiceError('CONFLICT', `expected no lock below ${change.nameOf(node)}, but ${found}`, {
    reason: 'locked_below',
    ...change.resourceOf(holder),
  });
}

interface ForeignLockQuery {
  readonly nodeId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** A node below the given one that somebody else has locked; null: there is none. Looks at all locks of the workspace. */
export const foreignLock: ReaderQuery<ForeignLockQuery, string | null> = {
  name: 'foreignLock',
  run({ log, caller }, { nodeId, now }) {
    const parent = log.prepare(`SELECT "c_parent" AS parent FROM ${tableOf(nodes)} WHERE id = ?`);
    const known = new Map<Scalar, boolean>([
      [nodeId, true],
      [null, false],
    ]);
    const isWithin = (id: Scalar): boolean => {
      const found = known.get(id) ?? isWithin((parent.get(id)?.parent ?? null) as Scalar);
      known.set(id, found);
      return found;
    };
    for (const row of log.prepare(`SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE "c_locked" = 1`).iterate()) {
      const holder = storedDocument(nodes, row);
      const lock = lockOf(holder, now);
      if (lock !== undefined && !holdsLock(lock, caller) && isWithin(holder.parent)) return holder.id;
    }
    return null;
  },
};

/** Services of locks: the reader that looks for those below a node. */
export interface LockServices {
  readonly reader: Pick<Reader, 'query'>;
}

/** Has a reader look through all locks, where a decision has asked for that. */
export const lockEvaluators = ({ reader }: LockServices): Readonly<Record<string, Evaluator>> => ({
  [LOCKS_BELOW]: ({ partition, nodeId, now }: LocksBelowQuestion, { caller }) => {
    const found = reader.query(partition, foreignLock, { nodeId, now }, caller);
    return found.then(({ answer, revision }): LocksBelowAnswer => ({ holderId: answer, revision }));
  },
});
