import { ExchangeFailure } from '../exchange/failure.js';
import type { Position } from '../exchange/language.js';

/** A data format as the DSL has it: `json: {prettyPrint: true}`. Placeholders are resolved. */
export interface FormatModel {
  /** Its name in the DSL: json, csv, yaml, … */
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly at: Position;
}

/** The options of a data format, read one by one: what was not read at the end is none of it. */
export class FormatOptions {
  readonly #model: FormatModel;
  readonly #read = new Set<string>(['id']);

  constructor(model: FormatModel) {
    this.#model = model;
  }

  get kind(): string {
    return this.#model.kind;
  }

  has(name: string): boolean {
    return this.text(name) !== undefined;
  }

  #given(name: string): unknown {
    return Object.hasOwn(this.#model.options, name) ? this.#model.options[name] : undefined;
  }

  /** `undefined`: it was not written. */
  text(name: string): string | undefined {
    this.#read.add(name);
    const value = this.#given(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') throw this.wrong(name, 'a text', value);
    return String(value);
  }

  boolean(name: string, byDefault: boolean): boolean {
    const text = this.text(name)?.trim().toLowerCase();
    if (text === undefined || text === '') return byDefault;
    if (text !== 'true' && text !== 'false') throw this.wrong(name, 'true or false', text);
    return text === 'true';
  }

  /** A whole number of at least `least`. */
  number(name: string, byDefault: number, least = 0): number {
    const text = this.text(name)?.trim();
    if (text === undefined || text === '') return byDefault;
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < least)
      throw this.wrong(name, `a whole number from ${least} on`, text);
    return number;
  }

  oneOf<T extends string>(name: string, values: readonly T[], byDefault: T): T {
    const text = this.text(name)?.trim();
    if (text === undefined || text === '') return byDefault;
    const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw this.wrong(name, `one of ${values.join(', ')}`, text);
    return found;
  }

  /** A list, or names with commas. `undefined`: it was not written. */
  list(name: string): readonly string[] | undefined {
    const value = this.#given(name);
    if (Array.isArray(value)) {
      this.#read.add(name);
      return value.map(String);
    }
    return this.text(name)
      ?.split(',')
      .map((part) => part.trim());
  }

  /** Options that are accepted and have no effect here: those of Java's machinery. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** @throws ExchangeFailure for an option that asks for what is not there: Java classes, beans of a library */
  refuse(...names: readonly string[]): void {
    for (const name of names) {
      const text = this.text(name);
      if (text !== undefined && text !== '' && text !== 'false') {
        throw this.failure(`the option ${name} is not supported: it names something of Java`);
      }
    }
  }

  /** @throws ExchangeFailure for an option that nobody has read */
  end(): void {
    const unknown = Object.keys(this.#model.options).find((name) => !this.#read.has(name));
    if (unknown !== undefined) throw this.failure(`there is no option ${unknown}`);
  }

  wrong(name: string, expected: string, found: unknown): ExchangeFailure {
    return this.failure(`expected ${name} to be ${expected}, got ${JSON.stringify(found) ?? 'nothing'}`);
  }

  failure(message: string): ExchangeFailure {
    const { kind, at } = this.#model;
    return new ExchangeFailure('java.lang.IllegalArgumentException', `${kind} in line ${at.line}: ${message}`);
  }
}
