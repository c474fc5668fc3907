import { badRequest } from '../../shared/errors.js';
import { binaryOf } from './binary-value.js';
import { dateOf } from './date-value.js';
import { type NamespaceRegistry, qualifiedName } from './names.js';
import { decimalOf, doubleOf, longOf } from './numbers.js';
import { formatPath, parsePath } from './path.js';
import { type BlobValue, type InlineValue, isBytes, type PropertyType, type Value } from './property.js';

/** Context of checking a value, beside its type. */
export interface ValueContext {
  readonly namespaces: NamespaceRegistry;
  /** Whose value it is, for the message: `property 'p' of '/a'`. */
  readonly what: string;
}

/** The most characters of a referenced identifier. */
const IDENTIFIER_MAX = 255;

/**
 * The value as stored, of what a caller gives: text in the type's JCR form for every type (Binary: Base64), a number for Long, Double and Decimal,
 * a bigint for Long and Decimal, true or false, a blob that is stored already for Binary and String. Nothing is converted between types: that is
 * {@link convertValue}. @throws BAD_REQUEST
 */
export function checkValue(type: PropertyType, native: unknown, context: ValueContext): Value {
  const value = CHECKS[type](native, context);
  if (value === null) throw notOfType(type, native, context.what);
  return value;
}

/** The refusal of something that is no value of the type. */
export const notOfType = (type: PropertyType, native: unknown, what: string) =>
  badRequest(`expected ${what} to be ${FORMS[type]}, but found ${shown(native)}`, {
    reason: 'invalid_value',
    details: { type },
  });

type Check = (native: unknown, context: ValueContext) => Value | null;

const text = (native: unknown): string | null => (typeof native === 'string' ? native : null);

const reference: Check = (native) =>
  typeof native === 'string' && native !== '' && native.length <= IDENTIFIER_MAX && !/[\s\p{Cc}]/u.test(native)
    ? native
    : null;

const CHECKS: Readonly<Record<PropertyType, Check>> = {
  String: (native) => (isBlob(native) ? native : text(native)),
  Binary: (native) => (isStoredBytes(native) ? native : typeof native === 'string' ? binaryOf(native) : null),
  Long: longOf,
  Double: doubleOf,
  Date: dateOf,
  Boolean: (native) => (typeof native === 'boolean' ? native : booleanOf(native)),
  Name: (native, { namespaces, what }) => (typeof native === 'string' ? qualifiedName(native, namespaces, what) : null),
  Path: (native, { namespaces, what }) =>
    typeof native === 'string' ? formatPath(parsePath(native, namespaces, what)) : null,
  Reference: reference,
  WeakReference: reference,
  URI: (native) => (typeof native === 'string' && isUri(native) ? native : null),
  Decimal: decimalOf,
};

const FORMS: Readonly<Record<PropertyType, string>> = {
  String: 'text',
  Binary: 'bytes (Base64 text)',
  Long: 'a whole number of 64 bits (-9223372036854775808 to 9223372036854775807)',
  Double: 'a number, NaN, Infinity or -Infinity',
  Date: 'a date with time and zone, of a year from -9999 to 9999 (such as 2020-01-02T03:04:05.678+09:00)',
  Boolean: 'true or false',
  Name: 'a name',
  Path: 'a path',
  Reference: `the identifier of a node (at most ${IDENTIFIER_MAX} characters, no spaces)`,
  WeakReference: `the identifier of a node (at most ${IDENTIFIER_MAX} characters, no spaces)`,
  URI: 'a URI',
  Decimal: 'a decimal number (at most 1000 digits)',
};

function booleanOf(native: unknown): boolean | null {
  if (typeof native !== 'string' || !/^(?:true|false)$/i.test(native)) return null;
  return native.toLowerCase() === 'true';
}

const isObject = (native: unknown): native is Record<string, unknown> => typeof native === 'object' && native !== null;

const isBlob = (native: unknown): native is BlobValue =>
  isObject(native) && typeof native.blob === 'string' && typeof native.size === 'number';

const isStoredBytes = (native: unknown): native is BlobValue | InlineValue =>
  isBlob(native) || (isObject(native) && typeof native.inline === 'string' && typeof native.size === 'number');

function shown(native: unknown): string {
  if (typeof native === 'string') return `'${native.length > 100 ? `${native.slice(0, 100)}…` : native}'`;
  if (isObject(native)) return Array.isArray(native) ? 'a list' : 'an object';
  return String(native);
}

/** The characters of a text, the bytes of a Binary, else the characters of the value's text (JCR 2.0 §10.8.4). A String in a blob: its bytes. */
export const lengthOf = (value: Value): number => (isBytes(value) ? value.size : String(value).length);

/** No character of a URI (RFC 3986; letters beyond ASCII are let through, as by `java.net.URI`). */
const FORBIDDEN = /[\s"<>\\^`{|}\p{Cc}\p{Cs}]/u;

/** `scheme:`, `//authority`, path, `?query`, `#fragment` (RFC 3986, appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(?:#(.*))?$/s;

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Its second group: the address between the brackets, without its zone. */
const IPV6_AUTHORITY = /^([^[\]@]*@)?\[([^[\]%]+)(?:%[^[\]]+)?\](:\d*)?$/;

/** Whether the text is a URI or a relative reference (RFC 3986 §4.1). Brackets stand in queries and fragments too, as with `java.net.URI`. */
function isUri(text: string): boolean {
  if (FORBIDDEN.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  const [, scheme, authority, path = '', query, fragment = ''] = PARTS.exec(text) ?? [];
  if (fragment.includes('#') || (scheme !== undefined && !SCHEME.test(scheme))) return false;
  if (authority !== undefined) return isAuthority(authority) && isHierarchical(path) && `${authority}${path}` !== '';
  if (scheme === undefined) return isHierarchical(path) && !/^[^/]*:/.test(path);
  return path.startsWith('/') ? isHierarchical(path) : path !== '' || query !== undefined;
}

const isHierarchical = (path: string): boolean => !hasBracket(path);

const hasBracket = (text: string): boolean => /[[\]]/.test(text);

function isAuthority(text: string): boolean {
  if (!hasBracket(text)) return true;
  const address = IPV6_AUTHORITY.exec(text)?.[2];
  return address !== undefined && URL.canParse(`http://[${address}]`);
}
