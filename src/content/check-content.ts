import type { Report, StoredDocuments } from '../store/index.js';
import { detachedTrees } from './tree/detached.js';
import { type ContentNode, nodes, ROOT_ID } from './tree/node.js';
import { valuesOf } from './value/property.js';
import {
  chunkId,
  type FrozenTree,
  frozenChunks,
  frozenNodeId,
  frozenNodes,
  frozenTrees,
  type Version,
  versionHistories,
  versionLitter,
  versions,
} from './version/version.js';

/**
 * That the tree is one: parents and targets of strong references are there, no two children have one name, and what versions are made of is
 * there.
 */
export function* checkContent(stored: StoredDocuments, report: Report): Generator<void> {
  if (!stored.knows(nodes)) return;
  if (!stored.has(nodes, ROOT_ID)) report('node', ROOT_ID, 'the root of the tree is not there');
  yield* stored.each(nodes, (node) => checkNode(stored, node, report));
  yield* stored.each(versions, (version) => checkVersion(stored, version, report));
  const chunks = new Set<string>();
  yield* stored.each(frozenTrees, (tree) => checkFrozen(stored, { tree, chunks }, report));
}

function checkNode(stored: StoredDocuments, node: ContentNode, report: Report): void {
  const missing = [...missingOf(stored, node)].filter(() => counts(stored, node));
  for (const problem of [...placeProblems(stored, node), ...missing]) report('node', node.id, problem);
}

function* placeProblems(stored: StoredDocuments, { id, parent, name, sns, order }: ContentNode): Generator<string> {
  if (parent === null) {
    if (id !== ROOT_ID && !stored.has(detachedTrees, id)) yield 'it is not in the tree, and nothing says why';
    return;
  }
  if (!stored.has(nodes, parent)) yield `its parent '${parent}' is not there`;
  const [first] = stored.having(nodes, { parent, name, sibling: sns === true ? order : '' });
  if (first !== undefined && first !== id) yield `node '${first}' beside it has the same name, '${name}'`;
}

/** Told of what counts alone. */
function* missingOf(stored: StoredDocuments, node: ContentNode): Generator<string> {
  for (const target of strongTargets(node))
    if (!stored.has(nodes, target)) yield `it refers to node '${target}', which is not there`;
  const base = node.versioning?.baseVersion;
  if (base !== undefined && !stored.has(versions, base)) yield `its base version '${base}' is not there`;
}

const strongTargets = ({ properties }: ContentNode): string[] =>
  Object.values(properties)
    .filter(({ type }) => type === 'Reference')
    .flatMap((property) => valuesOf(property).map(String));

/** Whether the node is in the tree, or is being made: what was taken out waits to be swept, and may lack what is gone. */
function counts(stored: StoredDocuments, node: ContentNode): boolean {
  // What goes round is nowhere.
  const climbed = new Set<string>();
  let top: ContentNode | undefined = node;
  while (top !== undefined && top.parent !== null && !climbed.has(top.id)) {
    climbed.add(top.id);
    top = stored.get(nodes, top.parent);
  }
  return top?.id === ROOT_ID || stored.get(detachedTrees, top?.id ?? '')?.isStaging === true;
}

function checkVersion(
  stored: StoredDocuments,
  { id, history, predecessors, successors }: Version,
  report: Report,
): void {
  if (stored.has(versionLitter, history)) return;
  if (!stored.has(versionHistories, history)) report('version', id, `its history '${history}' is not there`);
  for (const other of [...predecessors, ...successors])
    if (!stored.has(versions, other)) report('version', id, `version '${other}' before or behind it is not there`);
}

/** `chunks`: those that were looked at, as versions share them. */
function checkFrozen(
  stored: StoredDocuments,
  { tree, chunks }: { readonly tree: FrozenTree; readonly chunks: Set<string> },
  report: Report,
): void {
  const { id, history, writers } = tree;
  if (stored.has(versionLitter, history)) return;
  if (!stored.has(versions, id)) report('frozenTree', id, 'its version is not there');
  for (const [bucket, writer] of writers.entries()) {
    const name = chunkId(writer, bucket);
    if (chunks.has(name)) continue;
    chunks.add(name);
    const lacking = lackingIn(stored, history, name);
    if (lacking === undefined) report('frozenTree', id, `a part of it, '${name}', is not there`);
    for (const node of lacking ?? []) report('frozenChunk', name, `what was frozen of node '${node}' is not there`);
  }
}

/** The nodes of which nothing is kept although the chunk says so; undefined: there is no such chunk. */
const lackingIn = (stored: StoredDocuments, history: string, chunk: string): string[] | undefined =>
  stored
    .get(frozenChunks, chunk)
    ?.entries.filter((entry) => entry.body !== 0 && !stored.has(frozenNodes, frozenNodeId(history, entry)))
    .map(({ id }) => id);
