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
import { isHolding } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { refuseReferenced } from '../tree/references.js';
import { BELOW } from '../tree/subtree.js';
import { type DeletePlan, type DeleteQuestion, isStillSound, REFERRED_MAX, requireGoing } from './delete-node.js';
import { orRefused, type Refused } from './large-work.js';

/** Documents written since an earlier plan are looked at one by one; from so many on all is planned anew. */
const WRITTEN_MAX = 5_000;
const BELOW_MAX = 5_000;

/** Plan of the delete of a subtree of any size by the caller, or the refusal of it. */
export const planDelete: ReaderQuery<DeleteQuestion, DeletePlan | Refused> = {
  name: 'planDelete',
  run(context, question) {
    const change = new Change(snapshotState(context, question.partition, question.now), context.caller);
    const { revision } = context;
    const root = change.draft.get(nodes, question.nodeId);
    // Not durable yet, or gone: the decision sees it as it is.
    if (root === undefined) return { revision, problem: null, referred: [] };
    change.isPart = question.isPart;
    return orRefused(() => {
      if (!holdsSince(change, root, question.since)) requireAllGoing(context, change, root);
      return { revision, problem: null, referred: [...new Set(change.referred.map(({ id }) => id))] };
    });
  },
};

function holdsSince(change: Change, root: ContentNode, since: number | null): boolean {
  if (since === null) return false;
  const written = change.draft.range(nodes, 'version', [since + 1], WRITTEN_MAX);
  return written.length < WRITTEN_MAX && isStillSound(change, root, { since, written, belowMax: BELOW_MAX });
}

/** @throws FORBIDDEN, CONFLICT */
function requireAllGoing({ log }: QueryContext, change: Change, root: ContentNode): void {
  // A node without a list and without a lock is as its parent is.
  const special = `${BELOW} SELECT ${storedColumns('d')} FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id WHERE d.c_ownAcl IS NOT NULL OR d.c_locked IS NOT NULL`;
  requireGoing(change, root);
  for (const row of log.prepare(special).iterate(root.id)) requireGoing(change, storedDocument(nodes, row));
  const strong = multiTableOf(nodes, 'strong');
  const holders = `${BELOW} SELECT m.id AS holder, m.value AS target FROM below b JOIN ${strong} m ON m.value = b.id WHERE m.id NOT IN (SELECT id FROM below)`;
  for (const row of log.prepare(holders).iterate(root.id)) {
    const holder = change.draft.get(nodes, String(row.holder));
    const target = change.draft.get(nodes, String(row.target));
    if (holder === undefined || target === undefined) continue;
    if (isHolding(change.draft, change.tree, holder)) refuseReferenced(change, target, holder);
    if (change.referred.length > REFERRED_MAX) throw tooMuchReferred(change, root);
  }
}

const tooMuchReferred = (change: Change, root: ContentNode) =>
  limitExceeded(
    `expected at most ${REFERRED_MAX} references from outside into '${change.pathOf(root)}', which is too large for one decision, but there are more`,
    { reason: 'too_many_references', resourceId: root.id },
  );

interface CountBelow {
  readonly nodeId: string;
}

/** How many nodes there are from this one down, without the contents of files; whoever may read them. */
export const countBelow: ReaderQuery<CountBelow, number> = {
  name: 'countBelow',
  run: ({ log }, { nodeId }) => {
    const sql = `${BELOW} SELECT count(*) AS total FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id WHERE d.c_name <> 'jcr:content'`;
    return Number(log.prepare(sql).get(nodeId)?.total ?? 0);
  },
};
