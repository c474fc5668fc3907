import { SHAPES, WORDS } from './shapes.js';

/*
 * Plain JSON in a shorter form, itself JSON: an object of one of the SHAPES is a list of its values behind the shape's number, and a list begins
 * with 0. One of the WORDS is `~` and its letter, a text or large number that has occurred `~` and its place among those; what follows a `:` behind
 * that is the rest of a text that begins with it. Whatever else there is stays what it is.
 */

/** From this length on a text is known again, from this size on a number. */
const TEXT_MIN = 8;
const NUMBER_MIN = 1_000_000_000;
/** Of an id, which other texts begin with. */
const ID_LENGTH = 36;

/** Where the names of an object lead to: its shape, once all are passed. */
interface Step {
  readonly next: Map<string, Step>;
  shape: number;
}

const START = stepsOf(SHAPES);

/** Packs values one after the other: each knows what occurred in those before. */
export class Packer {
  readonly #places = new Map<string | number, number>();

  /** The value is plain JSON. */
  pack(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return isKept(value) ? (this.#known(value) ?? value) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#list(value) : this.#object(value as Readonly<Record<string, unknown>>);
  }

  #list(list: readonly unknown[]): unknown[] {
    const packed: unknown[] = [0];
    for (const one of list) packed.push(this.pack(one));
    return packed;
  }

  #object(object: Readonly<Record<string, unknown>>): unknown {
    const values: unknown[] = [0];
    let step: Step | undefined = START;
    for (const name in object) {
      const value = object[name];
      if (value === undefined) continue;
      step = step?.next.get(name);
      values.push(value);
    }
    if (step === undefined || step.shape === 0) return this.#named(object);
    values[0] = step.shape;
    for (let i = 1; i < values.length; i++) values[i] = this.pack(values[i]);
    return values;
  }

  #named(object: Readonly<Record<string, unknown>>): unknown {
    // A name may be that of the prototype.
    const packed: Record<string, unknown> = Object.create(null);
    for (const name in object) packed[name] = this.pack(object[name]);
    return packed;
  }

  #text(text: string): string {
    if (text.length >= TEXT_MIN) {
      const word = LETTERED.get(text);
      if (word !== undefined) return word;
      const known = this.#known(text);
      if (known !== undefined) return known;
      if (text.charCodeAt(ID_LENGTH) === COLON) {
        const place = this.#places.get(text.slice(0, ID_LENGTH));
        if (place !== undefined) return `~${place}${text.slice(ID_LENGTH)}`;
      }
    }
    return text.charCodeAt(0) === TILDE ? `~${text}` : text;
  }

  /** What stands for a value that has occurred; else it has now. */
  #known(value: string | number): string | undefined {
    const place = this.#places.get(value);
    if (place !== undefined) return `~${place}`;
    this.#places.set(value, this.#places.size);
    return undefined;
  }
}

/** Gives back what one {@link Packer} has packed, in the order of packing. The packed value is used up. */
export class Unpacker {
  readonly #places: (string | number)[] = [];

  unpack(packed: unknown): unknown {
    if (typeof packed === 'string') return this.#text(packed);
    if (typeof packed === 'number' && isKept(packed)) this.#places.push(packed);
    if (typeof packed !== 'object' || packed === null) return packed;
    if (!Array.isArray(packed)) return this.#named(packed as Record<string, unknown>);
    return packed[0] === 0 ? this.#list(packed) : this.#object(packed);
  }

  #list(packed: readonly unknown[]): unknown[] {
    const list: unknown[] = [];
    for (let i = 1; i < packed.length; i++) list.push(this.unpack(packed[i]));
    return list;
  }

  #object(packed: readonly unknown[]): unknown {
    const names = NAMES[Number(packed[0])];
    if (names === undefined) throw new TypeError(`expected a shape that is known, but found ${String(packed[0])}`);
    const object: Record<string, unknown> = {};
    for (const [i, name] of names.entries()) object[name] = this.unpack(packed[i + 1]);
    return object;
  }

  #named(object: Record<string, unknown>): unknown {
    for (const name in object) object[name] = this.unpack(object[name]);
    return object;
  }

  #text(packed: string): string | number {
    if (packed.charCodeAt(0) !== TILDE) return this.#keep(packed);
    if (packed.charCodeAt(1) === TILDE) return this.#keep(packed.slice(1));
    if (packed.charCodeAt(1) > NINE) return WORDS[LETTERS.indexOf(packed.charAt(1))] ?? fail(packed);
    const end = packed.indexOf(':');
    const place = Number(end < 0 ? packed.slice(1) : packed.slice(1, end));
    const known = this.#places[place] ?? fail(packed);
    return end < 0 ? known : this.#keep(`${known}${packed.slice(end)}`);
  }

  #keep(text: string): string {
    if (text.length >= TEXT_MIN) this.#places.push(text);
    return text;
  }
}

function fail(packed: string): never {
  throw new TypeError(`expected a text that is known, but found '${packed}'`);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERED = new Map(WORDS.map((word, i) => [word, `~${LETTERS[i]}`]));
const NINE = '9'.charCodeAt(0);
const TILDE = '~'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

const isKept = (value: number): boolean => value >= NUMBER_MIN && value <= Number.MAX_SAFE_INTEGER;

/** By the shape's number; 0 is a list. */
const NAMES: readonly (readonly string[] | undefined)[] = [undefined, ...SHAPES.map((shape) => shape.split(' '))];

function stepsOf(shapes: readonly string[]): Step {
  const start: Step = { next: new Map(), shape: 0 };
  for (const [i, shape] of shapes.entries()) {
    let at = start;
    for (const name of shape.split(' ')) {
      const step = at.next.get(name) ?? { next: new Map(), shape: 0 };
      at.next.set(name, step);
      at = step;
    }
    at.shape = i + 1;
  }
  return start;
}
