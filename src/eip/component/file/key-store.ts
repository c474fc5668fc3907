import { ExchangeFailure } from '../../../expression/routes.js';
import type { ComponentContext } from '../component.js';

/** Keys of what was taken already (Camel's IdempotentRepository). */
export interface KeyStore {
  /** Whether it was not there before. */
  add(key: string): boolean | Promise<boolean>;
  contains(key: string): boolean | Promise<boolean>;
  remove(key: string): boolean | Promise<boolean>;
}

/** How many keys are kept, the latest ones: Camel's default. */
const KEYS_MAX = 1000;

/** In memory, and gone with the server. */
class MemoryKeyStore implements KeyStore {
  readonly #keys = new Set<string>();

  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > KEYS_MAX && oldest !== undefined) this.#keys.delete(oldest);
    return true;
  }

  contains(key: string): boolean {
    return this.#keys.has(key);
  }

  remove(key: string): boolean {
    return this.#keys.delete(key);
  }
}

/** The one that an option names (`#name`), else one of its own. @throws ExchangeFailure where there is none of that name */
export function keyStoreOf(option: unknown, context: ComponentContext): KeyStore {
  if (option === undefined) return new MemoryKeyStore();
  const name = String(option);
  const bean = context.bean(name) as Partial<KeyStore> | undefined;
  if (typeof bean?.add === 'function' && typeof bean.contains === 'function' && typeof bean.remove === 'function')
    return bean as KeyStore;
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name} of type: org.apache.camel.spi.IdempotentRepository`,
  );
}
