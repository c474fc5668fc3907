import { Asked, partsOf, StreamCache } from '../../expression/routes.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import { textOf } from './value.js';

/** URIs that an expression gave: a list, or a text with delimiters. Blank ones are left out. */
export function urisOf(value: unknown, delimiter: string): string[] {
  if (value === null || value === undefined) return [];
  const items = isIterable(value) ? [...value] : partsOf(textOf(value) ?? '', delimiter);
  return items.map((it) => (textOf(it) ?? '').trim()).filter((it) => it !== '');
}

/** Whether a value can be gone through: lists, sets, maps and what iterates; text and bytes are one thing. */
const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !(value instanceof Uint8Array);

/** Items one after the other, where some may have to be waited for. */
export interface Items {
  /** How many there are, where that is known beforehand. */
  readonly size: number | undefined;
  /** The next one; {@link END} behind the last; an `Asked` that gives either. */
  next(): unknown;
  /** No more are wanted: a file that is read is closed. */
  close(): void;
}

export const END: unique symbol = Symbol('end');

/** The items that `split` goes through: those of a list, a map's entries, parts of a text, DOM nodes, lines of a stream; anything else is the one item. `delimiter`: `false` parts no texts, `single` parts nothing. */
export function itemsOf(value: unknown, delimiter: string): Items {
  if (value === null || value === undefined) return new ListItems([]);
  if (delimiter === 'single') return new ListItems([value]);
  if (Array.isArray(value)) return new ListItems(value.includes(null) ? value.filter((it) => it !== null) : value);
  if (typeof value === 'string') return new ListItems(delimiter === 'false' ? [value] : partsOf(value, delimiter));
  if (typeof value !== 'object' || value instanceof Uint8Array) return new ListItems([value]);
  return iterated(value) ?? new ListItems([value]);
}

function iterated(value: object): Items | undefined {
  if (value instanceof Map) return new ListItems([...value].map(([key, it]) => ({ [String(key)]: it })));
  // A stream as such is one thing; what a language makes of it, piece by piece, are many.
  if (value instanceof StreamCache || 'pipe' in value) return undefined;
  if (Symbol.asyncIterator in value) return new AskedItems((value as AsyncIterable<unknown>)[Symbol.asyncIterator]());
  if (Symbol.iterator in value) return new IteratedItems((value as Iterable<unknown>)[Symbol.iterator]());
  if ('next' in value && typeof value.next === 'function') return new IteratedItems(value as Iterator<unknown>);
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return new ListItems(Object.entries(value).map(([key, it]) => ({ [key]: it })));
}

class ListItems implements Items {
  readonly #list: readonly unknown[];
  #at = 0;

  constructor(list: readonly unknown[]) {
    this.#list = list;
  }

  get size(): number {
    return this.#list.length;
  }

  next(): unknown {
    return this.#at < this.#list.length ? this.#list[this.#at++] : END;
  }

  close(): void {}
}

class IteratedItems implements Items {
  readonly size = undefined;
  readonly #iterator: Iterator<unknown>;

  constructor(iterator: Iterator<unknown>) {
    this.#iterator = iterator;
  }

  next(): unknown {
    const { done, value } = this.#iterator.next();
    return done === true ? END : value;
  }

  close(): void {
    this.#iterator.return?.();
  }
}

class AskedItems implements Items {
  readonly size = undefined;
  readonly #iterator: AsyncIterator<unknown>;

  constructor(iterator: AsyncIterator<unknown>) {
    this.#iterator = iterator;
  }

  next(): unknown {
    return new Asked(this.#iterator.next().then(({ done, value }) => (done === true ? END : value)));
  }

  close(): void {
    this.#iterator.return?.().catch(() => {});
  }
}

/** `then` with all items, each of which is known before the first is worked on. */
export function collected(items: Items, then: (all: Items) => Outcome, list: unknown[] = []): Outcome {
  for (;;) {
    const item = items.next();
    if (item instanceof Asked)
      return evaluated(item, (it) => {
        if (it === END) return then(new ListItems(list));
        list.push(it);
        return collected(items, then, list);
      });
    if (item === END) return then(new ListItems(list));
    list.push(item);
  }
}

/** Lists of so many items; the last one may have fewer. */
export class Groups implements Items {
  readonly #items: Items;
  readonly #most: number;

  constructor(items: Items, most: number) {
    this.#items = items;
    this.#most = most;
  }

  get size(): number | undefined {
    return this.#items.size === undefined ? undefined : Math.ceil(this.#items.size / this.#most);
  }

  next(): unknown {
    return this.#filled([]);
  }

  close(): void {
    this.#items.close();
  }

  #filled(group: unknown[]): unknown {
    while (group.length < this.#most) {
      const item = this.#items.next();
      if (item instanceof Asked) return item.map((it) => this.#added(group, it));
      if (item === END) return group.length === 0 ? END : group;
      group.push(item);
    }
    return group;
  }

  #added(group: unknown[], item: unknown): unknown {
    if (item === END) return group.length === 0 ? END : group;
    group.push(item);
    return this.#filled(group);
  }
}
