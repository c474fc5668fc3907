import { Readable } from 'node:stream';
import type { BlobStore } from '../../../store/index.js';
import type { ContentNode } from '../../tree/node.js';
import type { Types } from '../../tree/types.js';
import {
  type BlobValue,
  bytesIn,
  type InlineValue,
  isBytes,
  isMultiple,
  type Property,
  type Value,
} from '../../value/property.js';
import {
  ACCESS,
  type ArchivedAccess,
  type ArchivedNode,
  type ArchivedProperty,
  BLOBS,
  EntryNames,
  MANIFEST,
  type Manifest,
  NODES,
} from './sidecar.js';
import { LineSpool, ZipWriter } from './zip-writer.js';

interface ArchiveWriterParts {
  readonly blobs: BlobStore;
  readonly types: Types;
  readonly includeMetadata: boolean;
  /** What is not dated itself is dated so. ms */
  readonly now: number;
}

/** A node with its place in the archive. */
export interface PlacedNode {
  readonly node: ContentNode;
  /** Relative to the base, with names as they stand in paths. Empty: the root of the tree. */
  readonly path: string;
  /** The file whose content the node is; null where it is none. */
  readonly file: PlacedNode | null;
  /** Whether it lies below a file. */
  readonly isInFile: boolean;
}

/** Writes nodes into a ZIP: files and folders as such, and everything of them into the sidecar. */
export class ArchiveWriter {
  readonly zip = new ZipWriter();
  /** How many files were written. */
  files = 0;
  readonly #parts: ArchiveWriterParts;
  readonly #names = new EntryNames();
  readonly #nodes: LineSpool;
  readonly #access: LineSpool;
  readonly #blobsWritten = new Set<string>();

  constructor(parts: ArchiveWriterParts) {
    this.#parts = parts;
    this.#nodes = new LineSpool(parts.blobs);
    this.#access = new LineSpool(parts.blobs);
  }

  async add(placed: PlacedNode): Promise<void> {
    const { node, file, path, isInFile } = placed;
    const data = file === null ? undefined : bytesIn(node.properties['jcr:data']);
    let entry: string | undefined;
    if (file !== null && data !== undefined) entry = await this.#addFile(file, node, data);
    else if (!isInFile && path !== '' && this.#parts.types.isA(node, 'nt:hierarchyNode') && !this.isFile(node))
      this.zip.addFolder(`${this.#names.of(`${path}/`)}`, this.#modified(node));
    if (this.#parts.includeMetadata && path !== '') await this.#describe(placed, entry);
  }

  isFile(node: ContentNode): boolean {
    return this.#parts.types.isA(node, 'nt:file');
  }

  /** What the archive says of itself; then it is whole. */
  async finish(manifest: Omit<Manifest, 'nodeCount' | 'fileCount'>): Promise<void> {
    const { blobs, includeMetadata, now } = this.#parts;
    const [lines, lists] = await Promise.all([this.#nodes.end(), this.#access.end()]);
    if (includeMetadata) {
      const whole: Manifest = { ...manifest, nodeCount: this.#nodes.count, fileCount: this.files };
      const text = Buffer.from(`${JSON.stringify(whole, null, 2)}\n`);
      await this.zip.add(MANIFEST, { size: text.length, modified: now, isPacked: true }, () => Readable.from([text]));
      const all = [{ name: NODES, blob: lines }, ...(manifest.includesAcl ? [{ name: ACCESS, blob: lists }] : [])];
      for (const { name, blob } of all)
        await this.zip.add(name, { size: blob.size, modified: now, isPacked: true }, () => blobs.open(blob));
    }
    this.zip.end();
  }

  async abort(reason: unknown): Promise<void> {
    this.zip.abort(reason);
    await Promise.all([this.#nodes.abort(), this.#access.abort()]);
  }

  async #addFile(file: PlacedNode, content: ContentNode, data: BlobValue | InlineValue): Promise<string> {
    const entry = this.#names.of(file.path);
    const mimeType = textOf(content.properties['jcr:mimeType']) ?? '';
    const facts = { size: data.size, modified: this.#modified(content, file.node), isPacked: !PACKED.test(mimeType) };
    await this.zip.add(entry, facts, () => this.#open(data));
    this.files++;
    return entry;
  }

  async #describe({ node, path }: PlacedNode, entry: string | undefined): Promise<void> {
    const { id, type, mixins, acl } = node;
    const properties: Record<string, ArchivedProperty> = {};
    for (const [name, property] of Object.entries(node.properties))
      properties[name] = await this.#archived(property, name === 'jcr:data' ? entry : undefined);
    await this.#nodes.add({ path, id, type, mixins, properties } satisfies ArchivedNode);
    if (acl !== undefined) await this.#access.add({ path, entries: acl } satisfies ArchivedAccess);
  }

  async #archived(property: Property, entry: string | undefined): Promise<ArchivedProperty> {
    const { type } = property;
    if (!isMultiple(property)) return { type, value: await this.#archivedValue(property.value, entry) };
    const values = [];
    for (const value of property.values) values.push(await this.#archivedValue(value, undefined));
    return { type, values };
  }

  async #archivedValue(value: Value, entry: string | undefined) {
    if (!isBytes(value)) return value;
    const { size } = value;
    if (entry !== undefined) return { entry, size };
    if (!('blob' in value)) return value;
    const name = `${BLOBS}${value.blob}`;
    if (!this.#blobsWritten.has(name)) {
      this.#blobsWritten.add(name);
      await this.zip.add(name, { size, modified: this.#parts.now, isPacked: true }, () => this.#open(value));
    }
    return { entry: name, size };
  }

  #open(data: BlobValue | InlineValue): Readable {
    if ('blob' in data) return this.#parts.blobs.open({ sha256: data.blob, size: data.size });
    const bytes = Buffer.from(data.inline, 'base64');
    return Readable.from(bytes.length === 0 ? [] : [bytes]);
  }

  #modified(...from: readonly ContentNode[]): number {
    const dates = from.flatMap(({ properties }) => [properties['jcr:lastModified'], properties['jcr:created']]);
    const times = dates.map((date) => Date.parse(textOf(date) ?? '')).filter((time) => !Number.isNaN(time));
    return times[0] ?? this.#parts.now;
  }
}

/** Media types whose bytes are packed already. */
const PACKED =
  /^(?:image\/(?:jpeg|png|gif|webp|avif)|video\/|audio\/|application\/(?:zip|gzip|x-7z|x-rar|pdf|java-archive|vnd\.openxml|epub))/;

function textOf(property: Property | undefined): string | undefined {
  return property !== undefined && !isMultiple(property) && typeof property.value === 'string'
    ? property.value
    : undefined;
}
