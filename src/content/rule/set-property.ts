import { badRequest, ServiceError } from '../../shared/errors.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../model/property.js';
import { checkValue } from '../model/value.js';
import type { Change } from './change.js';
import { spendUpload } from './spend-upload.js';

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

/**
 * The property as it is stored; null: it is to be deleted. `present`: what it is now.
 * @throws BAD_REQUEST a value is none of its type, a reference leads nowhere, there is no value to keep
 */
export function propertyOf(
  change: Change,
  { name, value }: GivenProperty,
  path: string,
  present?: Property,
): Property | null {
  if (value === null) return null;
  const what = `property '${name}' of '${path}'`;
  const values = value.values.map((given) => {
    if (isKept(given)) return keptValue(given, what, present);
    if (isUploaded(given)) return spendUpload(change.draft, change.caller, given);
    return checkValue(value.type, given, { namespaces: change.types.namespaces, what });
  });
  if (value.type === 'Reference') for (const id of values) requireTarget(change, String(id), { what });
  const [first] = values;
  if (value.multiple) return { type: value.type, values };
  return first === undefined ? null : { type: value.type, value: first };
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

/** `holder`: for messages. @throws BAD_REQUEST the target is not in the tree, or is not referenceable (JCR 2.0 §3.8.3.2) */
export function requireTarget(change: Change, id: string, holder: { readonly what: string }): void {
  const target = change.tree.get(id);
  const isThere = target !== undefined && change.access.canRead(target);
  if (!isThere) {
    throw new ServiceError(
      'BAD_REQUEST',
      `expected ${holder.what} to refer to a node, but there is none with the identifier '${id}'`,
      {
        reason: 'reference_target_missing',
      },
    );
  }
  if (change.types.isA(target, 'mix:referenceable')) return;
  const found = `'${change.pathOf(target)}' is not`;
  throw new ServiceError('BAD_REQUEST', `expected ${holder.what} to refer to a referenceable node, but ${found}`, {
    reason: 'target_not_referenceable',
  });
}
