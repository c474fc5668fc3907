import { badRequest, ServiceError } from '../../shared/errors.js';
import {
  documentOf,
  multiTableOf,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  tableOf,
} from '../../store/index.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes, ROOT_ID } from '../tree/node.js';
import { typeStamps } from '../tree/stored-types.js';
import { BELOW } from '../tree/subtree.js';
import { copiesOf } from './copy-page.js';
import { type CopiedPage, type CopyPage, type CopyPlan, type PlanCopy, STAGED_MAX } from './copy-plan.js';
import { type Walked, walkReadable } from './copy-walk.js';
import { problemOf } from './large-work.js';

/** Which nodes a large copy is of, and what has changed since that was asked before. */
export const planCopy: ReaderQuery<PlanCopy, CopyPlan> = {
  name: 'planCopy',
  run(context, query) {
    try {
      return planned(context, query);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      return { ...NOTHING, revision: context.revision, problem: problemOf(thrown) };
    }
  },
};

const NOTHING = { sourceId: '', ids: '', changed: '', gone: '', page: null, types: [], namespaces: {} } as const;

function planned(context: QueryContext, query: PlanCopy): CopyPlan {
  const { partition, now, last, isAbroad } = query;
  const state = snapshotState(context, partition, now);
  const view = new ContentView(state, context.caller);
  const source = sourceOf(view, query);
  const walked = walkReadable(context, view, source);
  const abroad = isAbroad && last === null;
  const changes = changesOf(context, walked, last);
  return {
    revision: context.revision,
    problem: null,
    sourceId: source.id,
    ids: linesOf(walked.map(({ id }) => id)),
    ...changes,
    page: pageOf(context, view, { ...query, sourceId: source.id, ids: changes.changed }),
    types: abroad ? typesBelow(context, source) : [],
    namespaces: abroad ? (state.get(typeStamps, 'types')?.namespaces ?? {}) : {},
  };
}

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
