import type { ExchangeRecord, StepRecord } from './exchange-record.js';

/** A step as packed records name it: by its place in a list that the context keeps. */
export type StepName = Pick<StepRecord, 'routeId' | 'stepId' | 'endpointUri'>;

/** The record of an exchange as it is packed: with its steps by their numbers. */
export interface RecordToPack extends Omit<ExchangeRecord, 'steps'> {
  /** Of each: its number, when it was entered, and how long it took (-1: it was not left), in µs. */
  readonly steps: Iterable<{ readonly step: number; readonly entered: number; readonly taken: number }>;
  readonly stepCount: number;
}

/** A batch of rows, as it goes from one thread to another, and into a file. */
export interface PackedRecords {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly words: readonly string[];
}

const FIRST_BYTES = 64 * 1024;

/**
 * Rows of exchanges, packed as they come: handing a batch to another thread costs the route as little as can be. A word that comes again (ids of routes and steps, names
 * of classes) stands in a batch once. What lists are made of stands first in a row; all else behind it, with its length before it, so that it can be skipped.
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
    this.#double(record.createdAt);
    this.#number(Math.max(0, record.completedAt - record.createdAt));
    this.#number(record.elapsed);
    this.#number(record.status === 'failed' ? 1 : 0);
    this.#optionalText(record.businessKey);
    this.#room(4);
    const lengthAt = this.#end;
    this.#end += 4;
    this.#detail(record);
    this.#bytes.writeUInt32LE(this.#end - lengthAt - 4, lengthAt);
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

  #detail(record: RecordToPack): void {
    this.#optionalWord(record.exceptionType);
    this.#optionalText(record.exceptionMessage);
    this.#optionalText(record.stackTrace);
    this.#optionalWord(record.bodyType);
    this.#number((record.bodySize ?? -1) + 1);
    this.#optionalText(record.headers);
    this.#number(record.forgotten);
    this.#number(record.stepCount);
    for (const { step, entered, taken } of record.steps) {
      const { routeId, stepId, endpointUri } = this.#steps[step] ?? UNKNOWN;
      this.#word(routeId);
      this.#word(stepId);
      this.#optionalWord(endpointUri);
      this.#number(entered);
      this.#number(taken + 1);
    }
  }

  #optionalText(value: string | null): void {
    this.#number(value === null ? 0 : 1);
    if (value !== null) this.#text(value);
  }

  #optionalWord(value: string | null): void {
    if (value === null) this.#number(0);
    else this.#number(this.#wordNumber(value) + 1);
  }

  #word(word: string): void {
    this.#number(this.#wordNumber(word));
  }

  #wordNumber(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const number = this.#words.size;
    this.#words.set(word, number);
    return number;
  }

  /** Its length in bytes, doubled, and one more where it has other characters than ASCII's. */
  #text(text: string): void {
    this.#room(text.length * 3 + 10);
    if (text.length < 40 && isAscii(text)) {
      this.#number(text.length * 2);
      this.#end += this.#bytes.write(text, this.#end, 'latin1');
      return;
    }
    this.#number(Buffer.byteLength(text) * 2 + 1);
    this.#end += this.#bytes.write(text, this.#end);
  }

  #double(value: number): void {
    this.#room(8);
    this.#end = this.#bytes.writeDoubleLE(value, this.#end);
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

/** An exchange as lists show it: without its steps. */
export type ExchangeSummary = Pick<
  ExchangeRecord,
  'exchangeId' | 'routeId' | 'createdAt' | 'completedAt' | 'elapsed' | 'status' | 'businessKey'
>;

/** Where in its batch a row begins, for {@link recordAt}. */
export interface PlacedSummary extends ExchangeSummary {
  readonly at: number;
}

/** The summaries of the rows of a batch, each with its place, in the order in which their exchanges ended. */
export function* summariesOf({ count, bytes, words }: PackedRecords): IterableIterator<PlacedSummary> {
  const reader = new PackedReader(bytes, words);
  for (let row = 0; row < count; row++) {
    const at = reader.at;
    const summary = reader.summary();
    reader.skipDetail();
    yield { ...summary, at };
  }
}

/** The record of the row that begins at this byte. */
export function recordAt({ bytes, words }: Omit<PackedRecords, 'count'>, at: number): ExchangeRecord {
  const reader = new PackedReader(bytes, words, at);
  const summary = reader.summary();
  return { ...summary, ...reader.detail() };
}

class PackedReader {
  at: number;
  readonly #bytes: Buffer;
  readonly #words: readonly string[];

  constructor(bytes: Uint8Array, words: readonly string[], at = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#words = words;
    this.at = at;
  }

  summary(): ExchangeSummary {
    const exchangeId = this.#text();
    const routeId = this.#word();
    const createdAt = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    const completedAt = createdAt + this.#number();
    const elapsed = this.#number();
    const status = this.#number() === 1 ? 'failed' : 'completed';
    return { exchangeId, routeId, createdAt, completedAt, elapsed, status, businessKey: this.#optionalText() };
  }

  skipDetail(): void {
    this.at += 4 + this.#bytes.readUInt32LE(this.at);
  }

  detail(): Omit<ExchangeRecord, keyof ExchangeSummary> {
    this.at += 4;
    return {
      exceptionType: this.#optionalWord(),
      exceptionMessage: this.#optionalText(),
      stackTrace: this.#optionalText(),
      bodyType: this.#optionalWord(),
      bodySize: nullWhere(-1, this.#number() - 1),
      headers: this.#optionalText(),
      forgotten: this.#number(),
      steps: Array.from({ length: this.#number() }, () => this.#step()),
    };
  }

  #step(): StepRecord {
    const [routeId, stepId, endpointUri] = [this.#word(), this.#word(), this.#optionalWord()];
    const entered = this.#number();
    return { routeId, stepId, endpointUri, entered, taken: nullWhere(-1, this.#number() - 1) };
  }

  #optionalText(): string | null {
    return this.#number() === 0 ? null : this.#text();
  }

  #optionalWord(): string | null {
    const number = this.#number();
    return number === 0 ? null : (this.#words[number - 1] ?? '');
  }

  #word(): string {
    return this.#words[this.#number()] ?? '';
  }

  #text(): string {
    const size = this.#number();
    const from = this.at;
    this.at += size >> 1;
    return size % 2 === 0 ? this.#bytes.toString('latin1', from, this.at) : this.#bytes.toString('utf8', from, this.at);
  }

  #number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
    }
    return value;
  }
}

const nullWhere = (none: number, value: number): number | null => (value === none ? null : value);
