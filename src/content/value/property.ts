/** The property types of JCR 2.0 §3.6.1, by the names of `javax.jcr.PropertyType`. */
export const PROPERTY_TYPES = [
  'String',
  'Binary',
  'Long',
  'Double',
  'Date',
  'Boolean',
  'Name',
  'Path',
  'Reference',
  'WeakReference',
  'URI',
  'Decimal',
] as const;

export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Bytes kept as a blob, by their SHA-256 in hex. */
export interface BlobValue {
  readonly blob: string;
  /** bytes */
  readonly size: number;
}

/** Few bytes kept within their node, as Base64. */
export interface InlineValue {
  readonly inline: string;
  /** bytes */
  readonly size: number;
}

/**
 * A value as stored, in plain JSON. Long: a number up to 2^53, beyond it decimal text. Double: a number, or `NaN`, `Infinity`, `-Infinity` as
 * text. Boolean: true or false. Binary: {@link BlobValue} or {@link InlineValue}; a String of more than 16 kB is a {@link BlobValue} of its
 * UTF-8 too. Everything else is text: Decimal as written, Date in ISO 8601 with its zone, Name and Path with prefixes, references as the
 * target's identifier.
 */
export type Value = string | number | boolean | BlobValue | InlineValue;

interface SingleProperty {
  readonly type: PropertyType;
  readonly value: Value;
}

interface MultipleProperty {
  readonly type: PropertyType;
  readonly values: readonly Value[];
}

/** A property as stored; its name is its key in the node. */
export type Property = SingleProperty | MultipleProperty;

export const isMultiple = (property: Property): property is MultipleProperty => 'values' in property;

/** The property's values, one or many. */
export const valuesOf = (property: Property): readonly Value[] =>
  isMultiple(property) ? property.values : [property.value];

/** Whether the value is bytes, inline or not. */
export const isBytes = (value: Value): value is BlobValue | InlineValue => typeof value === 'object';

/** The bytes that are the property's only value; undefined: there are none. */
export const bytesIn = (property: Property | undefined): BlobValue | InlineValue | undefined =>
  property !== undefined && !isMultiple(property) && isBytes(property.value) ? property.value : undefined;

/** The blobs that the properties hold, each once. */
export function blobsOf(properties: Readonly<Record<string, Property>>): readonly string[] {
  const found: string[] = [];
  // Asked of every node that is written, and most hold none.
  for (const name in properties) {
    const property = properties[name];
    if (property === undefined) continue;
    for (const value of valuesOf(property)) if (isBytes(value) && 'blob' in value) found.push(value.blob);
  }
  return found.length > 1 ? [...new Set(found)] : found;
}

/** Bytes up to this many are kept within their node. */
export const INLINE_BYTES_MAX = 2_048;
/** Texts up to this many characters are kept within their node. */
export const TEXT_INLINE_MAX = 16_384;

/** A node, as far as its properties go. */
type Holder = { readonly properties: Readonly<Record<string, Property>> };

/** Whether a node has other bytes in its binary properties than before, when it may not have been there. */
export function isOtherBinary(before: Holder | undefined, { properties: after }: Holder): boolean {
  if (before?.properties === after) return false;
  const names = new Set([...binaryNames(before?.properties ?? {}), ...binaryNames(after)]);
  return [...names].some((name) => bytesOf(before?.properties[name]) !== bytesOf(after[name]));
}

const binaryNames = (properties: Holder['properties']): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.type === 'Binary');

/** A text that says which bytes they are. */
function bytesOf(property: Property | undefined): string {
  if (property?.type !== 'Binary') return '';
  return JSON.stringify(isMultiple(property) ? property.values : [property.value]);
}
