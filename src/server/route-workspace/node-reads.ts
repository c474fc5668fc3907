import {
  type ContentNode,
  ContentView,
  contentBelow,
  contentChildren,
  type FoundNode,
  type FoundNodes,
  isBytes,
  isMultiple,
  nodes,
  nodesBelow,
  type Property,
  type TransactionStep,
  type Value,
  viewBehind,
} from '../../content/index.js';
import type { NodePage, NodeQuery, ReadNode, WorkspaceNode } from '../../eip/index.js';
import type { Caller } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { type BlobStore, documentOf, type PartitionPort, type Reader } from '../../store/index.js';

/** Content up to so many bytes comes with its node. */
const BYTES_MAX = 65_536;
/** Bytes that one query is given. */
const PIECE_MAX = 1_048_576;

/** How many nodes are looked at for a query behind what a block has changed: by the main thread. */
const LOOKED_AT = 500;
/** Documents that a page takes at most: of each node its children, its content and what lies above it. */
const LOOKED_AT_DOCUMENTS = 200_000;

/** Sources from which nodes and their bytes are read. */
export interface NodeSources {
  readonly partition: PartitionPort;
  readonly reader: Pick<Reader, 'query'>;
  readonly blobs: Pick<BlobStore, 'open' | 'readText'>;
  /** The domain clock. */
  readonly now: () => number;
}

/** Answers of queries about nodes, as their caller may see them, behind what a block has changed by then. */
export function readNodes(
  sources: NodeSources,
  query: NodeQuery,
  caller: Caller,
  pending: readonly TransactionStep[] = [],
): Promise<unknown> {
  switch (query.kind) {
    case 'cms.node':
      return node(sources, query, caller, pending);
    case 'cms.children':
      return pending.length > 0 ? childrenBehind(sources, query, caller, pending) : children(sources, query, caller);
    case 'cms.query':
      return below(sources, query, caller, pending);
    case 'cms.bytes':
      return bytes(sources, query);
  }
}

type QueryOf<K extends NodeQuery['kind']> = Extract<NodeQuery, { readonly kind: K }>;

async function node(
  sources: NodeSources,
  { path }: QueryOf<'cms.node'>,
  caller: Caller,
  pending: readonly TransactionStep[],
): Promise<ReadNode> {
  const state = sources.partition.replica.readBack();
  const before = new ContentView(state, caller);
  const view = pending.length === 0 ? before : viewBehind(state, caller, pending);
  const [was, now] = [before.at(path), view.at(path)];
  const version = was === undefined ? null : versionOf(asFound(before, was));
  if (now === undefined) return { node: null, version };
  const found = asFound(view, now);
  const content = await contentOf(sources, found.holder.properties['jcr:data']);
  return { node: { ...(await shown(sources, found)), content }, version };
}

/** A page; some of it the caller may not see, so it may have fewer than were asked for, and go on all the same. */
async function childrenBehind(
  sources: NodeSources,
  { path, limit, after }: QueryOf<'cms.children'>,
  caller: Caller,
  pending: readonly TransactionStep[],
): Promise<NodePage> {
  const state = sources.partition.replica.readBack({ readMax: LOOKED_AT_DOCUMENTS });
  const view = viewBehind(state, caller, pending);
  const parent = view.require(path);
  const key = view.types.isOrderable(parent) ? 'order' : 'name';
  const { from, skipped } = placeOf(after);
  const read = view.state.find(nodes, key, [parent.id], { limit: skipped + limit + 1, ...(from !== null && { from }) });
  const page = read.slice(skipped, skipped + limit);
  const last = page.at(-1)?.[key] ?? null;
  const given = page.filter((one) => (one[key] ?? null) === last).length + (last === from ? skipped : 0);
  const found = page.filter((one) => view.readable(one) !== undefined);
  return {
    nodes: await listed(
      sources,
      found.map((one) => asFound(view, one)),
    ),
    after: read.length > skipped + limit ? `${given}/${last ?? ''}` : null,
  };
}

/** The name, or the order, that the last child of the page before has, and how many with it were given by then. */
function placeOf(after: string | null): { readonly from: string | null; readonly skipped: number } {
  if (after === null) return { from: null, skipped: 0 };
  const [, skipped, from] = /^(\d{1,9})\/(.*)$/su.exec(after) ?? [];
  if (from === undefined) throw badRequest(`expected the place where a page ended as 'after', but found '${after}'`);
  return { from: from === '' ? null : from, skipped: Number(skipped) };
}

async function below(
  sources: NodeSources,
  { path, limit: first, after, kind: _kind, ...filter }: QueryOf<'cms.query'>,
  caller: Caller,
  pending: readonly TransactionStep[],
): Promise<NodePage> {
  const { partition, reader, now } = sources;
  const page = { first, after };
  const ask = async (): Promise<FoundNodes> => {
    const query = { path, filter, ...page, partition: partition.id, now: now() };
    return (await reader.query(partition.id, contentBelow, query, caller)).answer;
  };
  const look = () => {
    const state = partition.replica.readBack({ readMax: LOOKED_AT_DOCUMENTS });
    return nodesBelow(viewBehind(state, caller, pending), path, filter, page, LOOKED_AT);
  };
  const { found, after: next } = pending.length > 0 ? look() : await ask();
  return {
    nodes: await listed(sources, found),
    after: next,
  };
}

const asFound = (view: ContentView, node: ContentNode): FoundNode => ({
  node,
  holder: view.contentOf(node),
  path: view.tree.pathOf(node) ?? '',
});

const versionOf = ({ node, holder }: FoundNode): number => Math.max(node.version, holder.version);

async function contentOf({ blobs }: NodeSources, data: Property | undefined): Promise<WorkspaceNode['content']> {
  if (data === undefined || isMultiple(data) || !isBytes(data.value)) return null;
  const { value } = data;
  if ('inline' in value) return { bytes: Buffer.from(value.inline, 'base64') };
  if (value.size > BYTES_MAX) return { blob: value.blob, size: value.size };
  return { bytes: await whole(blobs.open({ sha256: value.blob, size: value.size })) };
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/** The bytes of a node that was read: whoever asks was told of them by it. */
function bytes({ blobs }: NodeSources, { blob, size, from, length }: QueryOf<'cms.bytes'>): Promise<Buffer> {
  const end = Math.min(size, from + Math.min(length, PIECE_MAX)) - 1;
  return whole(blobs.open({ sha256: blob, size }, { start: from, end }));
}

async function children(
  sources: NodeSources,
  { path, limit, after }: QueryOf<'cms.children'>,
  caller: Caller,
): Promise<NodePage> {
  const { partition, reader, now } = sources;
  const view = new ContentView(partition.replica.readBack({ readMax: LOOKED_AT_DOCUMENTS }), caller);
  const parentId = view.require(path).id;
  const query = { parentId, first: limit, after, partition: partition.id, now: now(), count: false };
  const { answer } = await reader.query(partition.id, contentChildren, query, caller);
  const found = answer.rows.flatMap(({ id, body, damage }) =>
    damage === undefined ? documentOf(nodes, { id, body }) : [],
  );
  view.together(found);
  return {
    nodes: await listed(
      sources,
      found.map((one) => asFound(view, one)),
    ),
    after: answer.hasNextPage ? (answer.rows.at(-1)?.cursor ?? null) : null,
  };
}

/** Nodes of a page, which come without their content. */
const listed = (sources: NodeSources, found: readonly FoundNode[]): Promise<WorkspaceNode[]> =>
  Promise.all(found.map(async (one) => ({ ...(await shown(sources, one)), content: null })));

async function shown(sources: NodeSources, found: FoundNode): Promise<Omit<WorkspaceNode, 'content'>> {
  const { node, holder, path } = found;
  const { 'jcr:data': data, 'jcr:mimeType': mimeType, 'jcr:lastModified': modified } = holder.properties;
  const size = data !== undefined && !isMultiple(data) && isBytes(data.value) ? data.value.size : null;
  const named = Object.entries(holder.properties).filter(([, { type }]) => type !== 'Binary');
  const values = named.map(async ([name, property]) => [name, await plain(sources, property)] as const);
  return {
    id: node.id,
    path,
    name: node.name,
    nodeType: node.type,
    version: versionOf(found),
    properties: Object.fromEntries(await Promise.all(values)),
    mimeType: textIn(mimeType),
    modified: textIn(modified),
    size,
  };
}

const textIn = (property: Property | undefined): string | null =>
  property === undefined || isMultiple(property) || typeof property.value !== 'string' ? null : property.value;

async function plain({ blobs }: NodeSources, property: Property): Promise<unknown> {
  const one = async (value: Value) => {
    if (!isBytes(value)) return value;
    if ('inline' in value) throw badRequest('expected a text as a value, but found bytes');
    return blobs.readText({ sha256: value.blob, size: value.size });
  };
  return isMultiple(property) ? Promise.all(property.values.map(one)) : one(property.value);
}
