import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { ExchangeFailure } from '../../../expression/routes.js';

/** The directories in which routes may read and write, whatever way a path takes there. */
export class FileRoots {
  readonly #roots: readonly string[];
  #real: Promise<readonly string[]> | undefined;

  constructor(roots: readonly string[]) {
    this.#roots = roots.map((root) => resolve(root));
  }

  /** The absolute path of a directory: one that is relative lies in the first root. @throws ExchangeFailure `java.lang.SecurityException` */
  directory(text: string): string {
    const [first] = this.#roots;
    if (first === undefined) throw refused(text, 'no directory is set in which routes may read and write');
    return this.within(isAbsolute(text) ? resolve(text) : join(first, text));
  }

  /** The path, where it lies in one of the roots by its text. @throws as above */
  within(path: string): string {
    if (this.#roots.some((root) => isBelow(path, root))) return path;
    throw refused(path, 'it is outside of the directories in which routes may read and write');
  }

  /** The path, where it lies in one of the roots also behind links, be it there or not. @throws as above */
  async real(path: string): Promise<string> {
    this.#real ??= Promise.all(this.#roots.map((root) => realpath(root).catch(() => root)));
    const [roots, real] = [await this.#real, await nearestReal(this.within(path))];
    if (roots.some((root) => isBelow(real, root) || isBelow(root, real))) return path;
    throw refused(path, 'a link leads out of the directories in which routes may read and write');
  }
}

/** Where a path really is; of one that is not there, the nearest directory above that is. */
async function nearestReal(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await realpath(at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(at) === at) throw thrown;
      const link = await lstat(at).catch(() => undefined);
      if (link?.isSymbolicLink() === true) throw refused(at, 'a link leads to nothing');
    }
  }
}

const isBelow = (path: string, root: string) =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

const refused = (path: string, why: string) =>
  new ExchangeFailure('java.lang.SecurityException', `The file ${path} is refused: ${why}`);
