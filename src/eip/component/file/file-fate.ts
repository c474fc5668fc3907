import type { Exchange, RouteExpression } from '../../../expression/routes.js';
import type { EndpointAddress } from '../component.js';
import { doneFileOf, isDynamic } from './done-file.js';
import { type FilePlace, pathText } from './file-place.js';
import type { GenericFile } from './generic-file.js';

type Options = EndpointAddress['options'];

/** The fate of a file before and after it is read (`preMove`, `move`, `moveFailed`, `noop`, `delete`): it stays, is deleted, or is moved. Without a word, to `.camel` beside it. */
export class FileFate {
  readonly #place: FilePlace;
  readonly #options: Options;
  readonly #before: RouteExpression | undefined;
  readonly #after: RouteExpression | undefined;
  readonly #failed: RouteExpression | undefined;

  constructor(place: FilePlace, options: Options) {
    this.#place = place;
    this.#options = options;
    this.#before = place.moved(options.preMove);
    const stays = options.noop === true || options.delete === true;
    this.#after = place.moved(options.move ?? (stays ? undefined : '.camel'));
    this.#failed = place.moved(options.moveFailed);
  }

  /** The file as it is read. */
  async begin(file: GenericFile, exchange: Exchange): Promise<GenericFile> {
    return this.#before === undefined ? file : this.#move(file, this.#before, exchange);
  }

  async commit(file: GenericFile, exchange: Exchange): Promise<void> {
    await this.#removeDone(exchange);
    if (this.#options.delete === true) await this.#place.remove(file.path);
    else if (this.#after !== undefined) await this.#move(file, this.#after, exchange);
  }

  async rollback(file: GenericFile, exchange: Exchange): Promise<void> {
    if (this.#failed === undefined) return;
    await this.#removeDone(exchange);
    await this.#move(file, this.#failed, exchange);
  }

  async #move(file: GenericFile, to: RouteExpression, exchange: Exchange): Promise<GenericFile> {
    const name = await pathText(to, exchange);
    const path = this.#place.locate(name);
    if (path !== file.path) await this.#place.rename(file.path, path);
    const { directory } = this.#place;
    return file.movedTo(path, path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path);
  }

  /** One for each file goes with it; one for all with the last of them. */
  async #removeDone(exchange: Exchange): Promise<void> {
    const pattern = this.#options.doneFileName;
    if (pattern === undefined || this.#options.noop === true) return;
    if (!isDynamic(String(pattern)) && exchange.properties.get('CamelBatchComplete') !== true) return;
    const name = String(exchange.properties.get('CamelFileConsumedPath'));
    await this.#place.remove(doneFileOf(name, String(pattern))).catch(() => undefined);
  }
}
