import { type ContentNode, VERSION_STORAGE_ID } from '../tree/node.js';
import type { Mount, Reading } from '../tree/tree.js';
import { dateOfInstant } from '../value/date-value.js';
import { formatSegment } from '../value/path.js';
import type { Property } from '../value/property.js';
import { inOrder } from './frozen-chunks.js';
import { frozenContent } from './frozen-tree.js';
import { type FrozenEntry, frozenNodeId, frozenNodes, type Version, versionHistories, versions } from './version.js';
import { shownHistoryOf, versionNamed } from './version-history.js';

/**
 * Version histories as nodes below /jcr:system/jcr:versionStorage (JCR 2.0 §3.13.6): each by the identifier of its versionable node, in it the
 * versions by name, in each of them its frozen node. Identifiers: `<node>.history`, `<node>.labels`, of a version its own,
 * `<version>.frozen.<node>`.
 */
export const versionMount: Mount = {
  rootId: VERSION_STORAGE_ID,
  get: (reading, id) => shownById(reading, id),
  child: (reading, parent, name, index) => childOf(reading, parent, name, index ?? 1),
  children: (reading, parent, after, limit) => childrenOf(reading, parent, after, limit),
  original: (id) => originalOf(id),
  since: (reading, id) => sinceOf(reading, id),
  index: (reading, node) => siblingIndex(reading, node),
};

const HISTORY = '.history';
const LABELS = '.labels';
const FROZEN = '.frozen.';

export const historyNodeId = (nodeId: string): string => `${nodeId}${HISTORY}`;
const frozenId = (versionId: string, nodeId: string): string => `${versionId}${FROZEN}${nodeId}`;

/** Where the history of a node is shown. */
const historyPath = (nodeId: string): string => `/jcr:system/jcr:versionStorage/${nodeId}`;

/** Where the frozen node of a version is shown. */
export const frozenNodePath = ({ history, name }: Version): string => `${historyPath(history)}/${name}/jcr:frozenNode`;

/** A shown node, as its identifier says. */
type Shown =
  | { readonly kind: 'history'; readonly nodeId: string }
  | { readonly kind: 'labels'; readonly nodeId: string }
  | { readonly kind: 'version'; readonly versionId: string }
  | { readonly kind: 'frozen'; readonly versionId: string; readonly nodeId: string };

function shownOf(id: string): Shown {
  if (id.endsWith(HISTORY)) return { kind: 'history', nodeId: id.slice(0, -HISTORY.length) };
  if (id.endsWith(LABELS)) return { kind: 'labels', nodeId: id.slice(0, -LABELS.length) };
  const [versionId = '', ...nodeId] = id.split(FROZEN);
  return nodeId.length === 0
    ? { kind: 'version', versionId }
    : { kind: 'frozen', versionId, nodeId: nodeId.join(FROZEN) };
}

function originalOf(id: string): string | undefined {
  const shown = shownOf(id);
  return 'nodeId' in shown ? shown.nodeId : undefined;
}

function sinceOf(reading: Reading, id: string): number | undefined {
  const shown = shownOf(id);
  return 'versionId' in shown ? reading.get(versions, shown.versionId)?.created : undefined;
}

function shownById(reading: Reading, id: string): ContentNode | undefined {
  const shown = shownOf(id);
  if (shown.kind === 'history') return historyNode(reading, shown.nodeId);
  if (shown.kind === 'labels') return labelsNode(reading, shown.nodeId);
  const version = reading.get(versions, shown.versionId);
  if (version === undefined || shownHistoryOf(reading, version.history) === undefined) return undefined;
  if (shown.kind === 'version') return versionNode(reading, version);
  const entry = frozenContent(reading, version.id)?.entry(shown.nodeId);
  return entry && frozenNodeShown(reading, version, entry);
}

function childOf(reading: Reading, parent: ContentNode, name: string, index: number): ContentNode | undefined {
  if (parent.id === VERSION_STORAGE_ID) return index === 1 ? historyNode(reading, name) : undefined;
  if (!isShown(parent)) return undefined;
  const shown = shownOf(parent.id);
  if (shown.kind === 'frozen') return frozenChild(reading, shown, name, index);
  if (index > 1) return undefined;
  if (shown.kind === 'version') return name === 'jcr:frozenNode' ? frozenRoot(reading, shown.versionId) : undefined;
  if (shown.kind === 'labels') return undefined;
  if (name === 'jcr:versionLabels') return labelsNode(reading, shown.nodeId);
  const version = versionNamed(reading, shown.nodeId, name);
  return version && versionNode(reading, version);
}

function childrenOf(reading: Reading, parent: ContentNode, after: string | null, limit: number): ContentNode[] {
  if (parent.id === VERSION_STORAGE_ID) {
    const found = reading.find(versionHistories, 'node', [], { from: behind(after), limit });
    return found.flatMap(({ id }) => historyNode(reading, id) ?? []);
  }
  if (!isShown(parent)) return [];
  const shown = shownOf(parent.id);
  if (shown.kind === 'history') return inHistory(reading, shown.nodeId, after, limit);
  if (shown.kind === 'frozen') return frozenChildren(reading, shown, after, limit);
  const root = shown.kind === 'version' && after === null ? frozenRoot(reading, shown.versionId) : undefined;
  return root === undefined ? [] : [root];
}

/** Nodes of these types are shown here, and stored nowhere. */
const isShown = ({ type }: ContentNode): boolean => SHOWN.has(type);
const SHOWN = new Set(['nt:versionHistory', 'nt:version', 'nt:versionLabels', 'nt:frozenNode', 'nt:versionedChild']);

/** Below all identifiers and names behind another one; null: below all. */
const behind = (text: string | null): string => (text === null ? '' : `${text}\u0001`);

function inHistory(reading: Reading, nodeId: string, after: string | null, limit: number): ContentNode[] {
  const found = reading.find(versions, 'name', [nodeId], { from: behind(after), limit });
  const shown = found.flatMap((version) => versionNode(reading, version) ?? []);
  const labels = labelsNode(reading, nodeId);
  return [...shown, ...(labels ? [labels] : [])]
    .filter(({ name }) => after === null || name > after)
    .sort(inOrder)
    .slice(0, limit);
}

function historyNode(reading: Reading, nodeId: string): ContentNode | undefined {
  const history = shownHistoryOf(reading, nodeId);
  if (history === undefined) return undefined;
  const properties = { 'jcr:uuid': text(historyNodeId(nodeId)), 'jcr:versionableUuid': text(nodeId) };
  const place = { id: historyNodeId(nodeId), parent: VERSION_STORAGE_ID, name: nodeId };
  return { ...place, ...PLAIN, type: 'nt:versionHistory', properties, version: history.revision };
}

function labelsNode(reading: Reading, nodeId: string): ContentNode | undefined {
  const history = shownHistoryOf(reading, nodeId);
  if (history === undefined) return undefined;
  const labels = Object.entries(history.labels).map(([label, id]) => [label, reference(id)] as const);
  const place = { id: `${nodeId}${LABELS}`, parent: historyNodeId(nodeId), name: 'jcr:versionLabels' };
  return {
    ...place,
    ...PLAIN,
    type: 'nt:versionLabels',
    properties: Object.fromEntries(labels),
    version: history.revision,
  };
}

function versionNode(reading: Reading, version: Version): ContentNode | undefined {
  if (shownHistoryOf(reading, version.history) === undefined) return undefined;
  const properties: Record<string, Property> = {
    'jcr:uuid': text(version.id),
    'jcr:created': { type: 'Date', value: dateOfInstant(version.created) ?? '' },
    'jcr:createdBy': text(version.createdBy),
    'jcr:predecessors': { type: 'Reference', values: version.predecessors },
    'jcr:successors': { type: 'Reference', values: version.successors },
  };
  const place = { id: version.id, parent: historyNodeId(version.history), name: version.name };
  return { ...place, ...PLAIN, type: 'nt:version', properties, version: version.revision };
}

function frozenRoot(reading: Reading, versionId: string): ContentNode | undefined {
  const version = reading.get(versions, versionId);
  return version && shownById(reading, frozenId(versionId, version.history));
}

type ShownFrozen = Extract<Shown, { kind: 'frozen' }>;

function frozenChild(reading: Reading, parent: ShownFrozen, name: string, index: number): ContentNode | undefined {
  const { versionId, nodeId } = parent;
  const id = frozenContent(reading, versionId)?.named(nodeId, name)[index - 1];
  return id === undefined ? undefined : shownById(reading, frozenId(versionId, id));
}

function frozenChildren(reading: Reading, parent: ShownFrozen, after: string | null, limit: number): ContentNode[] {
  const { versionId, nodeId } = parent;
  const version = reading.get(versions, versionId);
  if (version === undefined) return [];
  const all = frozenContent(reading, versionId)?.children(nodeId) ?? [];
  const from = after === null ? 0 : placeOf(all, after) + 1;
  return all.slice(from, from + limit).map((entry) => frozenNodeShown(reading, version, entry));
}

function frozenNodeShown(reading: Reading, version: Version, entry: FrozenEntry): ContentNode {
  const { id, parent, name, order, sns, type, mixins, body } = entry;
  const place = {
    id: frozenId(version.id, id),
    parent: parent === '' ? version.id : frozenId(version.id, parent),
    name: parent === '' ? 'jcr:frozenNode' : name,
    order,
    ...(sns && { sns }),
    mixins: [],
  };
  const written = body > 0 ? body : version.revision;
  if (entry.kind === 'history') {
    const properties = { 'jcr:childVersionHistory': reference(historyNodeId(id)) };
    return { ...place, type: 'nt:versionedChild', properties, version: written };
  }
  const kept = reading.get(frozenNodes, frozenNodeId(version.history, entry));
  const { 'jcr:uuid': _, ...frozen } = kept?.properties ?? {};
  const properties: Record<string, Property> = {
    'jcr:frozenPrimaryType': { type: 'Name', value: type },
    ...(mixins.length > 0 && { 'jcr:frozenMixinTypes': { type: 'Name', values: mixins } }),
    'jcr:frozenUuid': text(id),
    ...frozen,
  };
  return { ...place, type: 'nt:frozenNode', properties, ...(kept?.acl && { acl: kept.acl }), version: written };
}

/** Which of its siblings of the same name it is, from 1; undefined: it is not frozen. */
function siblingIndex(reading: Reading, node: ContentNode): number | undefined {
  if (shownOf(node.id).kind !== 'frozen') return undefined;
  const parent = node.parent === null ? undefined : shownOf(node.parent);
  if (parent?.kind !== 'frozen') return 1;
  const named = frozenContent(reading, parent.versionId)?.named(parent.nodeId, node.name) ?? [];
  return named.findIndex((id) => frozenId(parent.versionId, id) === node.id) + 1;
}

/** Where among its siblings the one with the path segment is; -1: there is none. */
function placeOf(all: readonly FrozenEntry[], segment: string): number {
  const counts = new Map<string, number>();
  return all.findIndex(({ name }) => {
    const index = (counts.get(name) ?? 0) + 1;
    counts.set(name, index);
    return formatSegment({ name, index }) === segment;
  });
}

const PLAIN = { order: null, mixins: [] } as const;
const text = (value: string): Property => ({ type: 'String', value });
const reference = (id: string): Property => ({ type: 'Reference', value: id });
