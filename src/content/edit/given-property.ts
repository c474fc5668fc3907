import { badRequest } from '../../shared/errors.js';
import type { Change } from '../tree/change.js';
import { requireTarget } from '../tree/references.js';
import type { EffectiveType } from '../type/effective-type.js';
import { fitProperty } from '../type/fit-property.js';
import { spendUpload } from '../upload/spend-upload.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../value/property.js';
import { checkValue } from '../value/value.js';

/** What a client gives as a property: values not yet checked; bytes stored already; null deletes it. */
export interface GivenProperty {
  readonly name: string;
  readonly value: GivenValue | null;
}

export interface GivenValue {
  readonly type: PropertyType;
  readonly multiple: boolean;
  /** One where it is not multiple. */
  readonly values: readonly (unknown | KeptValue | UploadedValue)[];
}

/** The n-th present value, from 0; a single value counts as the first. */
export interface KeptValue {
  readonly keepIndex: number;
}

/** The bytes of an upload of the caller's, which is spent. */
export interface UploadedValue {
  readonly uploadId: string;
}

/** Where a property is set. */
export interface PropertyPlace {
  /** Of the node, for messages. */
  readonly path: string;
  readonly effective: EffectiveType;
  /** What it is now. */
  readonly present?: Property;
}

/**
 * The property as it is stored, by the types of its node; null: it is to be deleted.
 * @throws BAD_REQUEST a value is none of its type, a reference leads nowhere, there is no value to keep
 */
export function propertyOf(
  change: Change,
  { name, value }: GivenProperty,
  { path, effective, present }: PropertyPlace,
): Property | null {
  if (value === null) return null;
  const what = `property '${name}' of '${path}'`;
  const values = value.values.map((given) => {
    if (isKept(given)) return keptValue(given, what, present);
    if (isUploaded(given)) return spendUpload(change.draft, change.caller, given);
    return checkValue(value.type, given, { namespaces: change.types.namespaces, what });
  });
  const [first] = values;
  if (!value.multiple && first === undefined) return null;
  const { type } = value;
  const given: Property = value.multiple ? { type, values } : { type, value: first ?? '' };
  const property = fitProperty(effective, name, given, { namespaces: change.types.namespaces, what });
  if (property.type === 'Reference') for (const id of valuesOf(property)) requireTarget(change, String(id), { what });
  return property;
}

const isKept = (given: unknown): given is KeptValue =>
  typeof given === 'object' && given !== null && 'keepIndex' in given;

const isUploaded = (given: unknown): given is UploadedValue =>
  typeof given === 'object' && given !== null && 'uploadId' in given;

function keptValue({ keepIndex }: KeptValue, what: string, present: Property | undefined): Value {
  const kept = present === undefined ? undefined : valuesOf(present)[keepIndex];
  if (kept !== undefined && typeof kept === 'object') return kept;
  const count = present === undefined ? 0 : isMultiple(present) ? present.values.length : 1;
  throw badRequest(`expected ${what} to keep one of its ${count} binary values, but found keepIndex ${keepIndex}`);
}
