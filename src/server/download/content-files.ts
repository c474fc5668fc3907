import { Readable } from 'node:stream';
import {
  type BlobValue,
  type ContentNode,
  ContentView,
  type InlineValue,
  isBytes,
  type Property,
  sniffedTypeOf,
  valuesOf,
} from '../../content/index.js';
import { type ExchangePlace, exchangeFile, type Histories, isOf, placeOf } from '../../eip/index.js';
import type { Caller } from '../../shared/caller.js';
import type { ServiceError } from '../../shared/errors.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import {
  type BlobStore,
  type ByteRange,
  hasEnded,
  type LongJobFile,
  longJobs,
  type PartitionPort,
} from '../../store/index.js';
import type { Workspaces } from '../wire/workspaces.js';
import type { DesktopTrust } from './desktop-trust.js';
import type { FileAccess, FileSource, NoFile, PropertyName } from './file-access.js';

interface ContentFilesParts {
  readonly workspaces: Workspaces;
  /** Why one that is none of them takes no calls. */
  readonly away: (workspace: string) => ServiceError;
  readonly blobs: BlobStore;
  readonly desktop: (partition: PartitionPort) => Pick<DesktopTrust, 'holds'>;
  /** Exchanges of routes, which show as files. */
  readonly history: Pick<Histories, 'find'>;
  /** A guest, as whom public caches read. */
  readonly guest: (workspace: string) => Caller;
}

/** Files of the tree, as downloads and the website read them. What the caller may not read is missing. */
export class ContentFiles implements FileAccess {
  readonly #parts: ContentFilesParts;

  constructor(parts: ContentFilesParts) {
    this.#parts = parts;
  }

  refusal(workspace: string): ServiceError | undefined {
    return this.#parts.workspaces.has(workspace) ? undefined : this.#parts.away(workspace);
  }

  async isDesktopTrusted(workspace: string): Promise<boolean> {
    const partition = this.#parts.workspaces.get(workspace);
    return partition !== undefined && (await this.#parts.desktop(partition).holds());
  }

  file(caller: Caller, segments: readonly string[]): FileSource | NoFile | Promise<FileSource | NoFile> {
    const place = seesExchanges(caller) ? placeOf(`/${segments.join('/')}`) : undefined;
    if (place !== undefined) return this.#exchange(caller.workspace, place);
    const found = this.#find(caller, segments);
    if (typeof found === 'string') return found;
    const { node, content, view } = found;
    const data = bytesOf(content.properties['jcr:data'], 0);
    if (data === undefined) return 'other';
    return {
      name: node.name,
      mimeType: textOf(content.properties['jcr:mimeType']) ?? 'application/octet-stream',
      encoding: textOf(content.properties['jcr:encoding']),
      size: data.size,
      lastModified: lastModifiedOf(content, node),
      etag: 'blob' in data ? data.blob : `${content.id}-${content.version}`,
      isPublic: new ContentView(view.state, this.#parts.guest(caller.workspace)).readable(content) !== undefined,
      open: (range) => this.#open(data, range),
    };
  }

  async property(
    caller: Caller,
    segments: readonly string[],
    { name, index }: PropertyName,
  ): Promise<FileSource | NoFile | 'not binary'> {
    const found = this.#find(caller, segments);
    if (typeof found === 'string') return found;
    const property = found.content.properties[name];
    if (property === undefined || valuesOf(property)[index ?? 0] === undefined) return 'missing';
    const data = bytesOf(property, index ?? 0);
    if (property.type !== 'Binary' || data === undefined) return 'not binary';
    const { mimeType, extension } = await sniffedTypeOf(data, this.#parts.blobs);
    return {
      name: extension === null ? name : `${name}.${extension}`,
      mimeType,
      encoding: null,
      size: data.size,
      lastModified: lastModifiedOf(found.content, found.node),
      etag: 'blob' in data ? data.blob : `${found.content.id}-${found.content.version}`,
      isPublic: false,
      open: (range) => this.#open(data, range),
    };
  }

  archive(caller: Caller, jobId: string): FileSource | 'missing' | 'forbidden' {
    return this.#jobFile(caller, jobId, 'archive');
  }

  report(caller: Caller, jobId: string): FileSource | 'missing' | 'forbidden' {
    return this.#jobFile(caller, jobId, 'report');
  }

  async #exchange(workspace: string, place: ExchangePlace): Promise<FileSource | NoFile> {
    const partition = this.#parts.workspaces.get(workspace);
    const record = partition && (await this.#parts.history.find(partition.id, place.exchangeId, place.routeId));
    if (record == null || !isOf(place, record)) return 'missing';
    const bytes = exchangeFile(record);
    return {
      name: `${record.exchangeId}.json`,
      mimeType: 'application/json',
      encoding: 'UTF-8',
      size: bytes.length,
      lastModified: record.completedAt,
      etag: `${record.exchangeId}-${record.completedAt}`,
      isPublic: false,
      open: ({ start, end = bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)]),
    };
  }

  #jobFile(caller: Caller, jobId: string, kind: LongJobFile['kind']): FileSource | 'missing' | 'forbidden' {
    const job = this.#parts.workspaces.get(caller.workspace)?.replica.read().get(longJobs, jobId);
    const type = kind === 'archive' ? 'archive' : 'import-archive';
    if (job?.type !== type) return 'missing';
    if (job.userId !== caller.userId) return 'forbidden';
    const isReady = kind === 'archive' ? job.actor.value === 'completed' : hasEnded(job.actor.value);
    const file = isReady ? job.files?.find((one) => one.kind === kind) : undefined;
    if (file === undefined) return 'missing';
    const { name, mimeType, data } = file;
    return {
      name,
      mimeType,
      encoding: null,
      size: data.size,
      lastModified: job.ended ?? job.updated,
      etag: 'blob' in data ? data.blob : `${job.id}-${kind}`,
      isPublic: false,
      open: (range) => this.#open(data, range),
    };
  }

  #find(caller: Caller, segments: readonly string[]): NoFile | Found {
    const state = this.#parts.workspaces.get(caller.workspace)?.replica.read();
    if (state === undefined) return 'missing';
    const view = new ContentView(state, caller);
    const steps = segments.map(stepOf);
    const node = view.readable(view.tree.along(steps)?.at(-1));
    if (node === undefined) return 'missing';
    if (view.types.isA(node, 'nt:folder') || node.id === view.rootId) return 'folder';
    if (!view.types.isA(node, 'nt:file')) return 'other';
    const content = view.contentOf(node);
    return content.id === node.id ? 'missing' : { node, content, view };
  }

  #open(data: BlobValue | InlineValue, range: ByteRange): Readable {
    if ('blob' in data) return this.#parts.blobs.open({ sha256: data.blob, size: data.size }, range);
    const { start, end = data.size - 1 } = range;
    return Readable.from([Buffer.from(data.inline, 'base64').subarray(start, end + 1)]);
  }
}

interface Found {
  readonly node: ContentNode;
  readonly content: ContentNode;
  readonly view: ContentView;
}

/** A name as it stands in a path: `a`, or `a[2]`. */
function stepOf(segment: string): { readonly name: string; readonly index: number } {
  const [, name = segment, index = '1'] = /^(.+)\[([1-9]\d{0,8})\]$/s.exec(segment) ?? [];
  return { name, index: Number(index) };
}

function bytesOf(property: Property | undefined, index: number): BlobValue | InlineValue | undefined {
  const value = property === undefined ? undefined : valuesOf(property)[index];
  return value !== undefined && isBytes(value) ? value : undefined;
}

function textOf(property: Property | undefined): string | null {
  const value = property === undefined ? undefined : valuesOf(property)[0];
  return typeof value === 'string' ? value : null;
}

/** ms */
function lastModifiedOf(content: ContentNode, file: ContentNode): number {
  const at = content.properties['jcr:lastModified'] ?? file.properties['jcr:created'];
  const time = Date.parse(textOf(at) ?? '');
  return Number.isNaN(time) ? 0 : time;
}
