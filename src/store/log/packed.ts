import type { CommitBody } from './log.js';
import { SHAPES, WORDS } from './shapes.js';

/*
 * Plain JSON in a shorter form, itself JSON: an object of one of the SHAPES is a list of its values behind the shape's number, and a list begins
 * with 0. One of the WORDS is `~` and its letter, a text or large number that has occurred `~` and its place among those; behind that may be the rest
 * of a text: of one that begins with it, from a `:` on, or of an id whose first four parts are those of that one, from the last `-` on: ids of one
 * decision have these in common. Whatever else there is stays what it is.
 */

/** From this length on a text is known again, from this size on a number. */
const TEXT_MIN = 8;
const NUMBER_MIN = 1_000_000_000;
/** Of an id, which other texts begin with. */
const ID_LENGTH = 36;
/** Where its last part begins. */
const LAST_PART = 23;

/** Where the names of an object lead to. */
interface Step {
  readonly next: Map<string, Step>;
  /** How an object begins whose names these are; '': they are no shape. */
  begin: string;
}

const START = stepsOf(SHAPES);

/** Packs values one after the other: each knows what occurred in those before. */
export class Packer {
  readonly #places = new Map<string | number, number>();
  /** The first parts of the id that occurred last, and its place. */
  #last = '';
  #lastPlace = 0;

  /** `known`: a text that whoever unpacks has, too. */
  constructor(known?: string) {
    if (known !== undefined) this.#keep(known);
  }

  /** The text of the value, which is plain JSON. */
  pack(value: unknown): string {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number')
      return isKept(value) ? this.#number(value) : Number.isFinite(value) ? `${value}` : 'null';
    if (value === null || value === undefined) return 'null';
    if (typeof value !== 'object') return JSON.stringify(value);
    return Array.isArray(value) ? this.#list(value) : this.#object(value as Readonly<Record<string, unknown>>);
  }

  #list(list: readonly unknown[]): string {
    let packed = '[0';
    for (const one of list) packed += `,${this.pack(one)}`;
    return `${packed}]`;
  }

  #object(object: Readonly<Record<string, unknown>>): string {
    let step: Step | undefined = START;
    for (const name in object) {
      if (object[name] === undefined) continue;
      step = step.next.get(name);
      if (step === undefined) return this.#named(object);
    }
    if (step.begin === '') return this.#named(object);
    let packed = step.begin;
    for (const name in object) {
      const value = object[name];
      if (value !== undefined) packed += `,${this.pack(value)}`;
    }
    return `${packed}]`;
  }

  #named(object: Readonly<Record<string, unknown>>): string {
    let packed = '';
    for (const name in object) {
      const value = object[name];
      if (value !== undefined) packed += `${packed === '' ? '{' : ','}${quoted(name)}:${this.pack(value)}`;
    }
    return packed === '' ? '{}' : `${packed}}`;
  }

  #text(text: string): string {
    if (text.length < TEXT_MIN) return escaped(text);
    return LETTERED.get(text) ?? this.#known(text) ?? this.#first(text);
  }

  #number(value: number): string {
    const known = this.#known(value);
    if (known === undefined) this.#keep(value);
    return known ?? `${value}`;
  }

  /** What stands for a value that has occurred. */
  #known(value: string | number): string | undefined {
    const place = this.#places.get(value);
    return place === undefined ? undefined : `"~${place}"`;
  }

  /** A text that has not occurred, but may begin as one that has. */
  #first(text: string): string {
    const begun = this.#begun(text);
    this.#keep(text);
    return begun === undefined ? escaped(text) : quoted(begun);
  }

  #begun(text: string): string | undefined {
    if (text.length === ID_LENGTH) {
      const isAlike = this.#last !== '' && text.charCodeAt(LAST_PART) === DASH && text.startsWith(this.#last);
      return isAlike ? `~${this.#lastPlace}${text.slice(LAST_PART)}` : undefined;
    }
    if (text.charCodeAt(ID_LENGTH) !== COLON) return undefined;
    const place = this.#places.get(text.slice(0, ID_LENGTH));
    return place === undefined ? undefined : `~${place}${text.slice(ID_LENGTH)}`;
  }

  #keep(value: string | number): void {
    if (typeof value === 'string' && value.length >= ID_LENGTH && value.charCodeAt(LAST_PART) === DASH) {
      this.#last = value.slice(0, LAST_PART);
      this.#lastPlace = this.#places.size;
    }
    this.#places.set(value, this.#places.size);
  }
}

/**
 * A sieve for whoever has read many documents: a piece of text that is within every document that holds the given text somewhere, packed or not. Of an id it
 * is the end, as a reference may stand for the rest. Undefined: there is no such piece.
 */
export function traceOf(text: string): string | undefined {
  if (LETTERED.has(text)) return undefined;
  const isBegun = text.length === ID_LENGTH || text.charCodeAt(ID_LENGTH) === COLON;
  const from = text.length === ID_LENGTH ? LAST_PART : ID_LENGTH;
  return JSON.stringify(isBegun ? text.slice(from) : text).slice(1);
}

/** Gives back what one {@link Packer} has packed, in the order of packing. The packed value is used up. */
export class Unpacker {
  readonly #places: (string | number)[] = [];

  constructor(known?: string) {
    if (known !== undefined) this.#places.push(known);
  }

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
    for (let i = 0; i < names.length; ) object[names[i] as string] = this.unpack(packed[++i]);
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
    let end = 1;
    while (packed.charCodeAt(end) <= NINE && packed.charCodeAt(end) !== DASH) end++;
    const known = this.#places[Number(packed.slice(1, end))] ?? fail(packed);
    if (end === packed.length) return known;
    const begun = packed.charCodeAt(end) === DASH ? String(known).slice(0, LAST_PART) : known;
    return this.#keep(`${begun}${packed.slice(end)}`);
  }

  #keep(text: string): string {
    if (text.length >= TEXT_MIN) this.#places.push(text);
    return text;
  }
}

/** No text but what stands for another begins with one tilde. */
const escaped = (text: string): string => quoted(text.charCodeAt(0) === TILDE ? `~${text}` : text);

/** A text as JSON. Nearly none has anything to escape, and to look costs less than to ask for it. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\ud7ff]*$/;

function fail(packed: string): never {
  throw new TypeError(`expected a text that is known, but found '${packed}'`);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERED = new Map(WORDS.map((word, i) => [word, `"~${LETTERS[i]}"`]));
const NINE = '9'.charCodeAt(0);
const TILDE = '~'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

const isKept = (value: number): boolean => value >= NUMBER_MIN && value <= Number.MAX_SAFE_INTEGER;

/** By the shape's number; 0 is a list. */
const NAMES: readonly (readonly string[] | undefined)[] = [undefined, ...SHAPES.map((shape) => shape.split(' '))];

function stepsOf(shapes: readonly string[]): Step {
  const start: Step = { next: new Map(), begin: '' };
  for (const [i, shape] of shapes.entries()) {
    let at = start;
    for (const name of shape.split(' ')) {
      const step = at.next.get(name) ?? { next: new Map(), begin: '' };
      at.next.set(name, step);
      at = step;
    }
    at.begin = `[${i + 1}`;
  }
  return start;
}

/** Makes the text of a commit's body; its events may be given piece by piece, before the rest is known. */
export class CommitText {
  readonly #packer = new Packer();
  #events = '[0';

  add(events: CommitBody['events']): this {
    for (const event of events) this.#events += `,${this.#packer.pack(event)}`;
    return this;
  }

  /** The text, which is made once. */
  end({ docs, type, userId, cause = {} }: Omit<CommitBody, 'events'>): string {
    const packer = this.#packer;
    let flat = '[0';
    for (const doc of docs) for (const part of doc) flat += `,${packer.pack(part)}`;
    return `[1,${this.#events}],${flat}],${packer.pack(type)},${packer.pack(userId)},${packer.pack(cause)}]`;
  }
}

/** The body of a commit's text; former versions wrote it without packing it, or each document as a list of its own. */
export function commitBodyOf(text: string): CommitBody {
  if (text.startsWith('{')) return JSON.parse(text);
  const body = new Unpacker().unpack(JSON.parse(text)) as Omit<CommitBody, 'docs'> & {
    readonly docs: readonly unknown[];
  };
  const isFlat = typeof body.docs[0] === 'string';
  return { ...body, docs: isFlat ? docsOf(body.docs) : (body.docs as CommitBody['docs']) };
}

/** The documents of one list: collection, id and, behind those that were removed, null. */
function docsOf(flat: readonly unknown[]): CommitBody['docs'] {
  const docs: CommitBody['docs'][number][] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const [collection, id] = [String(flat[i]), String(flat[i + 1])];
    const isGone = flat[i + 2] === null;
    docs.push(isGone ? [collection, id, null] : [collection, id]);
    if (isGone) i++;
  }
  return docs;
}
