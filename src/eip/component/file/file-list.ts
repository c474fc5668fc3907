import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointAddress } from '../component.js';
import { doneFileOf } from './done-file.js';
import { depthsOf, nameFilter } from './file-filter.js';
import type { FilePlace } from './file-place.js';
import { GenericFile } from './generic-file.js';

type Options = EndpointAddress['options'];

/** Whether a file is to be read, or a directory to be gone into. */
export type Accepts = (file: GenericFile, isDirectory: boolean) => Promise<boolean>;

/** How many files one look takes: more come with the next one. */
const FILES_MAX = 100_000;

/** Lists the files of an endpoint that are to be read, by their names; `accepts` says the rest. It stops at `limit`. */
export class FileList {
  readonly #place: FilePlace;
  readonly #options: Options;
  readonly #isNamed: ReturnType<typeof nameFilter>;
  readonly #depths: ReturnType<typeof depthsOf>;

  constructor(place: FilePlace, options: Options) {
    this.#place = place;
    this.#options = options;
    this.#isNamed = nameFilter(options);
    this.#depths = depthsOf(options);
  }

  async read(limit: number, accepts: Accepts): Promise<GenericFile[]> {
    const found: GenericFile[] = [];
    await this.#readDirectory('', 1, { found, limit: Math.min(limit, FILES_MAX), accepts });
    return found;
  }

  async #readDirectory(relative: string, depth: number, search: Search): Promise<void> {
    const directory = await this.#place.real(join(this.#place.directory, relative));
    const names = (await readdir(directory)).sort();
    const look = { directory, relative, depth, names: new Set(names), search };
    for (const name of names) {
      if (search.found.length >= search.limit) return;
      await this.#readEntry(name, look);
    }
  }

  async #readEntry(name: string, look: Look): Promise<void> {
    const below = look.relative === '' ? name : `${look.relative}/${name}`;
    const path = join(look.directory, name);
    // A link is what it leads to; one that leads out, or to nothing, is not there.
    const stats = await this.#place
      .real(path)
      .then((real) => stat(real))
      .catch(() => undefined);
    if (stats === undefined || !this.#isNamed({ name, relative: below, isDirectory: stats.isDirectory() })) return;
    const file = this.#file(below, path, stats.size, stats.mtimeMs);
    if (stats.isDirectory()) await this.#goInto(file, look);
    else if (stats.isFile() && this.#isReady(below, look) && (await look.search.accepts(file, false)))
      look.search.found.push(file);
  }

  async #goInto(directory: GenericFile, { depth, search }: Look): Promise<void> {
    if (this.#options.recursive !== true || depth >= this.#depths.max) return;
    if (await search.accepts(directory, true)) await this.#readDirectory(directory.name, depth + 1, search);
  }

  /** Deep enough, and with its done file where there must be one. */
  #isReady(relative: string, { depth, names }: Look): boolean {
    if (depth < this.#depths.min || depth > this.#depths.max) return false;
    return this.#isDone(relative, names);
  }

  #file(name: string, path: string, length: number, modified: number): GenericFile {
    const charset = this.#options.charset === undefined ? undefined : String(this.#options.charset);
    return new GenericFile({
      path,
      directory: this.#place.shown,
      name,
      length,
      modified: Math.floor(modified),
      charset,
    });
  }

  #isDone(relative: string, names: ReadonlySet<string>): boolean {
    const pattern = this.#options.doneFileName;
    if (pattern === undefined) return true;
    return names.has(doneFileOf(relative.slice(relative.lastIndexOf('/') + 1), String(pattern)));
  }
}

interface Search {
  readonly found: GenericFile[];
  readonly limit: number;
  readonly accepts: Accepts;
}

/** A directory that is looked at. */
interface Look {
  readonly directory: string;
  readonly relative: string;
  readonly depth: number;
  readonly names: ReadonlySet<string>;
  readonly search: Search;
}
