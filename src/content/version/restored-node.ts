import type { ContentNode, Versioning } from '../tree/node.js';
import type { Reading } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { propertyAction } from '../type/opv.js';
import type { Property } from '../value/property.js';
import { type FrozenEntry, type FrozenNode, versions } from './version.js';
import { historyOf } from './version-history.js';

/** Where a restored node is put. */
export type Place = Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>;

/** A node that is to be as it was frozen. */
export interface RestoredNode {
  readonly entry: FrozenEntry;
  /** The history that keeps it. */
  readonly history: string;
  readonly place: Place;
  /** Of a node with a history of its own: the version that it now follows. */
  readonly baseVersion?: string;
  /** It is elsewhere in the workspace, and is taken from there with all that is not restored. */
  readonly isTaken: boolean;
}

/** On-parent-versions under which what a version does not have stays as it is. */
export const KEPT: ReadonlySet<string> = new Set(['IGNORE', 'COMPUTE', 'INITIALIZE']);

/**
 * The properties that a node is restored with: those that were frozen, and of those that it has now the ones that versions do not care for.
 */
export function restoredProperties(
  types: Types,
  entry: FrozenEntry,
  { properties: frozen }: FrozenNode,
  existing: ContentNode | undefined,
): Record<string, Property> {
  const own: Record<string, Property> = types.isA(entry, 'mix:referenceable')
    ? { 'jcr:uuid': { type: 'String', value: entry.id } }
    : {};
  if (existing === undefined) return { ...frozen, ...own };
  const effective = types.of(entry);
  const stays = ([name, property]: [string, Property]) =>
    frozen[name] === undefined && KEPT.has(propertyAction(effective, name, property));
  return { ...Object.fromEntries(Object.entries(existing.properties).filter(stays)), ...frozen, ...own };
}

/** Which version the restored node follows; undefined: it has none. */
export function restoredVersioning(
  { reading, types }: Pick<Making, 'reading' | 'types'>,
  { entry, baseVersion }: RestoredNode,
  existing: ContentNode | undefined,
  body: FrozenNode,
): Versioning | undefined {
  const checkedIn = (version: string) => ({ checkedOut: false, baseVersion: version, predecessors: [] });
  if (baseVersion !== undefined) return checkedIn(baseVersion);
  if (!types.isA(entry, 'mix:simpleVersionable')) return undefined;
  if (existing?.versioning !== undefined) return existing.versioning;
  // A copy of a versionable child that is gone: it goes on with its history, if that is still there.
  const base = body.baseVersion === undefined ? undefined : reading.get(versions, body.baseVersion);
  return base && historyOf(reading, base.history) && checkedIn(base.id);
}

/** The identifier of what holds nodes that are made for a restore of the node, until they are put in their place. */
export const restoredHolder = (nodeId: string): string => `${nodeId}.restored`;

/** Source of a node that is gone and comes back. */
interface Making {
  readonly reading: Pick<Reading, 'get'>;
  readonly types: Types;
  readonly body: FrozenNode;
  /** What holds it until it is put in its place; null: the node above it is made too, and holds it. */
  readonly holderId: string | null;
}

/** A node that is gone as it is made out of the tree. */
export function madeNode({ reading, types, body, holderId }: Making, restored: RestoredNode): ContentNode {
  const { entry, place } = restored;
  const { id, type, mixins } = entry;
  const versioning = restoredVersioning({ reading, types }, restored, undefined, body);
  const { sns, ...plain } = place;
  // Siblings of one name may be held together that have other parents.
  const held = holderId === null ? { ...plain, ...(sns && { sns }) } : { parent: holderId, name: id, order: null };
  const properties = restoredProperties(types, entry, body, undefined);
  return { id, ...held, type, mixins, properties, ...(versioning && { versioning }), version: 0 };
}
