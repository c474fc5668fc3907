import type { ElementModel } from '../model/route-model.js';
import { refused, requiredText } from './options.js';
import type { RouteCompiler } from './pattern.js';

/** Ids of messages that have been there. */
export interface IdempotentRepository {
  /** Whether it is new. */
  add(id: string): boolean;
  contains(id: string): boolean;
  remove(id: string): void;
  /** The message of this id is through. */
  confirm?(id: string): void;
}

/** How many ids are kept where `cacheSize` is not said. */
const KEPT = 1000;

/** Keeps ids in memory, the latest ones: `org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository`. */
export class MemoryIdempotentRepository implements IdempotentRepository {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(cacheSize = KEPT) {
    this.#most = cacheSize;
  }

  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > this.#most && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }

  contains(id: string): boolean {
    return this.#ids.has(id);
  }

  remove(id: string): void {
    this.#ids.delete(id);
  }

  clear(): void {
    this.#ids.clear();
  }
}

export const MEMORY_REPOSITORY = 'org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository';

/** A repository by the class name of Camel's. `undefined`: there is none of that name here. */
export const repositoryOfClass = (
  type: string,
  { cacheSize = KEPT }: Readonly<Record<string, unknown>> = {},
): IdempotentRepository | undefined =>
  type === MEMORY_REPOSITORY ? new MemoryIdempotentRepository(Number(cacheSize)) : undefined;

/** The repository that the option `idempotentRepository` names: a bean, or the class of one. All versions of a route share that of a class. @throws where there is no such one */
export function repositoryOption(
  route: RouteCompiler,
  step: ElementModel & { readonly id: string },
): IdempotentRepository {
  const name = requiredText(route, step, 'idempotentRepository');
  const type = /^#class:(.*)$/.exec(name)?.[1];
  if (type !== undefined) {
    const all = route.context.shared('idempotentConsumer', () => new Map<string, IdempotentRepository>());
    const id = `${route.model.id} ${step.id}`;
    const made = all.get(id) ?? repositoryOfClass(type);
    if (made === undefined)
      throw refused(step, `idempotentRepository: ${type} is not supported; there is ${MEMORY_REPOSITORY}`);
    all.set(id, made);
    return made;
  }
  const bean = route.context.bean(name);
  if (isRepository(bean)) return bean;
  throw refused(step, `idempotentRepository: there is no bean ${name} with add, contains and remove`);
}

const isRepository = (bean: unknown): bean is IdempotentRepository =>
  typeof bean === 'object' &&
  bean !== null &&
  ['add', 'contains', 'remove'].every((name) => typeof (bean as Record<string, unknown>)[name] === 'function');
