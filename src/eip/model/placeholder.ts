import { ExchangeFailure } from '../../expression/index.js';

/** The value of a property by its key; that of an environment variable by `env:NAME`. `undefined`: there is none. */
export type PropertyLookup = (key: string) => string | undefined;

/** How long a text may become by what is put into it, in characters. */
const LENGTH_MAX = 1024 * 1024;
/** How deep values may name further properties. */
const DEPTH_MAX = 20;

/**
 * Puts the values of properties in the place of `{{key}}`, `{{key:default}}`, `{{?key}}` (nothing where there is none), `{{!key}}` (true for false, and false for true) and `{{env:NAME}}`.
 * Values may hold placeholders, and so may keys and defaults. `\{{` is no placeholder.
 * @throws ExchangeFailure IllegalArgumentException, with the key
 */
export const resolvePlaceholders = (text: string, lookup: PropertyLookup): string =>
  resolved(text, { lookup, open: [] }).text;

/** As {@link resolvePlaceholders}, for the value of an option: `undefined` where it has but `{{?key}}`, and there is none: the option is left out. */
export function resolveOption(text: string, lookup: PropertyLookup): string | undefined {
  const { text: value, hasMissing } = resolved(text, { lookup, open: [] });
  return value === '' && hasMissing ? undefined : value;
}

/** Resolves an endpoint's URI with `resolve`, a {@link resolvePlaceholders}, without the options that {@link withoutMissing} leaves out. */
export const resolveUri = (text: string, resolve: (text: string) => string): string =>
  text.includes('{{') ? resolve(withoutMissing(text, resolve)) : text;

/** An endpoint's URI without options whose value is a `{{?key}}` that is not there, or empty; other placeholders stay. */
export function withoutMissing(text: string, resolve: (text: string) => string): string {
  const isLeftOut = (placeholder: string) => resolve(placeholder) === '';
  return text
    .replace(LATER_OPTION, (option, placeholder: string) => (isLeftOut(placeholder) ? '' : option))
    .replace(FIRST_OPTION, (option, placeholder: string, end: string) =>
      isLeftOut(placeholder) ? end.replace('&', '?') : option,
    );
}

export const hasPlaceholder = (text: unknown): boolean => typeof text === 'string' && PLACEHOLDER.test(text);

const PLACEHOLDER = /(?<!\\)\{\{.*?\}\}/s;
/** `&a={{?key}}`, up to the next one. */
const LATER_OPTION = /&(?:[^=&?{}]*=)?(?:RAW\()?(\{\{\?[^{}]*\}\})\)?(?=&|$)/g;
/** `?a={{?key}}`, with what follows it. */
const FIRST_OPTION = /\?(?:[^=&?{}]*=)?(?:RAW\()?(\{\{\?[^{}]*\}\})\)?(&|$)/;

interface Resolving {
  readonly lookup: PropertyLookup;
  /** The keys whose values are being resolved. */
  readonly open: readonly string[];
}

interface Resolved {
  readonly text: string;
  /** A `{{?key}}` in it has no value. */
  readonly hasMissing: boolean;
}

const resolved = (text: string, resolving: Resolving): Resolved =>
  text.includes('{{') ? new Resolver(text, resolving).all() : { text, hasMissing: false };

/** Reads a text from its beginning to its end, once. */
class Resolver {
  readonly #text: string;
  readonly #resolving: Resolving;
  #at = 0;
  #hasMissing = false;

  constructor(text: string, resolving: Resolving) {
    this.#text = text;
    this.#resolving = resolving;
  }

  all(): Resolved {
    const text = this.#piece(false);
    return { text, hasMissing: this.#hasMissing };
  }

  /** What stands up to the end, or up to the braces that close a placeholder. */
  #piece(isKey: boolean, depth = 0): string {
    let piece = '';
    for (;;) {
      const { at, sign } = this.#next();
      piece += this.#text.slice(this.#at, at);
      this.#at = at + sign.length;
      if (sign === '' && isKey) throw illegal(`Missing }} from the text: ${this.#text.slice(0, 80)}`);
      if (sign === '' || (isKey && sign === '}}')) return piece;
      piece += sign === '{{' ? this.#value(depth + 1) : sign.replace('\\', '');
      if (piece.length > LENGTH_MAX) throw illegal(TOO_LONG);
    }
  }

  #next(): { at: number; sign: string } {
    SIGN.lastIndex = this.#at;
    const match = SIGN.exec(this.#text);
    return match === null ? { at: this.#text.length, sign: '' } : { at: match.index, sign: match[0] };
  }

  #value(depth: number): string {
    if (depth > DEPTH_MAX) throw illegal(`Expected at most ${DEPTH_MAX} placeholders within each other`);
    const value = valueBy(this.#piece(true, depth), this.#resolving);
    if (value === undefined) this.#hasMissing = true;
    return value ?? '';
  }
}

const TOO_LONG = `Expected at most ${LENGTH_MAX} characters with placeholders resolved`;
/** Of three braces the first is text. */
const SIGN = /\\?(?:\{\{(?=(?:\{\{)*(?!\{))|\}\})/g;

function valueBy(written: string, { lookup, open }: Resolving): string | undefined {
  const { isOptional, isNegated, key, fallback } = keyOf(written);
  if (open.includes(key)) throw illegal(`Circular reference detected with key [${key}]`);
  if (open.length >= DEPTH_MAX)
    throw illegal(`Expected at most ${DEPTH_MAX} properties that name each other, at key [${key}]`);
  const found = lookup(key);
  if (found === undefined) {
    if (fallback !== undefined) return isNegated ? negated(key, fallback) : fallback;
    if (isOptional) return undefined;
    throw illegal(`Property with key [${key}] not found`);
  }
  const { text } = resolved(found, { lookup, open: [...open, key] });
  return isNegated ? negated(key, text) : text;
}

/** `?` and `!` before the key, in either order; what follows its first colon is the default. */
function keyOf(written: string) {
  const [, signs = '', rest = ''] = /^([?!]{0,2})(.*)$/s.exec(written) ?? [];
  const prefix = rest.startsWith(ENVIRONMENT) ? ENVIRONMENT : '';
  const colon = rest.indexOf(':', prefix.length);
  const key = colon < 0 ? rest : rest.slice(0, colon);
  const unknown = FUNCTION.exec(rest)?.[1];
  if (unknown !== undefined)
    throw illegal(
      `Expected a property or env:NAME in {{${written}}}, but found the function ${unknown}, which is not there`,
    );
  if (key === prefix) throw illegal(`Expected the key of a property in {{${written}}}`);
  return {
    isOptional: signs.includes('?'),
    isNegated: signs.includes('!'),
    key,
    fallback: colon < 0 ? undefined : rest.slice(colon + 1),
  };
}

const ENVIRONMENT = 'env:';
/** Further sources that Camel has: none of them is a property of a workspace. */
const FUNCTION = /^(sys|bean|service|service\.name|service\.host|service\.port):/;

function negated(key: string, value: string): string {
  const is = value.trim().toLowerCase();
  if (is !== 'true' && is !== 'false')
    throw illegal(`Expected true or false of the property with key [${key}], for {{!${key}}}`);
  return is === 'true' ? 'false' : 'true';
}

const illegal = (message: string) => new ExchangeFailure('java.lang.IllegalArgumentException', message);
