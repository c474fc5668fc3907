import { mkdir, stat } from 'node:fs/promises';
import { answered, type Exchange, ExchangeFailure, type ExchangePattern, Headers } from '../../../expression/routes.js';
import type { Consumer, EndpointAddress, Intake } from '../component.js';
import { poller } from '../poller.js';
import { FileFate } from './file-fate.js';
import { FileList } from './file-list.js';
import { type FilePlace, pathText } from './file-place.js';
import type { GenericFile } from './generic-file.js';
import { type KeyStore, keyStoreOf } from './key-store.js';
import { type ReadLock, readLocksOf } from './read-lock.js';
import { sorting } from './sort-files.js';

/** Reads the files of a directory, one after the other, and looks again after a while. */
export class FileConsumer implements Consumer {
  readonly #address: EndpointAddress;
  readonly #place: FilePlace;
  readonly #intake: Intake;
  readonly #poller: Consumer;
  readonly #list: FileList;
  readonly #fate: FileFate;
  readonly #locks: readonly ReadLock[];
  readonly #keys: KeyStore;
  readonly #sort: (files: GenericFile[]) => GenericFile[];
  readonly #accepts: (exchange: Exchange, isDirectory: boolean) => Promise<boolean>;
  readonly #inProgress = new Set<string>();
  #isTaking = false;

  constructor(address: EndpointAddress, place: FilePlace, intake: Intake) {
    const { options } = address;
    this.#address = address;
    this.#place = place;
    this.#intake = intake;
    this.#list = new FileList(place, options);
    this.#fate = new FileFate(place, options);
    this.#keys = keyStoreOf(options.idempotentRepository, place.context);
    this.#locks = readLocksOf(options, () => this.#keys, place.context);
    this.#sort = sorting(options, place, (file) => this.#exchange(file));
    this.#accepts = accepting(options, place);
    this.#poller = poller(options, place.context, intake, (done) => {
      place.context.flow.underWay(this.#poll()).then(done, (failed: unknown) => done({ failed }));
    });
  }

  async start(): Promise<void> {
    const { options } = this.#address;
    const { directory } = this.#place;
    const mustExist = options.startingDirectoryMustExist === true || options.directoryMustExist === true;
    if (options.autoCreate !== false && !mustExist) await mkdir(await this.#place.real(directory), { recursive: true });
    else if (mustExist && !(await this.#place.exists(directory)))
      throw new ExchangeFailure(
        'java.io.FileNotFoundException',
        `Starting directory does not exist: ${this.#place.shown}`,
      );
    for (const lock of this.#locks) await lock.clean?.(directory);
    this.#isTaking = true;
    await this.#poller.start();
  }

  stop(): Promise<void> | void {
    this.#isTaking = false;
    return this.#poller.stop();
  }

  suspend(): Promise<void> | void {
    this.#isTaking = false;
    return this.#poller.suspend?.();
  }

  resume(): Promise<void> | void {
    this.#isTaking = true;
    return this.#poller.resume?.();
  }

  /** How many files were taken. */
  async #poll(): Promise<number> {
    const { options } = this.#address;
    const most = Number(options.maxMessagesPerPoll ?? 0) || Number.POSITIVE_INFINITY;
    const isEager = options.eagerMaxMessagesPerPoll !== false;
    const found = await this.#list.read(isEager ? most : Number.POSITIVE_INFINITY, (file, isDirectory) =>
      this.#isTaken(file, isDirectory),
    );
    const files = this.#sort(found);
    const batch = files.slice(0, most);
    for (const file of files.slice(most)) await this.#giveBack(file);
    let taken = 0;
    for (const [index, file] of batch.entries()) {
      if (!this.#isTaking) await this.#giveBack(file);
      else if (await this.#take(file, index, batch.length)) taken++;
    }
    return taken;
  }

  /** Whether a file is to be read now, and by nobody else. */
  async #isTaken(file: GenericFile, isDirectory: boolean): Promise<boolean> {
    if (!(await this.#accepts(this.#exchange(file), isDirectory))) return false;
    if (isDirectory) return true;
    if (this.#inProgress.has(file.path)) return false;
    if (this.#isIdempotent && !(await this.#isNew(file))) return false;
    this.#inProgress.add(file.path);
    return true;
  }

  get #isIdempotent(): boolean {
    const { idempotent, noop } = this.#address.options;
    return idempotent === true || (idempotent === undefined && noop === true);
  }

  async #isNew(file: GenericFile): Promise<boolean> {
    const key = await this.#key(file);
    return this.#address.options.idempotentEager === false ? !(await this.#keys.contains(key)) : this.#keys.add(key);
  }

  async #key(file: GenericFile): Promise<string> {
    const expression = this.#place.expression(this.#address.options.idempotentKey);
    return expression === undefined ? file.path : pathText(expression, this.#exchange(file));
  }

  async #giveBack(file: GenericFile): Promise<void> {
    this.#inProgress.delete(file.path);
    if (this.#isIdempotent && this.#address.options.idempotentEager !== false)
      await this.#keys.remove(await this.#key(file));
  }

  #exchange(file: GenericFile, properties: Iterable<readonly [string, unknown]> = []): Exchange {
    const pattern = (this.#address.options.exchangePattern ?? 'InOnly') as ExchangePattern;
    return this.#intake.exchange({
      body: file,
      headers: new Headers(file.headers()),
      properties: new Map([['CamelFileExchangeFile', file], ...properties]),
      pattern,
    });
  }

  /** Takes a file through the route. Resolves when the next one may be: with whether it was begun. */
  async #take(found: GenericFile, index: number, size: number): Promise<boolean> {
    const acquired: ReadLock[] = [];
    try {
      for (const lock of this.#locks) {
        if (!(await lock.acquire(found))) {
          await release(acquired, found, true);
          await this.#giveBack(found);
          return false;
        }
        acquired.push(lock);
      }
      const exchange = await this.#begun(found, [
        ['CamelBatchIndex', index],
        ['CamelBatchSize', size],
        ['CamelBatchComplete', index === size - 1],
      ]);
      await this.#run(exchange, found, acquired);
      return true;
    } catch (thrown) {
      await release(acquired, found, true);
      await this.#giveBack(found);
      this.#intake.failed(thrown);
      return false;
    }
  }

  /** The exchange of a file as it is now that it is ours. */
  async #begun(found: GenericFile, properties: readonly (readonly [string, unknown])[]): Promise<Exchange> {
    const stats = await stat(await this.#place.real(found.path));
    const current = found.withStats(stats.size, Math.floor(stats.mtimeMs));
    const moved = await this.#fate.begin(current, this.#exchange(current, properties));
    return this.#exchange(moved, [...properties, ['CamelFileConsumedPath', found.path]]);
  }

  #run(exchange: Exchange, found: GenericFile, locks: readonly ReadLock[]): Promise<void> {
    const file = exchange.body as GenericFile;
    const { flow } = this.#place.context;
    const run = new Promise<void>((resolve) => {
      const ended = () => {
        flow
          .underWay(this.#finish(exchange, file, found, locks))
          .catch((thrown: unknown) => this.#intake.failed(thrown))
          .finally(() => {
            this.#inProgress.delete(found.path);
            resolve();
          });
      };
      this.#intake.process(exchange, ended, resolve);
    });
    return flow.paused(run);
  }

  async #finish(exchange: Exchange, file: GenericFile, found: GenericFile, locks: readonly ReadLock[]): Promise<void> {
    const isFailed = exchange.exception !== undefined;
    try {
      if (this.#isIdempotent) {
        const key = await this.#key(found);
        if (isFailed) await this.#keys.remove(key);
        else await this.#keys.add(key);
      }
      // The message may have become another one: names are of the file.
      const its = this.#exchange(file, exchange.properties);
      if (isFailed) await this.#fate.rollback(file, its);
      else await this.#fate.commit(file, its);
    } finally {
      await release(locks, found, isFailed);
    }
  }
}

async function release(locks: readonly ReadLock[], file: GenericFile, isFailed: boolean): Promise<void> {
  for (const lock of [...locks].reverse()) await lock.release(file, isFailed);
}

/** What the options say of a file by predicates, and a bean. */
function accepting(options: EndpointAddress['options'], place: FilePlace) {
  const [ofFile, ofDirectory] = [predicate(options.filterFile, place), predicate(options.filterDirectory, place)];
  const fileName = place.expression(options.fileName);
  const bean = beanFilter(options.filter, place);
  return async (exchange: Exchange, isDirectory: boolean): Promise<boolean> => {
    if (!(await (isDirectory ? ofDirectory : ofFile)(exchange))) return false;
    const file = exchange.body as GenericFile;
    if (bean !== undefined && (await bean(file, isDirectory)) !== true) return false;
    if (isDirectory || fileName === undefined) return true;
    const name = await pathText(fileName, exchange);
    return name === file.name || name === file.onlyName;
  };
}

/** A predicate that an option is; without one it always holds. */
function predicate(text: unknown, { context }: FilePlace): (exchange: Exchange) => Promise<boolean> {
  if (text === undefined) return async () => true;
  const model = { language: 'simple', text: String(text), options: {}, at: { line: 1, column: 1 } };
  const its = context.language('simple').predicate(model);
  return async (exchange) => {
    const holds = its(exchange);
    return (await answered(holds)) === true;
  };
}

type Accept = (file: GenericFile, isDirectory: boolean) => unknown;

function beanFilter(option: unknown, { context }: FilePlace) {
  if (option === undefined) return undefined;
  const name = String(option);
  const bean = context.bean(name) as { accept?: Accept } | undefined;
  if (typeof bean?.accept === 'function')
    return (file: GenericFile, isDirectory: boolean) => bean.accept?.(file, isDirectory);
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name} of type: org.apache.camel.component.file.GenericFileFilter`,
  );
}
