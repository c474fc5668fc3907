import type { Entry } from 'yauzl';
import type { Caller } from '../../shared/caller.js';
import { newId } from '../../shared/ids.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import type { BlobStore, PartitionPort } from '../../store/index.js';
import { type LargeWork, NodeStaging } from '../large/make-ready.js';
import type { ContentNode } from '../tree/node.js';
import { appendedKey } from '../tree/order-key.js';
import type { Types } from '../tree/types.js';
import { mimeTypeOf } from '../upload/mime-type.js';
import { type BlobValue, INLINE_BYTES_MAX, type InlineValue } from '../value/property.js';
import { type ImportContext, importedNode } from './import-node.js';
import type { ImportParameters } from './import-parameters.js';
import type { ImportPlan } from './import-plan.js';
import type { Planned } from './import-report.js';
import type { AttachedNode, OverwrittenNode } from './publish-import.js';
import type { ImportRecord } from './records.js';
import type { ZipSource } from './zip/zip-source.js';

interface ImportStagerParts {
  readonly partition: PartitionPort;
  readonly blobs: BlobStore;
  readonly largeWork: LargeWork;
  readonly zip: ZipSource;
  readonly plan: ImportPlan;
  readonly types: Types;
  readonly parameters: ImportParameters;
  readonly caller: Caller;
}

/** What one commit stages: nodes, and their length as text. */
const STAGED_MAX = 250;
const STAGED_LENGTH_MAX = 500_000;
/** Siblings of one order key's first part. */
const KEYS_MAX = 40_000;

/** Writes the nodes of an import out of the tree, and gathers what its publishing is to do. */
export class ImportStager {
  readonly attached: AttachedNode[] = [];
  readonly overwritten: OverwrittenNode[] = [];
  /** As text, of what the publishing is given. */
  overwrittenLength = 0;
  readonly #parts: ImportStagerParts;
  readonly #revision: number;
  readonly #kept = new Map<Entry, BlobValue | InlineValue>();
  readonly #staging: NodeStaging;
  #pending: ContentNode[] = [];
  #pendingLength = 0;
  #keys = 0;

  constructor(parts: ImportStagerParts) {
    this.#parts = parts;
    const { revision, now } = parts.partition.replica.read();
    this.#revision = revision;
    this.#staging = new NodeStaging(parts.largeWork, parts.partition.id, newId(now));
  }

  /** What holds the staged nodes; null: there are none. */
  get holderId(): string | null {
    return this.#staging.isBegun ? this.#staging.rootId : null;
  }

  async add(record: ImportRecord, planned: Planned): Promise<void> {
    const { fate, id, name } = planned;
    if (fate !== 'attach' && fate !== 'new' && fate !== 'overwrite') return;
    const bytes = await this.#bytesOf(record);
    const mimeType = record.isDescribed ? '' : await this.#mimeTypeOf(record, bytes);
    const node = importedNode(this.#context(bytes, mimeType), id, record);
    const acl = this.#parts.plan.access.get(record.path) ?? null;
    if (fate === 'overwrite') return this.#overwrite({ ...node, acl, isWhole: record.isDescribed });
    await this.#stage(record, planned, {
      ...node,
      ...(acl !== null && { acl }),
      parent: null,
      name,
      order: null,
      version: 0,
    });
  }

  /** The last of it. Whether the caller may write it is asked when it is published. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    if (!this.#staging.isBegun) await this.#staging.begin({ purpose: 'import' });
    await this.#staging.stage({ purpose: 'import', nodes: this.#pending });
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** What is not in the tree by now is swept. */
  abandon(): Promise<void> {
    return this.#staging.abandon();
  }

  #overwrite(node: OverwrittenNode): void {
    // What a file had as its media type stays, as when an upload replaces its content.
    const { 'jcr:mimeType': _, ...plain } = node.properties;
    const { 'jcr:created': _at, 'jcr:createdBy': _by, ...properties } = plain;
    const made = node.isWhole ? node : { ...node, properties };
    this.overwritten.push(made);
    this.overwrittenLength += JSON.stringify(made).length;
  }

  async #stage(record: ImportRecord, planned: Planned, node: ContentNode): Promise<void> {
    const above = this.#parts.plan.planned.get(record.path.slice(0, Math.max(0, record.path.lastIndexOf('/'))));
    const isTop = planned.fate === 'attach';
    if (isTop) this.attached.push({ id: node.id, name: planned.name, parentId: above?.id ?? null });
    const placed = isTop
      ? { ...node, parent: this.#staging.rootId, name: `n${this.attached.length}` }
      : { ...node, parent: above?.id ?? this.#staging.rootId, ...this.#orderOf(planned, above) };
    this.#pending.push(placed);
    this.#pendingLength += JSON.stringify(placed).length;
    if (this.#pending.length >= STAGED_MAX || this.#pendingLength >= STAGED_LENGTH_MAX) await this.flush();
  }

  /** Its place among its siblings, all of which the archive has. */
  #orderOf({ name, type, mixins }: Planned, above: Planned | undefined): Pick<ContentNode, 'order' | 'sns'> {
    const { types } = this.#parts;
    if (above === undefined) return { order: null };
    const sns = types.of(above).childDefinition(name, types.of({ type, mixins }))?.sameNameSiblings === true;
    if (!sns && !types.isOrderable(above)) return { order: null };
    const n = this.#keys++;
    return { order: appendedKey(this.#revision + Math.floor(n / KEYS_MAX), n % KEYS_MAX), ...(sns && { sns }) };
  }

  #context(bytes: ReadonlyMap<Entry, BlobValue | InlineValue>, mimeType: string): ImportContext {
    const { types, caller, parameters, plan, partition } = this.#parts;
    return {
      types,
      userId: caller.userId,
      now: partition.replica.read().now,
      preserveTimestamps: parameters.preserveTimestamps,
      preserveAuthors: mayAdminister(caller),
      idOf: (archived) => plan.idOf(archived),
      bytesOf: (entry) => bytes.get(entry) ?? { inline: '', size: 0 },
      mimeTypeOf: () => mimeType,
    };
  }

  async #bytesOf({ properties }: ImportRecord): Promise<Map<Entry, BlobValue | InlineValue>> {
    const found = new Map<Entry, BlobValue | InlineValue>();
    for (const { values } of Object.values(properties)) {
      for (const value of values) if ('entry' in value) found.set(value.entry, await this.#stored(value.entry));
    }
    return found;
  }

  /** The bytes of an entry, unpacked once. */
  async #stored(entry: Entry): Promise<BlobValue | InlineValue> {
    const known = this.#kept.get(entry);
    if (known !== undefined) return known;
    const { zip, blobs } = this.#parts;
    if (entry.uncompressedSize <= INLINE_BYTES_MAX) {
      const bytes = await zip.bytes(entry, INLINE_BYTES_MAX);
      return { inline: bytes.toString('base64'), size: bytes.length };
    }
    const { sha256, size } = await blobs.write(zip.read(entry));
    const stored = { blob: sha256, size };
    this.#kept.set(entry, stored);
    return stored;
  }

  async #mimeTypeOf({ path }: ImportRecord, bytes: ReadonlyMap<Entry, BlobValue | InlineValue>): Promise<string> {
    const [data] = bytes.values();
    const named = mediaTypeByName(path.slice(0, path.lastIndexOf('/')));
    if (named !== undefined || data === undefined) return named ?? 'application/octet-stream';
    return mimeTypeOf(data, this.#parts.blobs);
  }
}

/** Media types of files whose name says more than their bytes, by extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bpmn: 'application/bpmn+xml',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/plain',
  txt: 'text/plain',
  webp: 'image/webp',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The media type that the name stands for; undefined: it says none. */
const mediaTypeByName = (name: string): string | undefined =>
  BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
