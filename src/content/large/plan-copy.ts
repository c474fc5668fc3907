import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import {
  documentOf,
  multiTableOf,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  storedColumns,
  storedText,
  tableOf,
} from '../../store/documents.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes, ROOT_ID } from '../tree/node.js';
import { strongTargets } from '../tree/references.js';
import { typeStamps } from '../tree/stored-types.js';
import { BELOW } from '../tree/subtree.js';
import { type CopyContext, copyOf, leavesList } from './copy.js';

/** How many nodes one commit stages: few enough for a decision to be short. */
export const STAGED_MAX = 250;

/** Asked of the reader: which nodes are copied, and what changed since it was asked before. */
export interface PlanCopy {
  readonly partition: string;
  readonly path: string;
  readonly expectedVersion: number | null;
  /** What the last plan said; null: there is none. */
  readonly last: { readonly revision: number; readonly ids: string } | null;
  /** Whether types and namespaces are wanted: the copy goes to another workspace. */
  readonly isAbroad: boolean;
  readonly withLists: boolean;
  readonly seed: string;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** The nodes that are copied, as they were at a revision. Lists of identifiers are texts, one per line: they may be long. */
export interface CopyPlan {
  readonly revision: number;
  readonly sourceId: string;
  /** All, parents first. */
  readonly ids: string;
  /** Those that must be staged, or staged anew. */
  readonly changed: string;
  /** Those that are staged and must not be. */
  readonly gone: string;
  /** The copies of what changed, of the same revision, where those are few: with them all is as it was then. */
  readonly page: CopiedPage | null;
  /** Names of primary types and mixins. */
  readonly types: readonly string[];
  /** Registered namespaces by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
}

/** Asked of the reader: the copies of some nodes. */
interface CopyPage {
  readonly partition: string;
  readonly sourceId: string;
  readonly ids: string;
  readonly withLists: boolean;
  readonly seed: string;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** Copies to be staged. A page may end early; nodes that are gone are passed over. */
export interface CopiedPage {
  readonly copies: readonly ContentNode[];
  /** Whether one of them is without the access control list of its source. */
  readonly leavesLists: boolean;
  /** What they refer to by strong references outside of what is copied. */
  readonly targets: readonly string[];
  /** How many of the identifiers it is about. */
  readonly count: number;
}

/** Which nodes a large copy is of, and what has changed since that was asked before. @throws BAD_REQUEST, CONFLICT, LIMIT_EXCEEDED */
export const planCopy: ReaderQuery<PlanCopy, CopyPlan> = {
  name: 'planCopy',
  run(context, query) {
    const { partition, now, last, isAbroad } = query;
    const state = snapshotState(context, partition, now);
    const view = new ContentView(state, context.caller);
    const source = sourceOf(view, query);
    const walked = walkReadable(context, view, source);
    const abroad = isAbroad && last === null;
    const changes = changesOf(context, walked, last);
    return {
      revision: context.revision,
      sourceId: source.id,
      ids: linesOf(walked.map(({ id }) => id)),
      ...changes,
      page: pageOf(context, view, { ...query, sourceId: source.id, ids: changes.changed }),
      types: abroad ? typesBelow(context, source) : [],
      namespaces: abroad ? (state.get(typeStamps, 'types')?.namespaces ?? {}) : {},
    };
  },
};

/** The copies of all that changed; null: they are too many for a page, or none. */
function pageOf(context: QueryContext, view: ContentView, query: Omit<CopyPage, 'partition'>): CopiedPage | null {
  const count = query.ids === '' ? 0 : query.ids.split('\n').length;
  if (count === 0 || count > STAGED_MAX) return null;
  const page = copiesOf(context, view, query);
  return page.count === count ? page : null;
}

/** @throws BAD_REQUEST, CONFLICT (another version) */
function sourceOf(view: ContentView, { path, expectedVersion }: PlanCopy): ContentNode {
  const source = view.at(path);
  const stored = source && view.tree.reading.get(nodes, source.id);
  if (stored === undefined) throw badRequest(`Source node not found: ${path}`, { reason: 'node_not_found' });
  if (stored.id === ROOT_ID) throw badRequest('the root cannot be copied', { reason: 'root_not_copied' });
  const version = Math.max(stored.version, view.contentOf(stored).version);
  if (expectedVersion === null || expectedVersion === version) return stored;
  throw new ServiceError(
    'CONFLICT',
    `expected version ${expectedVersion} of '${path}', but it has version ${version}`,
    {
      reason: 'version_mismatch',
      resourceId: stored.id,
    },
  );
}

function changesOf(
  context: QueryContext,
  walked: readonly Walked[],
  last: PlanCopy['last'],
): Pick<CopyPlan, 'changed' | 'gone'> {
  if (last === null) return { changed: linesOf(walked.map(({ id }) => id)), gone: '' };
  const known = new Set(last.ids.split('\n'));
  const present = new Set(walked.map(({ id }) => id));
  const gone = [...known].filter((id) => !present.has(id));
  const come = walked.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const written = walked.flatMap(({ id, revision }) => (revision > last.revision ? [id] : []));
  // Whoever refers to what came or went refers to its copy, or does so no longer.
  const referring = [...gone, ...come].flatMap((id) => holdersOf(context, id)).filter((id) => present.has(id));
  return { changed: linesOf([...new Set([...come, ...written, ...referring])]), gone: linesOf(gone) };
}

const holdersOf = ({ log }: QueryContext, id: string): string[] =>
  ['strong', 'weak'].flatMap((kind) => {
    const rows = log.prepare(`SELECT id FROM ${multiTableOf(nodes, kind)} WHERE value = ?`).all(id);
    return rows.map((row) => String(row.id));
  });

function typesBelow({ log }: QueryContext, source: ContentNode): string[] {
  const below = log.prepare(`${BELOW} SELECT d.id, d.body FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id`);
  const names = new Set<string>();
  for (const { id, body } of below.iterate(source.id)) {
    const { type, mixins } = documentOf(nodes, { id: String(id), body: String(body) });
    for (const name of [type, ...mixins]) names.add(name);
  }
  return [...names].sort();
}

const linesOf = (ids: readonly string[]): string => ids.join('\n');

/** How many nodes one copy may have. */
const COPY_NODES_MAX = 500_000;

/** A node that is copied. */
interface Walked {
  readonly id: string;
  /** That wrote it last. */
  readonly revision: number;
}

/**
 * The nodes below the source, itself first, that the caller may read; what cannot be read is left out with all below it.
 * @throws BAD_REQUEST what is left out is what a type demands; LIMIT_EXCEEDED
 */
function walkReadable({ log }: QueryContext, view: ContentView, source: ContentNode): Walked[] {
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

/** A page ends when its copies, as text, or what they refer to are more than this. */
const PAGE_SIZE_MAX = 500_000;
const PAGE_TARGETS_MAX = 200;

/** The copies of some nodes, as the nodes are now. */
export const copyPage: ReaderQuery<CopyPage, CopiedPage> = {
  name: 'copyPage',
  run(context, query) {
    const view = new ContentView(snapshotState(context, query.partition, query.now), context.caller);
    return copiesOf(context, view, query);
  },
};

/** The copies of the first of these nodes, as many as a page holds. */
function copiesOf(context: QueryContext, view: ContentView, query: Omit<CopyPage, 'partition'>): CopiedPage {
  const copying = contextOf(view, query);
  const copies: ContentNode[] = [];
  const targets = new Set<string>();
  let leavesLists = false;
  let size = 0;
  let count = 0;
  for (const id of query.ids.split('\n')) {
    count++;
    const body = bodyOf(context, id);
    if (body === undefined) continue;
    const node = JSON.parse(body) as ContentNode;
    copies.push(stagedOf(copying, node, query.sourceId));
    leavesLists ||= leavesList(copying, node);
    for (const target of strongTargets(node)) if (!copying.isCopied(target)) targets.add(target);
    size += body.length;
    if (size > PAGE_SIZE_MAX || targets.size > PAGE_TARGETS_MAX) break;
  }
  return { copies, leavesLists, targets: [...targets], count };
}

const BODY = `SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE id = ?`;

const bodyOf = ({ log }: QueryContext, id: string): string | undefined => {
  const row = log.prepare(BODY).get(id);
  return row === undefined ? undefined : storedText(nodes, row);
};

/** The topmost one is out of the tree until it is put where it belongs. */
function stagedOf(copying: CopyContext, node: ContentNode, sourceId: string): ContentNode {
  const copy = copyOf(copying, node);
  if (node.id !== sourceId) return copy;
  const { sns: _, ...root } = copy;
  return { ...root, parent: null, order: null };
}

function contextOf(view: ContentView, query: Omit<CopyPage, 'partition'>): CopyContext {
  const { sourceId, withLists, seed, userId, now } = query;
  const known = new Map<string, boolean>([[sourceId, true]]);
  const isCopied = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const node = view.tree.reading.get(nodes, id);
    const isBelow = node?.parent != null && isCopied(node.parent) && view.access.canRead(node);
    known.set(id, isBelow);
    return isBelow;
  };
  const keepsList = (node: ContentNode) => withLists && view.access.has(node, 'jcr:readAccessControl');
  return { types: view.types, seed, userId, now, isCopied, keepsList };
}
