import type { BlobStore, LongJobContext, LongJobOutcome, LongJobType } from '../../store/index.js';
import type { LargeWork } from '../large/make-ready.js';
import { typeStamps, typesOf } from '../tree/stored-types.js';
import { dateOfInstant } from '../value/date-value.js';
import {
  type ArchiveParameters,
  basePathOf,
  normalPath,
  prepareArchive,
  relativePath,
  topmostPaths,
} from './archive-parameters.js';
import { type ArchivedPage, archivePage, archiveWalk } from './archive-walk.js';
import { ArchiveWriter, type PlacedNode } from './zip/archive-writer.js';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION } from './zip/sidecar.js';

/** How many nodes one archive may have. */
const ARCHIVE_NODES_MAX = 1_000_000;
/** How many of them are read at once. */
const PAGE_MAX = 200;

/** Services of the jobs that make archives (ZIP). */
export interface ArchiveServices {
  readonly blobs: BlobStore;
  readonly largeWork: LargeWork;
}

/**
 * Makes a ZIP of what lies at the items, which are paths, as far as the caller may read it. Which nodes it has is what there is of each of the
 * paths when its turn comes; each is taken as it is when it is written.
 */
export const archiveJobType = (services: ArchiveServices): LongJobType => ({
  type: 'archive',
  needsItems: true,
  resume: 'restart',
  throttle: { items: 25, ms: 300 },
  prepare: prepareArchive,
  run: (context) => new ArchiveRun(services, context).run(),
});

class ArchiveRun {
  readonly #services: ArchiveServices;
  readonly #context: LongJobContext;
  readonly #parameters: ArchiveParameters;
  readonly #writer: ArchiveWriter;
  #nodes = 0;

  constructor(services: ArchiveServices, context: LongJobContext) {
    this.#services = services;
    this.#context = context;
    this.#parameters = context.parameters as ArchiveParameters;
    const state = context.partition.replica.read();
    this.#writer = new ArchiveWriter({
      blobs: services.blobs,
      types: typesOf(state),
      includeMetadata: this.#parameters.includeMetadata,
      now: state.now,
    });
  }

  async run(): Promise<LongJobOutcome> {
    const { job, partition } = this.#context;
    const written = this.#services.blobs.write(this.#writer.zip.output);
    // What fails first tells; the other one fails because of it.
    written.catch((thrown: unknown) => void this.#writer.abort(thrown));
    try {
      await this.#write();
      const { sha256, size } = await written;
      const data = { blob: sha256, size };
      const archive = { kind: 'archive', name: this.#parameters.filename, mimeType: 'application/zip', data } as const;
      const downloadUrl = `/bin/download-archive.cgi/${encodeURIComponent(partition.workspace)}/${job.id}`;
      return { changes: { downloadUrl, files: [archive], currentPath: null } };
    } catch (thrown) {
      await this.#writer.abort(thrown);
      await written.catch(() => {});
      throw thrown;
    }
  }

  async #write(): Promise<void> {
    const { partition, items, progress, job, caller } = this.#context;
    const state = partition.replica.read();
    const paths: string[] = [];
    for await (const path of items) paths.push(normalPath(state, path));
    const roots = topmostPaths(paths);
    const base = basePathOf(roots, this.#parameters.basePath);
    progress({ itemsTotal: roots.length, itemsArchived: 0 });
    let itemsProcessed = 0;
    for (const root of roots) {
      await this.#writeBelow(root, base);
      itemsProcessed++;
      progress({ itemsProcessed, itemsArchived: this.#writer.files });
    }
    await this.#writer.finish({
      format: ARCHIVE_FORMAT,
      version: ARCHIVE_VERSION,
      created: dateOfInstant(state.now) ?? '',
      createdBy: job.userId,
      workspace: caller.workspace,
      basePath: base,
      includesAcl: this.#parameters.includeAcl,
      namespaces: state.get(typeStamps, 'types')?.namespaces ?? {},
    });
  }

  async #writeBelow(root: string, base: string): Promise<void> {
    const { signal } = this.#context;
    signal.throwIfAborted();
    const above: Place[] = [];
    for await (const { line, node } of this.#nodesBelow(root)) {
      signal.throwIfAborted();
      const { depth, segment } = line;
      above.length = Math.min(above.length, depth);
      const parent = above[depth - 1];
      // What is below a node that has gone meanwhile is gone with it.
      if (node === null || (depth > 0 && parent === undefined)) continue;
      const place = placed(parent, {
        node,
        path: parent === undefined ? relativePath(root, base) : below(parent, segment),
      });
      above[depth] = { ...place, isFile: this.#writer.isFile(node) };
      await this.#writer.add(place);
      this.#context.progress({
        itemsArchived: this.#writer.files,
        currentPath: `${base === '/' ? '' : base}/${place.path}`,
      });
    }
  }

  async *#nodesBelow(path: string): AsyncGenerator<{ line: Line; node: ArchivedPage['nodes'][number] }> {
    const { partition } = this.#context;
    const { now } = partition.replica.read();
    const walk = { partition: partition.id, path, nodesMax: ARCHIVE_NODES_MAX - this.#nodes, now };
    const lines = await this.#services.largeWork.plan(partition.id, archiveWalk, walk, this.#context.caller);
    for (const some of pagesOf(lines)) {
      this.#nodes += some.length;
      for (let from = 0; from < some.length; ) {
        const ids = some.slice(from).map(({ id }) => id);
        const page = { partition: partition.id, ids, includeAcl: this.#parameters.includeAcl, now };
        const { nodes } = await this.#services.largeWork.plan(partition.id, archivePage, page, this.#context.caller);
        for (const [at, node] of nodes.entries()) {
          const line = some[from + at];
          if (line !== undefined) yield { line, node };
        }
        from += Math.max(1, nodes.length);
      }
    }
  }
}

/** A node that others may lie below. */
interface Place extends PlacedNode {
  readonly isFile: boolean;
}

function placed(parent: Place | undefined, { node, path }: Pick<PlacedNode, 'node' | 'path'>): PlacedNode {
  const isContent = parent?.isFile === true && node.name === 'jcr:content';
  return {
    node,
    path,
    file: isContent ? parent : null,
    isInFile: parent !== undefined && (parent.isFile || parent.isInFile),
  };
}

const below = ({ path }: Place, segment: string): string => (path === '' ? segment : `${path}/${segment}`);

interface Line {
  readonly depth: number;
  readonly id: string;
  readonly segment: string;
}

function* pagesOf(lines: string): Generator<Line[]> {
  for (let from = 0; from < lines.length; ) {
    const page: Line[] = [];
    while (from < lines.length && page.length < PAGE_MAX) {
      const end = lines.indexOf('\n', from);
      const to = end < 0 ? lines.length : end;
      const [depth = '0', id = '', segment = ''] = lines.slice(from, to).split('\t');
      page.push({ depth: Number(depth), id, segment });
      from = to + 1;
    }
    yield page;
  }
}
