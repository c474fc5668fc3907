import { mkdir, rename as renameFile, stat, unlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { answered, type Exchange, type RouteExpression } from '../../../expression/routes.js';
import type { ComponentContext, EndpointAddress } from '../component.js';
import { FileRoots } from './file-roots.js';
import { GenericFile } from './generic-file.js';

const AT = { line: 1, column: 1 };

/** The directory of an endpoint, and what is done with files in it: each path is looked at before it is touched. */
export class FilePlace {
  /** As the URI writes it. */
  readonly shown: string;
  /** Where it is. */
  readonly directory: string;
  readonly context: ComponentContext;
  readonly #roots: FileRoots;

  constructor({ path }: EndpointAddress, context: ComponentContext) {
    this.context = context;
    this.#roots = context.shared('file', () => new FileRoots(context.host.fileRoots));
    this.shown = path.replace(/(.)\/+$/, '$1');
    this.directory = this.#roots.directory(this.shown);
  }

  /** Where a name is that an expression or message gives: below the directory, unless it is absolute or written from where the URI is. */
  locate(name: string): string {
    if (isAbsolute(name)) return this.#roots.within(normalize(name));
    const shown = `${this.shown}/`;
    const below = !isAbsolute(this.shown) && name.startsWith(shown) ? name.slice(shown.length) : name;
    return this.#roots.within(join(this.directory, below));
  }

  /** A path that may be touched. @throws ExchangeFailure where it leads out of the roots */
  real(path: string): Promise<string> {
    return this.#roots.real(path);
  }

  /** Compiles a name with functions of `${file:…}`. `undefined`: nobody wrote one. */
  expression(text: unknown): RouteExpression | undefined {
    if (text === undefined || text === '') return undefined;
    return this.context.language('simple').expression({ language: 'simple', text: String(text), options: {}, at: AT });
  }

  /** The name that files get by `move`, `preMove` and `moveFailed`: a directory beside them, or an expression. */
  moved(text: unknown): RouteExpression | undefined {
    if (text === undefined || text === '') return undefined;
    const name = String(text);
    if (/\$(simple)?\{/.test(name)) return this.expression(name);
    const directory = name.replace(/(.)\/+$/, '$1');
    return ({ body, properties }: Exchange) => {
      const file = properties.get('CamelFileExchangeFile') ?? body;
      if (!(file instanceof GenericFile)) return directory;
      return isAbsolute(directory)
        ? join(directory, file.onlyName)
        : join(dirname(file.path), directory, file.onlyName);
    };
  }

  async exists(path: string): Promise<boolean> {
    return (await stat(await this.real(path)).catch(() => undefined)) !== undefined;
  }

  /** What is there already is replaced. Directories are made. */
  async rename(from: string, to: string): Promise<void> {
    await this.real(from);
    await mkdir(dirname(await this.real(to)), { recursive: true });
    try {
      await renameFile(from, to);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown;
      const { copyFile } = await import('node:fs/promises');
      await copyFile(from, to);
      await unlink(from);
    }
  }

  async remove(path: string): Promise<void> {
    await unlink(await this.real(path));
  }
}

/** The text of an expression that names a file. */
export async function pathText(expression: RouteExpression, exchange: Exchange): Promise<string> {
  return String((await answered(expression(exchange))) ?? '');
}
