import { createHash, type Hash } from 'node:crypto';
import { chmod, type FileHandle, mkdir, open, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { type Exchange, ExchangeFailure, type RouteExpression } from '../../../expression/routes.js';
import { type Step, untilReply } from '../../flow/outcome.js';
import { bodyPieces } from '../body.js';
import type { EndpointAddress } from '../component.js';
import { doneFileOf } from './done-file.js';
import { type FilePlace, pathText } from './file-place.js';
import { GenericFile } from './generic-file.js';

type Options = EndpointAddress['options'];

/** Writes the body into a file, piece by piece. */
export function fileProducer({ uri, options }: EndpointAddress, place: FilePlace): Step {
  checkOptions(options);
  const writer = new FileWriter(place, options);
  return (exchange) => untilReply(uri, writer.write(exchange), () => undefined);
}

function checkOptions({ fileExist, moveExisting, tempFileName, tempPrefix }: Options): void {
  const wrong = (why: string) => new ExchangeFailure('java.lang.IllegalArgumentException', why);
  if (fileExist === 'TryRename' && tempFileName === undefined && tempPrefix === undefined)
    throw wrong(
      'You cannot set both fileExist=TryRename and fileName options: expected also tempPrefix or tempFileName',
    );
  if (fileExist === 'Append' && (tempFileName !== undefined || tempPrefix !== undefined))
    throw wrong('You cannot set both fileExist=Append and tempPrefix/tempFileName options');
  if (fileExist === 'Move' && moveExisting === undefined)
    throw wrong('You must configure moveExisting option when fileExist=Move');
}

class FileWriter {
  readonly #place: FilePlace;
  readonly #options: Options;
  readonly #fileName: RouteExpression | undefined;
  readonly #tempName: RouteExpression | undefined;
  readonly #moveExisting: RouteExpression | undefined;

  constructor(place: FilePlace, options: Options) {
    this.#place = place;
    this.#options = options;
    this.#fileName = place.expression(options.fileName);
    const { tempPrefix, tempFileName } = options;
    this.#tempName = place.expression(tempFileName ?? (tempPrefix && `${tempPrefix}\${file:name}`));
    this.#moveExisting = place.moved(options.moveExisting);
  }

  async write(exchange: Exchange): Promise<void> {
    const { shown } = this.#place;
    const name = await this.#nameOf(exchange);
    const path = await this.#place.real(this.#jailed(name));
    const target = join(shown, name);
    if (exchange.body === null && this.#options.allowNullBody !== true)
      throw failed(`Cannot write null body to file: ${target}`);
    const temp = this.#tempName === undefined ? undefined : await this.#tempPath(this.#tempName, name, exchange);
    const isHere = await this.#place.exists(path);
    const isTried = this.#options.fileExist === 'TryRename';
    if (isHere && !(await this.#replaces(path, target, exchange))) return;
    await this.#makeDirectory(dirname(path));
    await this.#writePieces(exchange, temp ?? path, temp === undefined);
    if (temp !== undefined) {
      if (isTried && (await this.#place.exists(path))) throw failed(`Cannot rename file from: ${temp} to: ${target}`);
      await this.#place.rename(temp, path);
    }
    await this.#finish(exchange, path, target);
  }

  /** By the header, or the option; else made of the exchange's id. */
  async #nameOf(exchange: Exchange): Promise<string> {
    const { headers } = exchange;
    const overruled = headers.get('CamelOverruleFileName');
    if (overruled !== undefined) headers.set('CamelFileName', overruled);
    const given = overruled ?? (this.#fileName === undefined ? headers.get('CamelFileName') : undefined);
    const asked = this.#fileName === undefined ? '' : await pathText(this.#fileName, exchange);
    const text = String(given ?? asked);
    const name = text === '' ? exchange.id.replace(/[^\w.-]/g, '-') : text;
    return this.#options.flatten === true
      ? name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
      : name;
  }

  #jailed(name: string): string {
    const { directory, shown } = this.#place;
    const path = isAbsolute(name) ? join(directory, name) : normalize(join(directory, name));
    if (this.#options.jailStartingDirectory === false || path.startsWith(`${directory}/`)) return path;
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `Cannot write file with name: ${join(shown, name)} as the filename is jailed to the starting directory: ${shown}/`,
    );
  }

  /** The temporary name is beside the target, unless it says another place. */
  async #tempPath(expression: RouteExpression, name: string, exchange: Exchange): Promise<string> {
    const copy = exchange.copy();
    copy.headers.set('CamelFileName', basename(name));
    const path = join(dirname(this.#jailed(name)), await pathText(expression, copy));
    return this.#place.real(path);
  }

  /** Whether the file is written though there is one. @throws where that is a failure */
  async #replaces(path: string, target: string, exchange: Exchange): Promise<boolean> {
    switch (this.#options.fileExist) {
      case 'Ignore':
        return false;
      case 'Fail':
        throw failed(`File already exist: ${target}. Cannot write new file.`);
      case 'Move':
        await this.#moveAway(path, exchange);
        return true;
      default:
        return true;
    }
  }

  async #moveAway(path: string, exchange: Exchange): Promise<void> {
    if (this.#moveExisting === undefined) return;
    const { shown: directory, directory: base } = this.#place;
    const { size: length, mtimeMs: modified } = await stat(path);
    const name = path.slice(base.length + 1);
    const file = new GenericFile({ path, directory, name, length, modified, charset: undefined });
    const its = exchange.copy();
    its.properties.set('CamelFileExchangeFile', file);
    for (const [header, value] of file.headers()) its.headers.set(header, value);
    const to = this.#place.locate(await pathText(this.#moveExisting, its));
    if (this.#options.eagerDeleteTargetFile === false && (await this.#place.exists(to)))
      throw failed(`Cannot move existing file from: ${path} to: ${to} as there already exists a file: ${to}`);
    await this.#place.rename(path, to);
  }

  async #makeDirectory(directory: string): Promise<void> {
    if (this.#options.autoCreate === false) return;
    await mkdir(directory, { recursive: true });
    const mode = this.#options.chmodDirectory;
    if (mode !== undefined) await chmod(directory, Number.parseInt(String(mode), 8));
  }

  async #writePieces(exchange: Exchange, path: string, mayAppend: boolean): Promise<void> {
    const { fileExist, appendChars, charset, forceWrites, checksumFileAlgorithm } = this.#options;
    const hash = checksumFileAlgorithm === undefined ? undefined : hashOf(String(checksumFileAlgorithm));
    const appends = mayAppend && fileExist === 'Append';
    const handle = await open(path, appends ? 'a' : 'w');
    try {
      for await (const piece of bodyPieces(exchange.body, charset)) await put(handle, piece, hash);
      if (appendChars !== undefined) await put(handle, Buffer.from(unescaped(String(appendChars))), hash);
      if (forceWrites === true) await handle.sync();
    } finally {
      await handle.close();
    }
    if (hash !== undefined) exchange.headers.set('CamelFileChecksum', hash.digest('hex'));
  }

  async #finish(exchange: Exchange, path: string, target: string): Promise<void> {
    const { keepLastModified, chmod: mode, checksumFileAlgorithm, checksumWriteFile, doneFileName } = this.#options;
    const modified = exchange.headers.get('CamelFileLastModified');
    if (keepLastModified === true && modified !== undefined) {
      const time = modified instanceof Date ? modified : new Date(Number(modified));
      await utimes(path, time, time);
    }
    if (mode !== undefined) await chmod(path, Number.parseInt(String(mode), 8));
    if (checksumFileAlgorithm !== undefined && checksumWriteFile !== false)
      await writeFile(`${path}.${checksumFileAlgorithm}`, String(exchange.headers.get('CamelFileChecksum')));
    if (doneFileName !== undefined) await writeFile(await this.#place.real(doneFileOf(path, String(doneFileName))), '');
    exchange.headers.set('CamelFileNameProduced', target);
  }
}

async function put(handle: FileHandle, piece: Buffer, hash: Hash | undefined): Promise<void> {
  hash?.update(piece);
  for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
}

const unescaped = (text: string) => text.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\t', '\t');

/** `SHA_256`, `SHA-256`, `SHA3_512`, … */
function hashOf(algorithm: string): Hash {
  const name = algorithm
    .toLowerCase()
    .replace(/^sha3[-_]/, 'sha3-')
    .replace(/^sha[-_]/, 'sha')
    .replace('_', '-');
  try {
    return createHash(name);
  } catch {
    throw failed(`Cannot store file: there is no algorithm ${algorithm}`);
  }
}

const failed = (why: string) =>
  new ExchangeFailure('org.apache.camel.component.file.GenericFileOperationFailedException', why);
