import { badRequest, ServiceError } from '../../shared/errors.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import { requireTarget } from '../tree/references.js';
import { type EffectiveType, fitProperty } from '../type/effective-type.js';
import type { NodeProblem } from '../type/validate-node.js';
import { spendUpload } from '../upload/sealed-upload.js';
import { isQualifiedName, qualifiedName } from '../value/names.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../value/property.js';
import { checkValue } from '../value/value.js';

interface SetPropertiesInput extends ExpectedVersion {
  readonly path: string;
  readonly properties: readonly GivenProperty[];
}

/** A property that is refused, and why. */
interface PropertyProblem {
  readonly propertyName: string;
  readonly message: string;
}

export interface SetPropertiesAnswer {
  readonly nodeId: string;
  /** With any, nothing was changed. */
  readonly errors: readonly PropertyProblem[];
}

export const setProperties = contentOperation(
  'setProperties',
  (change, input: SetPropertiesInput): SetPropertiesAnswer => {
    const node = change.atVersion(input);
    const holder = change.contentOf(node);
    change.require(holder, 'jcr:modifyProperties');
    const isExempt = isExemptOf(change, holder, input);
    if (isExempt) change.requireUnlocked(holder);
    else change.requireChangeable(holder);
    const { changed, errors } = applied(change, holder, input);
    if (errors.length > 0) change.discard();
    else change.put(isExempt ? changed : change.types.touched(change, changed));
    return { nodeId: node.id, errors };
  },
);

/** Whether the node is checked in, but no version keeps any of the properties, so that they may change (JCR 2.0 §15.2.2). */
const isExemptOf = (change: Change, holder: ContentNode, { properties }: SetPropertiesInput): boolean =>
  change.checkedInOver(holder) !== undefined && properties.every((given) => isIgnored(change, holder, given));

function isIgnored(change: Change, holder: ContentNode, { name }: GivenProperty): boolean {
  // Whatever is no name is told of where the node may be changed.
  const isKnown = isQualifiedName(name, change.types.namespaces);
  const definitions = isKnown ? change.types.of(holder).propertiesNamed(name) : [];
  return definitions.length > 0 && definitions.every((one) => one.onParentVersion === 'IGNORE' && !one.protected);
}

/** The node with the properties, and all that is wrong with them. */
function applied(change: Change, holder: ContentNode, input: SetPropertiesInput) {
  const errors: PropertyProblem[] = [];
  const properties: Record<string, Property> = { ...holder.properties };
  for (const given of input.properties) {
    const problem = apply(change, holder, properties, given);
    if (problem !== null) errors.push({ propertyName: given.name, message: problem });
  }
  const changed = { ...holder, properties };
  for (const { item, message } of errors.length > 0 ? [] : problemsOf(change, changed))
    errors.push({ propertyName: item ?? '', message });
  return { changed, errors };
}

/** What later operations of the same commit may add is missed at its end. */
function problemsOf(change: Change, changed: ContentNode): readonly NodeProblem[] {
  const problems = change.types.problems(change, changed);
  return change.isPart ? problems.filter(({ rule }) => !rule.startsWith('mandatory_')) : problems;
}

/** Sets or deletes one property; null, or what is wrong. */
function apply(
  change: Change,
  holder: ContentNode,
  properties: Record<string, Property>,
  given: GivenProperty,
): string | null {
  try {
    const name = qualifiedName(given.name, change.types.namespaces, 'property');
    const place = { path: change.pathOf(holder), effective: change.types.of(holder) };
    const present = properties[name];
    const property = propertyOf(change, { ...given, name }, { ...place, ...(present && { present }) });
    if (property === null) delete properties[name];
    else properties[name] = property;
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.message;
    throw thrown;
  }
}

/** A property as a client gives it: values not yet checked; bytes stored already; null deletes it. */
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
interface KeptValue {
  readonly keepIndex: number;
}

/** The bytes of an upload of the caller's, which is spent. */
interface UploadedValue {
  readonly uploadId: string;
}

/** Where a property is set. */
interface PropertyPlace {
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
