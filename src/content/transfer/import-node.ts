import type { Entry } from 'yauzl';
import { LOCK_AND_VERSION_PROPERTIES, withoutVersions } from '../tree/mixins.js';
import type { ContentNode } from '../tree/node.js';
import type { Types } from '../tree/types.js';
import { qualifiedName } from '../value/names.js';
import type { BlobValue, InlineValue, Property, Value } from '../value/property.js';
import { checkValue } from '../value/value.js';
import type { GivenProperty, ImportRecord } from './records.js';

/** Context in which nodes of an archive are made. */
export interface ImportContext {
  readonly types: Types;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
  readonly preserveTimestamps: boolean;
  /** Whether the archive may say who made and changed the nodes. */
  readonly preserveAuthors: boolean;
  /** The identifier here of a node of the archive; undefined: it has none of that identifier. */
  readonly idOf: (archived: string) => string | undefined;
  /** The bytes of an entry. */
  readonly bytesOf: (entry: Entry) => BlobValue | InlineValue;
  /** Of a file that only its name and its bytes are known of. */
  readonly mimeTypeOf: (record: ImportRecord) => string;
}

/** A node as an import makes it; where it comes to be is said elsewhere. */
export type ImportedNode = Pick<ContentNode, 'id' | 'type' | 'mixins' | 'properties'>;

/** The node of a record, with what its types make by themselves. @throws BAD_REQUEST a name, type or value is none here */
export function importedNode(context: ImportContext, id: string, record: ImportRecord): ImportedNode {
  const { types, userId, now } = context;
  const type = qualifiedName(record.type, types.namespaces);
  const mixins = importedMixins(types, type, record.mixins);
  const node: ContentNode = { id, parent: null, name: '', order: null, type, mixins, properties: {}, version: 0 };
  const properties: Record<string, Property> = {};
  for (const [given, property] of Object.entries(record.properties)) {
    const name = qualifiedName(given, types.namespaces, `property of '${record.path}'`);
    if (isImported(context, node, name))
      properties[name] = importedProperty(context, property, `property '${name}' of '${record.path}'`);
  }
  if (!record.isDescribed && properties['jcr:data'] !== undefined)
    properties['jcr:mimeType'] = { type: 'String', value: context.mimeTypeOf(record) };
  const made = types.autoCreated(node, { userId, now }).properties;
  const all = { ...made, ...properties };
  return {
    id,
    type,
    mixins,
    properties: 'jcr:uuid' in all ? { ...all, 'jcr:uuid': { type: 'String', value: id } } : all,
  };
}

/** Versions stay where they were made. */
const importedMixins = (types: Types, type: string, given: readonly string[]): readonly string[] => {
  const mixins = given.map((name) => qualifiedName(name, types.namespaces));
  return [...new Set(withoutVersions(types, { type, mixins }))];
};

const NEVER: ReadonlySet<string> = new Set(LOCK_AND_VERSION_PROPERTIES);

const TIMES: ReadonlySet<string> = new Set([
  'jcr:created',
  'jcr:createdBy',
  'jcr:lastModified',
  'jcr:lastModifiedBy',
  'jcr:etag',
]);

/** Who made a node is said by the repository, or by those who administer it. */
const AUTHORS: ReadonlySet<string> = new Set(['jcr:createdBy', 'jcr:lastModifiedBy']);

function isImported(
  { types, preserveTimestamps, preserveAuthors }: ImportContext,
  node: ContentNode,
  name: string,
): boolean {
  if (NEVER.has(name)) return false;
  const isOwn = types
    .of(node)
    .propertiesNamed(name)
    .some((definition) => definition.protected || definition.autoCreated);
  if (!isOwn) return true;
  if (AUTHORS.has(name)) return preserveTimestamps && preserveAuthors;
  return preserveTimestamps || !TIMES.has(name);
}

function importedProperty(context: ImportContext, { type, multiple, values }: GivenProperty, what: string): Property {
  const { namespaces } = context.types;
  const all = values.map((value): Value => {
    const native = 'entry' in value ? storedOf(type, context.bytesOf(value.entry)) : value.given;
    const checked = checkValue(type, native, { namespaces, what });
    return type === 'Reference' || type === 'WeakReference' ? (context.idOf(String(checked)) ?? checked) : checked;
  });
  const [first = ''] = all;
  return multiple ? { type, values: all } : { type, value: first };
}

/** Text is kept as bytes only where it is long. */
const storedOf = (type: Property['type'], bytes: BlobValue | InlineValue): unknown =>
  type === 'String' && 'inline' in bytes ? Buffer.from(bytes.inline, 'base64').toString('utf8') : bytes;
