import type { ExchangeRecord, StepRecord } from './exchange-record.js';

/** A step as packed records name it: by its place in a list that the context keeps. */
export type StepName = Pick<StepRecord, 'routeId' | 'stepId' | 'endpointUri'>;

/** What is packed of an exchange: its steps by their numbers. */
export interface RecordToPack extends Omit<ExchangeRecord, 'steps'> {
  /** Of each: its number, when it was entered, and how long it took (-1: it was not left), in µs. */
  readonly steps: Iterable<{ readonly step: number; readonly entered: number; readonly taken: number }>;
  readonly stepCount: number;
}

const FIRST_BYTES = 64 * 1024;

/**
 * Rows of exchanges, packed as they come: handing a batch to another thread costs the route as little as can be. A word that comes again (ids of routes and steps, names
 * of classes) stands in a batch once.
 */
export class RecordPacker {
  readonly #steps: readonly StepName[];
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;
  #count = 0;
  readonly #words = new Map<string, number>();

  /** `steps`: the steps of the context, by their numbers; more may come. */
  constructor(steps: readonly StepName[]) {
    this.#steps = steps;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#end;
  }

  add(record: RecordToPack): void {
    this.#text(record.exchangeId);
    this.#word(record.routeId);
    this.#number(record.createdAt);
    this.#number(Math.max(0, record.completedAt - record.createdAt));
    this.#number(record.elapsed);
    this.#number(record.status === 'failed' ? 1 : 0);
    this.#optional(record.exceptionType, (type) => this.#word(type));
    this.#optional(record.exceptionMessage, (message) => this.#text(message));
    this.#optional(record.businessKey, (key) => this.#text(key));
    this.#optional(record.bodyType, (type) => this.#word(type));
    this.#number((record.bodySize ?? -1) + 1);
    this.#optional(record.headers, (headers) => this.#text(headers));
    this.#number(record.forgotten);
    this.#number(record.stepCount);
    for (const { step, entered, taken } of record.steps) {
      this.#step(step);
      this.#number(entered);
      this.#number(taken + 1);
    }
    this.#count++;
  }

  /** What was packed since the last time. */
  take(): PackedRecords {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#end));
    const packed = { count: this.#count, bytes, words: [...this.#words.keys()] };
    this.#end = 0;
    this.#count = 0;
    this.#words.clear();
    return packed;
  }

  #step(step: number): void {
    const { routeId, stepId, endpointUri } = this.#steps[step] ?? UNKNOWN;
    this.#word(routeId);
    this.#word(stepId);
    this.#word(endpointUri ?? '');
  }

  #optional(value: string | null, write: (value: string) => void): void {
    this.#number(value === null ? 0 : 1);
    if (value !== null) write(value);
  }

  #word(word: string): void {
    let number = this.#words.get(word);
    if (number === undefined) {
      number = this.#words.size;
      this.#words.set(word, number);
    }
    this.#number(number);
  }

  #text(text: string): void {
    const most = text.length * 3;
    this.#room(most + 5);
    if (text.length < 40 && isAscii(text)) {
      this.#number(text.length);
      this.#end += this.#bytes.write(text, this.#end, 'latin1');
      return;
    }
    const length = Buffer.byteLength(text);
    this.#number(length);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
  }

  /** A whole number that is not negative: seven bits a byte, the least first. */
  #number(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#end++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#end++] = rest;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const UNKNOWN: StepName = { routeId: '', stepId: '', endpointUri: null };

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** A batch of rows, as it goes from one thread to another. */
export interface PackedRecords {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly words: readonly string[];
}

/** The rows of a batch, in the order in which their exchanges ended. */
export function* unpacked({ count, bytes, words }: PackedRecords): IterableIterator<ExchangeRecord> {
  const reader = new PackedReader(bytes, words);
  for (let row = 0; row < count; row++) yield reader.record();
}

class PackedReader {
  readonly #bytes: Buffer;
  readonly #words: readonly string[];
  #at = 0;

  constructor(bytes: Uint8Array, words: readonly string[]) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#words = words;
  }

  record(): ExchangeRecord {
    const exchangeId = this.#text();
    const routeId = this.#word();
    const createdAt = this.#number();
    return {
      ...{ exchangeId, routeId, createdAt },
      completedAt: createdAt + this.#number(),
      elapsed: this.#number(),
      status: this.#number() === 1 ? 'failed' : 'completed',
      exceptionType: this.#optional(() => this.#word()),
      exceptionMessage: this.#optional(() => this.#text()),
      businessKey: this.#optional(() => this.#text()),
      bodyType: this.#optional(() => this.#word()),
      bodySize: nullWhere(-1, this.#number() - 1),
      headers: this.#optional(() => this.#text()),
      forgotten: this.#number(),
      steps: Array.from({ length: this.#number() }, () => this.#step()),
    };
  }

  #step(): StepRecord {
    const [routeId, stepId, uri] = [this.#word(), this.#word(), this.#word()];
    const entered = this.#number();
    return { routeId, stepId, endpointUri: uri === '' ? null : uri, entered, taken: nullWhere(-1, this.#number() - 1) };
  }

  #optional(read: () => string): string | null {
    return this.#number() === 0 ? null : read();
  }

  #word(): string {
    return this.#words[this.#number()] ?? '';
  }

  #text(): string {
    const length = this.#number();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

const nullWhere = (none: number, value: number): number | null => (value === none ? null : value);
