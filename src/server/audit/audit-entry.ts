import { NODE_CHANGED } from '../../content/index.js';
import { signInExternally } from '../../identity/index.js';
import type { AuditEntry } from '../../shared/audit.js';
import { SYSTEM_USER } from '../../shared/caller.js';
import {
  type FeedEvent,
  LONG_JOB_PROGRESSED,
  type LongJobProgress,
  type PackedRows,
  type Packing,
  type RecordedCommit,
  type UnknownCommits,
} from '../../store/index.js';

/** How many targets an entry names, and how much of each. */
const TARGETS_MAX = 10;
const TARGET_LENGTH_MAX = 512;

/** Packing of audit entries: fields of few different values, and the list of targets. */
export const AUDIT_PACKING: Packing = { fields: ['userId', 'type', 'outcome'], list: 'targets' };

/**
 * Adds what the commit says of who did what: what somebody asked for, and how a long job ended. None where nobody asked for it, or a job or a route did it
 * on behalf of whoever had. What the system does at a sign-in with a provider is there, too: it makes users, and gives them groups and roles.
 */
export function addEntry(commit: RecordedCommit, entries: PackedRows): void {
  const { at, userId, type, cause, events } = commit;
  const isAsked = userId !== SYSTEM_USER || type === signInExternally.name;
  if (!isAsked || cause.jobId !== undefined || cause.routeId !== undefined) return addEndOfJob(at, events, entries);
  entries.begin(at).field(userId).field(type).field('DONE');
  for (const event of events) {
    if (entries.texts === TARGETS_MAX) break;
    addTarget(event, entries);
  }
  if (entries.texts === 0) for (const written of commit.written()) entries.text('', written);
  entries.end();
}

/** `at`: ms; when they were done is not known. */
export const entryOfUnknown = ({ from, to, reason }: UnknownCommits, at: number): AuditEntry => ({
  ...{ at, userId: '', type: 'unknown' },
  targets: from === to ? [`commit/${from}`] : [`commit/${from}`, `commit/${to}`],
  outcome: reason === 'damaged' ? 'DATA_DAMAGED' : 'NOT_RECORDED',
  ...(to > from && { count: to - from + 1 }),
});

/** A path, a workspace, or the first id. Each command comes by here: nothing is made for it. */
function addTarget({ type, ids, data }: FeedEvent, entries: PackedRows): void {
  const path = type === NODE_CHANGED ? (data as { readonly path?: string | null }).path : undefined;
  if (path != null) {
    entries.text('', path.length > TARGET_LENGTH_MAX ? path.slice(0, TARGET_LENGTH_MAX) : path);
    return;
  }
  const workspace = type === LONG_JOB_PROGRESSED ? (data as LongJobProgress).targetWorkspace : ids.workspace;
  if (workspace != null) {
    entries.text('workspace/', workspace);
    return;
  }
  for (const name in ids) {
    const id = ids[name];
    const noun = nounOf(name);
    if (id == null || noun === '') continue;
    entries.text(noun, id);
    return;
  }
}

/** `task/` of `taskId`; none of names that are no ids. Few different ones are asked for, again and again. */
function nounOf(name: string): string {
  let noun = nouns.get(name);
  if (noun === undefined) {
    noun = name.endsWith('Id') ? `${name.slice(0, -2)}/` : '';
    nouns.set(name, noun);
  }
  return noun;
}

const nouns = new Map<string, string>();

const ENDS: Readonly<Record<string, string>> = { completed: 'DONE', failed: 'FAILED', aborted: 'ABORTED' };

function addEndOfJob(at: number, events: readonly FeedEvent[], entries: PackedRows): void {
  for (const { type, ids, data } of events) {
    if (type !== LONG_JOB_PROGRESSED) continue;
    const outcome = ENDS[(data as LongJobProgress).status];
    if (outcome === undefined) continue;
    entries
      .begin(at)
      .field(ids.userId ?? '')
      .field(ids.type ?? '')
      .field(outcome);
    entries.text('job/', ids.jobId ?? '');
    const { targetWorkspace } = data as LongJobProgress;
    if (targetWorkspace != null) entries.text('workspace/', targetWorkspace);
    entries.end();
    return;
  }
}
