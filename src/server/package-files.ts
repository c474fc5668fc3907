import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Content } from '../content/index.js';
import { systemCaller } from '../shared/caller.js';
import { ServiceError } from '../shared/errors.js';
import type { BlobStore, PartitionPort } from '../store/index.js';
import { packagePath } from './usage.js';

/** Where the samples lie in the tree: they are deployed from there. */
const SAMPLES_PATH = '/etc/bpm/processes';

const MIME_TYPES: Readonly<Record<string, string>> = { '.bpmn': 'application/bpmn+xml', '.html': 'text/html' };

/** Puts files of the package into the tree of a new workspace, as far as an earlier start that was cut off has not. */
export class PackageFiles {
  readonly #content: Content;
  readonly #blobs: BlobStore;

  constructor(content: Content, blobs: BlobStore) {
    this.#content = content;
    this.#blobs = blobs;
  }

  /** The processes of `processes/`. */
  addSamples(partition: PartitionPort): Promise<void> {
    return this.#addFolder(partition, 'processes', SAMPLES_PATH);
  }

  /** What every new workspace begins with: the files of `template/`, from the root on. */
  addTemplate(partition: PartitionPort): Promise<void> {
    return this.#addFolder(partition, 'template', '/');
  }

  async #addFolder(partition: PartitionPort, folder: string, path: string): Promise<void> {
    const source = packagePath(folder);
    if (source === undefined) return;
    const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name, parentPath } of files) {
      const mimeType = MIME_TYPES[posix.extname(name)];
      if (mimeType === undefined) continue;
      const { sha256: blob, size } = await this.#blobs.write(readFileSync(join(parentPath, name)));
      const within = parentPath.slice(source.length).replaceAll('\\', '/');
      const input = { path: posix.join(path, within), name, mimeType, content: { blob, size } };
      const caller = systemCaller(partition.workspace);
      await partition.send(this.#content.nodes.createFile.operation, input, { caller }).catch(passOverExisting);
    }
  }
}

function passOverExisting(thrown: unknown): void {
  if (!(thrown instanceof ServiceError) || thrown.code !== 'ALREADY_EXISTS') throw thrown;
}
