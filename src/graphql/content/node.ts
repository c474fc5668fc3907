import {
  type ContentNode,
  type ContentView,
  type EffectiveType,
  isMounted,
  isMultiple,
  type Property,
  type Value,
} from '../../content/index.js';
import { holdsLock } from '../../shared/rights/nodes.js';
import type { ApiContext } from '../api-context.js';
import type { LockInfoResolvers, NodeResolvers } from '../generated/schema.js';
import { hasChildren } from './tree-queries.js';

export const nodeResolvers: NodeResolvers = {
  path: (node, _, { content }) => pathOf(node, content),
  nodeType: ({ type }) => type,
  uuid: (node, _, { content }) => (content.types.isA(node, 'mix:referenceable') ? node.id : null),
  version: (node, _, { content }) => Math.max(node.version, content.contentOf(node).version),
  created: (node) => timeOf(node.properties['jcr:created']),
  createdBy: (node) => textOf(node.properties['jcr:createdBy']),
  createdByDisplayName: (node, _, { services }) => displayName(textOf(node.properties['jcr:createdBy']), services),
  modified: (node, _, { content }) => timeOf(modifiedIn(node, content, '')),
  modifiedBy: (node, _, { content }) => textOf(modifiedIn(node, content, 'By')),
  modifiedByDisplayName: (node, _, { content, services }) =>
    displayName(textOf(modifiedIn(node, content, 'By')), services),
  mimeType: ofFile((content) => textOf(content.properties['jcr:mimeType'])),
  size: ofFile((content) => sizeOf(content.properties['jcr:data'])),
  encoding: ofFile((content) => textOf(content.properties['jcr:encoding'])),
  downloadUrl: (node, _, context) => (isFile(node, context) ? downloadUrl(node, context) : null),
  scriptable: (node, _, context) => (isFile(node, context) ? false : null),
  hasChildren(node, _, context) {
    if (!context.content.types.isA(node, 'nt:folder')) return null;
    const known = isMounted(context.content, node) ? undefined : context.content.hasChildren(node);
    return known ?? hasChildren(context, node);
  },
  isLocked: (node, _, { content }) => content.lockOver(node) !== undefined,
  lockInfo: (node, _, { content }) => content.lockOver(node)?.lock ?? null,
  lock: (node, _, { content }) => content.lockOver(node)?.lock ?? null,
  lockOwner: (node, _, { content }) => content.lockOver(node)?.lock.owner ?? null,
  isDeep: (node, _, { content }) => content.lockOver(node)?.lock.deep ?? null,
  isSessionScoped: (node, _, { content }) => isSessionScoped(content.lockOver(node)?.lock),
  isLockOwningSession: (node, _, { content, caller }) => {
    const held = content.lockOver(node);
    return held === undefined ? null : holdsLock(held.lock, caller);
  },
  isVersionable: (node, _, { content }) =>
    content.types.isA(node, 'mix:versionable') || content.types.isA(node, 'mix:simpleVersionable'),
  isCheckedOut: ({ versioning }) => versioning?.checkedOut ?? false,
  isWritable: (node, _, { content }) => content.isWritable(content.contentOf(node)),
  checkedInBy: (node, _, { content }) => {
    const holder = content.checkedInOver(node);
    return holder === undefined ? null : pathOf(holder, content);
  },
  score: () => null,
  webRender: () => null,
  properties(node, _, { content }) {
    const holder = content.contentOf(node);
    const named = Object.entries(holder.properties).filter(
      ([name]) => !name.startsWith('jcr:') || !(TOLD.has(name) || isRepositorys(content.types.of(holder), name)),
    );
    return named.map(([name, property]) => ({ name, propertyValue: property }));
  },
  parent: (node, _, { content }) => content.parentOf(node) ?? null,
};

/** What only the repository writes: what frozen nodes hold of others is none of it. */
const isRepositorys = (type: EffectiveType, name: string): boolean =>
  type.propertiesNamed(name).some((definition) => definition.name === name && definition.protected);

/** What other fields of a node tell. */
const TOLD: ReadonlySet<string> = new Set([
  'jcr:created',
  'jcr:createdBy',
  'jcr:data',
  'jcr:encoding',
  'jcr:lastModified',
  'jcr:lastModifiedBy',
  'jcr:mimeType',
]);

export const lockInfoResolvers: LockInfoResolvers = {
  lockOwner: ({ owner }) => owner,
  lockOwnerDisplayName: ({ owner }, _, { services }) => displayName(owner, services),
  isDeep: ({ deep }) => deep,
  isSessionScoped: (lock) => isSessionScoped(lock),
  isLockOwningSession: (lock, _, { caller }) => holdsLock(lock, caller),
  isLockOwner: ({ owner }, _, { caller }) => owner === caller.userId,
  lockToken: ({ owner, token }, _, { caller }) => (owner === caller.userId ? token : null),
};

const displayName = (principal: string | null, { principals }: ApiContext['services']): string | null =>
  principal === null ? null : (principals.describe(principal)?.displayName ?? null);

const isSessionScoped = (lock: { readonly sessionId: string | null } | undefined): boolean | null =>
  lock === undefined ? null : lock.sessionId !== null;

/** Every node that is shown was found in the tree. */
const pathOf = (node: ContentNode, content: ContentView): string => content.tree.pathOf(node) ?? '';

const isFile = (node: ContentNode, { content }: ApiContext): boolean => content.types.isA(node, 'nt:file');

/** A field that only files have, read from their content. */
function ofFile<T>(read: (content: ContentNode) => T) {
  return (node: ContentNode, _: unknown, context: ApiContext): T | null =>
    isFile(node, context) ? read(context.content.contentOf(node)) : null;
}

function downloadUrl(node: ContentNode, { content, workspace }: ApiContext): string {
  const segments = pathOf(node, content).split('/').map(encodeURIComponent);
  return `/bin/download.cgi/${encodeURIComponent(workspace.partition.workspace)}${segments.join('/')}`;
}

/** `jcr:lastModified` (or, with `By`, who did it): of a file from its content; of others their own, else that of their content, else of their creation. */
function modifiedIn(node: ContentNode, view: ContentView, suffix: '' | 'By'): Property | undefined {
  const name = `jcr:lastModified${suffix}`;
  const content = view.contentOf(node).properties[name];
  const own = node.properties[name];
  const known = view.types.isA(node, 'nt:file') ? (content ?? own) : (own ?? content);
  return known ?? node.properties[`jcr:created${suffix}`];
}

const firstOf = (property: Property | undefined): Value | undefined =>
  property === undefined ? undefined : isMultiple(property) ? property.values[0] : property.value;

function textOf(property: Property | undefined): string | null {
  const value = firstOf(property);
  return typeof value === 'string' ? value : null;
}

function timeOf(property: Property | undefined): number | null {
  const time = Date.parse(textOf(property) ?? '');
  return Number.isNaN(time) ? null : time;
}

function sizeOf(property: Property | undefined): number | null {
  const value = firstOf(property);
  return typeof value === 'object' ? value.size : null;
}
