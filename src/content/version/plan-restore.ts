import { limitExceeded } from '../../shared/errors.js';
import {
  multiTableOf,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  storedColumns,
  storedDocument,
  tableOf,
} from '../../store/documents.js';
import { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typesOf, typesStampOf } from '../tree/stored-types.js';
import { BELOW } from '../tree/subtree.js';
import { versionLost } from './frozen-tree.js';
import { RESTORED_MAX, type ReferenceInto, type RestoreComparison, type RestoreQuery } from './planned-restore.js';
import { planRestore as planned, type RestorePlan, type RestoreStage } from './restore-plan.js';
import { frozenNodeId, frozenNodes, versions } from './version.js';

/** What the nodes that one commit restores may have together, as text. */
const SIZE_MAX = 16_000_000;
/** How many references into what is removed are looked at again by the decision. */
const REFERENCES_MAX = 2_000;

const NO_PLAN = { write: [], adopt: [], remove: [], attach: [], missing: '', targets: [], references: [] } as const;

/** Compares a tree of any size with a version. @throws CONFLICT, LIMIT_EXCEEDED, UNAVAILABLE */
export const planRestore: ReaderQuery<RestoreQuery, RestoreComparison> = { name: 'planRestore', run: compared };

function compared(context: QueryContext, { partition, nodeId, versionId, now }: RestoreQuery) {
  const change = new Change(snapshotState(context, partition, now), context.caller);
  const node = change.draft.get(nodes, nodeId);
  const version = change.draft.get(versions, versionId);
  const facts = { revision: context.revision, stamp: typesStampOf(change.draft) };
  // Not durable yet, or gone: the decision sees it as it is.
  if (node === undefined || version === undefined) return { ...facts, plan: NO_PLAN };
  const whole = planned({ state: change.draft, types: change.types, isStaged: true }, node, version);
  requireLimits(change, node, whole);
  const { missing, ...plan } = whole;
  const references = plan.remove.flatMap((id) => leaving(context, change, id));
  if (references.length > REFERENCES_MAX)
    throw tooLarge(
      `expected at most ${REFERENCES_MAX} references into what a restore removes, but there are more`,
      node,
    );
  return {
    ...facts,
    plan: { ...plan, references, missing: missing.map((one) => JSON.stringify(one)).join('\n') },
  };
}

/** @throws LIMIT_EXCEEDED */
function requireLimits(change: Change, node: ContentNode, plan: RestorePlan & RestoreStage): void {
  const { write, adopt, remove, attach, missing } = plan;
  const attached = attach.length + missing.filter(({ isTop }) => isTop).length;
  const count = write.length + adopt.length + remove.length + attached;
  const what = `'${change.pathOf(node)}'`;
  if (count > RESTORED_MAX)
    throw tooLarge(
      `expected at most ${RESTORED_MAX} nodes of ${what} to differ from the version, but ${count} do`,
      node,
    );
  let size = 0;
  for (const { history, entry } of write) {
    const body = change.draft.get(frozenNodes, frozenNodeId(history, entry)) ?? versionLost();
    size += JSON.stringify(body.properties).length;
  }
  if (size > SIZE_MAX)
    throw tooLarge(`expected what differs of ${what} to have at most ${SIZE_MAX} characters, but it has ${size}`, node);
}

const tooLarge = (message: string, { id }: ContentNode) =>
  limitExceeded(message, { reason: 'restore_too_large', resourceId: id });

/** The strong references from outside into a subtree that is removed. @throws CONFLICT something in it is locked by somebody else */
function leaving({ log }: QueryContext, change: Change, id: string): ReferenceInto[] {
  const locked = `${BELOW} SELECT ${storedColumns('d')} FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id WHERE d.c_locked IS NOT NULL`;
  for (const row of log.prepare(locked).all(id)) change.requireUnlocked(storedDocument(nodes, row));
  const strong = multiTableOf(nodes, 'strong');
  const into = `${BELOW} SELECT m.id AS holder, m.value AS target FROM below b JOIN ${strong} m ON m.value = b.id WHERE m.id NOT IN (SELECT id FROM below) LIMIT ?`;
  const rows = log.prepare(into).all(id, REFERENCES_MAX + 1);
  return rows.map(({ holder, target }) => ({ holder: String(holder), target: String(target) }));
}

import type { MissingNode } from './restore-plan.js';
import { madeNode } from './restored-node.js';

/** A page ends when its nodes, as text, are more than this. */
const PAGE_SIZE_MAX = 500_000;

interface RestoredPageQuery {
  readonly partition: string;
  readonly stagingId: string;
  /** A `MissingNode` in each line. */
  readonly missing: string;
  /** ms, domain clock */
  readonly now: number;
}

/** Nodes to be staged. A page may end early. */
interface RestoredPage {
  readonly nodes: readonly ContentNode[];
  /** How many of the lines it is about. */
  readonly count: number;
}

/** Nodes that are gone, as a version has them. @throws UNAVAILABLE the version is being deleted */
export const restoredPage: ReaderQuery<RestoredPageQuery, RestoredPage> = {
  name: 'restoredPage',
  run(context, { partition, stagingId, missing, now }) {
    const reading = snapshotState(context, partition, now);
    const types = typesOf(reading);
    const nodes: ContentNode[] = [];
    let size = 0;
    for (const line of missing.split('\n')) {
      const one = JSON.parse(line) as MissingNode;
      const body = reading.get(frozenNodes, frozenNodeId(one.history, one.entry)) ?? versionLost();
      nodes.push(madeNode({ reading, types, body, holderId: one.isTop ? stagingId : null }, one));
      size += JSON.stringify(body.properties).length;
      if (size > PAGE_SIZE_MAX) break;
    }
    return { nodes, count: nodes.length };
  },
};
