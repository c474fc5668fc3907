import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Content } from '../content/index.js';
import { systemCaller } from '../shared/caller.js';
import { ServiceError } from '../shared/errors.js';
import type { BlobStore, PartitionPort } from '../store/index.js';
import { packagePath } from './usage.js';
import type { FirstUser } from './wire/domain.js';

/** Where the samples lie in the tree, by their folders in the package: they are deployed from there. */
const SAMPLES: Readonly<Record<string, string>> = { processes: '/etc/bpm/processes', routes: '/etc/eip/routes' };

/** The account as which the routes of the samples act. Nobody signs in for it. */
export const SAMPLES_USER = 'samples';
export const SAMPLES_ACCOUNT: FirstUser = { userId: SAMPLES_USER, displayName: 'Samples', roles: ['deployer'] };

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.bpmn': 'application/bpmn+xml',
  '.dmn': 'application/dmn+xml',
  '.html': 'text/html',
  '.yaml': 'application/yaml',
};

/** Puts files of the package into the tree of a new workspace, as far as an earlier start that was cut off has not. */
export class PackageFiles {
  readonly #content: Content;
  readonly #blobs: BlobStore;

  constructor(content: Content, blobs: BlobStore) {
    this.#content = content;
    this.#blobs = blobs;
  }

  /** The processes and the routes of the package. */
  async addSamples(partition: PartitionPort): Promise<void> {
    for (const [folder, path] of Object.entries(SAMPLES)) await this.#addFolder(partition, folder, path);
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
