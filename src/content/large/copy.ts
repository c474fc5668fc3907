import { idSource, seedOf } from '../../shared/ids.js';
import { LOCK_AND_VERSION_PROPERTIES, withoutVersions } from '../tree/mixins.js';
import type { ContentNode } from '../tree/node.js';
import type { Types } from '../tree/types.js';
import { isMultiple, type Property, type Value } from '../value/property.js';

/** Context in which copies are made. */
export interface CopyContext {
  /** Those of the source. */
  readonly types: Types;
  /** Distinguishes this copy from others of the same source. */
  readonly seed: string;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
  /** Whether the node is copied too, so that references lead to its copy. */
  readonly isCopied: (id: string) => boolean;
  /** Whether the node's access control list is the copy's, too. */
  readonly keepsList: (node: ContentNode) => boolean;
}

/** The identifier of a node's copy: the same whenever the same copy asks, so that a large one keeps no list of them. */
export const copyIdOf = ({ seed, now }: Pick<CopyContext, 'seed' | 'now'>, id: string): string =>
  idSource(seedOf(`${seed}/${id}`), now).next();

/**
 * The copy of a node below the copy of its parent (JCR 2.0 §10.7): properties as they are, with references inside of what is copied leading to
 * the copies. Left out are versions and locks; what its types record of its making is made anew.
 */
export function copyOf(context: CopyContext, node: ContentNode): ContentNode {
  const id = copyIdOf(context, node.id);
  const mixins = withoutVersions(context.types, node);
  const properties: Record<string, Property> = {};
  const effective = context.types.of(node);
  for (const [name, property] of Object.entries(node.properties)) {
    const isOwn = NOT_COPIED.has(name) && effective.governing(name, property).some((it) => it.protected);
    if (!isOwn) properties[name] = redirected(context, property);
  }
  const { lock: _lock, versioning: _versioning, acl, ...rest } = node;
  const copy = {
    ...rest,
    ...(acl !== undefined && context.keepsList(node) && { acl }),
    id,
    parent: node.parent === null ? null : copyIdOf(context, node.parent),
    mixins,
    properties,
  };
  const made = context.types.autoCreated(copy, { userId: context.userId, now: context.now }).properties;
  return { ...copy, properties: { ...made, ...properties } };
}

/** Whether the node has an access control list that its copy does not get. */
export const leavesList = ({ keepsList }: CopyContext, node: ContentNode): boolean =>
  node.acl !== undefined && !keepsList(node);

/** What the repository itself says of a node, where its type protects it. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'jcr:uuid',
  'jcr:created',
  'jcr:createdBy',
  'jcr:etag',
  ...LOCK_AND_VERSION_PROPERTIES,
]);

function redirected(context: CopyContext, property: Property): Property {
  if (property.type !== 'Reference' && property.type !== 'WeakReference') return property;
  const target = (value: Value): Value => (context.isCopied(String(value)) ? copyIdOf(context, String(value)) : value);
  if (isMultiple(property)) return { ...property, values: property.values.map(target) };
  return { ...property, value: target(property.value) };
}
