import { type Entry, fromBufferPromise } from 'yauzl';
import type { ContentNode } from '../../../../src/content/index.js';
import { ContentView } from '../../../../src/content/tree/content-view.js';
import { type Caller, systemCaller } from '../../../../src/shared/caller.js';
import { hasEnded, type LongJob, longJobs } from '../../../../src/store/index.js';
import type { ContentStore } from '../../../support/content-store.js';
import { zipped } from '../../../support/zipped.js';

export const ADMIN: Caller = { ...systemCaller('test'), userId: 'admin' };

/** The entries of a ZIP by name; null: a folder. */
type Entries = Readonly<Record<string, string | Buffer | null>>;

/** Makes archives of a store's content, and imports some, by jobs. */
export class Archives {
  readonly #store: ContentStore;
  #uploads = 0;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  /** Runs a job to its end. */
  async job(
    type: string,
    parameters: object,
    { items = [] as readonly string[], caller = ADMIN } = {},
  ): Promise<LongJob> {
    const { partition, longJobs: operations } = this.#store;
    const { answer } = await partition.send(operations.initLongJob, { type }, { caller });
    const { jobId } = answer;
    if (items.length > 0) await partition.send(operations.appendLongJobItems, { type, jobId, items }, { caller });
    await partition.send(operations.startLongJob, { type, jobId, parameters }, { caller });
    const job = () => partition.replica.read().get(longJobs, jobId);
    await this.#store.until(() => hasEnded(job()?.actor.value ?? 'init'));
    return job() as LongJob;
  }

  /** Imports a ZIP, or one of the entries, below /content/in unless told otherwise. */
  async imported(zip: Buffer | Entries, parameters: object = {}, caller: Caller = ADMIN): Promise<LongJob> {
    const bytes = Buffer.isBuffer(zip) ? zip : await zipped(zip);
    const { sha256, size } = await this.#store.blobs.write(bytes);
    const name = `upload-${this.#uploads++}.zip`;
    const file = { path: '/content/uploads', name, content: { blob: sha256, size } };
    await this.#store.run(this.#store.content.nodes.createFile, file);
    const archivePath = `/content/uploads/${name}`;
    return this.job('import-archive', { archivePath, destinationPath: '/content/in', ...parameters }, { caller });
  }

  /** The ZIP of the paths. */
  async archived(items: readonly string[], parameters: object = {}, caller: Caller = ADMIN): Promise<Buffer> {
    const job = await this.job('archive', { filename: 'all', ...parameters }, { items, caller });
    if (job.actor.value !== 'completed') throw new Error(job.figures.errorMessage ?? 'expected an archive');
    return this.fileOf(job, 'archive');
  }

  /** The entries of such a ZIP, as its directory says. */
  async entriesOf(items: readonly string[], parameters: object = {}): Promise<Entry[]> {
    const zip = await fromBufferPromise(await this.archived(items, parameters));
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return entries;
  }

  /** The bytes of a file of a job. */
  async fileOf({ files = [] }: LongJob, kind: string): Promise<Buffer> {
    const data = files.find((file) => file.kind === kind)?.data;
    if (data === undefined) throw new Error(`expected the job to keep its ${kind}`);
    if ('inline' in data) return Buffer.from(data.inline, 'base64');
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#store.blobs.open({ sha256: data.blob, size: data.size })) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The lines of an import's report, without its heading. */
  async reportOf(job: LongJob): Promise<string[]> {
    return String(await this.fileOf(job, 'report'))
      .split('\r\n')
      .slice(1, -1);
  }

  at(path: string, caller: Caller = ADMIN): ContentNode | undefined {
    return new ContentView(this.#store.partition.replica.read(), caller).at(path);
  }
}

/** The values of a text file of one JSON value per line. */
export const linesOf = (bytes: Buffer | undefined): Record<string, unknown>[] =>
  String(bytes)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** An archive with a sidecar that says these nodes, as lines of JSON. */
export const described = (nodes: readonly object[], more: Entries = {}): Entries => ({
  '.cms-archive/manifest.json': '{"format":"cms-archive","version":1}',
  '.cms-archive/nodes.ndjson': nodes.map((node) => JSON.stringify(node)).join('\n'),
  ...more,
});
