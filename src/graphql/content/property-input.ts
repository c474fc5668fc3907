import {
  base64Bytes,
  type GivenProperty,
  type GivenValue,
  type PropertyType,
  storedBytes,
  storedText,
} from '../../content/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { isUnicode } from '../../shared/sound-text.js';
import type { BlobStore } from '../../store/index.js';
import type { CreateFileInput, CreateNodeInput, PropertyInput, PropertyValueInput } from '../generated/schema.js';

type Field = keyof PropertyValueInput;

/** The type of each field whose value is the property's own. */
const SINGLE: Readonly<Partial<Record<Field, PropertyType>>> = {
  stringValue: 'String',
  longValue: 'Long',
  doubleValue: 'Double',
  decimalValue: 'Decimal',
  booleanValue: 'Boolean',
  dateValue: 'Date',
  binaryValue: 'Binary',
  nameValue: 'Name',
  pathValue: 'Path',
  referenceValue: 'Reference',
  weakReferenceValue: 'WeakReference',
  uriValue: 'URI',
};

const MULTIPLE: Readonly<Partial<Record<Field, PropertyType>>> = {
  stringArrayValue: 'String',
  longArrayValue: 'Long',
  doubleArrayValue: 'Double',
  decimalArrayValue: 'Decimal',
  booleanArrayValue: 'Boolean',
  dateArrayValue: 'Date',
  nameArrayValue: 'Name',
  pathArrayValue: 'Path',
  referenceArrayValue: 'Reference',
  weakReferenceArrayValue: 'WeakReference',
  uriArrayValue: 'URI',
};

/** A property that cannot be taken, said in the words of its refusal. */
interface RefusedProperty {
  readonly name: string;
  readonly refused: string;
}

/**
 * The properties as the repository takes them: bytes and long texts are stored before the commit may name them. `raw`: the same list as the
 * client sent it, where a point in time has its zone still.
 */
export function givenProperties(
  inputs: readonly PropertyInput[],
  raw: unknown,
  blobs: BlobStore,
): Promise<(GivenProperty | RefusedProperty)[]> {
  const sent = Array.isArray(raw) ? (raw as readonly unknown[]) : [];
  return Promise.all(inputs.map((input, at) => givenProperty(input, valueIn(sent[at]), blobs)));
}

const valueIn = (raw: unknown): Readonly<Record<string, unknown>> =>
  ((raw as { value?: unknown } | null | undefined)?.value ?? {}) as Readonly<Record<string, unknown>>;

async function givenProperty(
  { name, value }: PropertyInput,
  raw: Readonly<Record<string, unknown>>,
  blobs: BlobStore,
): Promise<GivenProperty | RefusedProperty> {
  if (value == null) return { name, value: null };
  const fields = Object.keys(value) as Field[];
  const [field] = fields;
  if (field === undefined || fields.length > 1) {
    const found = fields.length === 0 ? 'none' : fields.join(' and ');
    return { name, refused: `expected exactly one field of PropertyValueInput for '${name}', but found ${found}` };
  }
  if (value[field] === null) return { name, refused: `expected a value in '${field}' of '${name}', but found null` };
  try {
    return { name, value: await givenValue(field, value, raw[field] ?? value[field], blobs) };
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'BAD_REQUEST') return { name, refused: thrown.message };
    throw thrown;
  }
}

async function givenValue(
  field: Field,
  value: PropertyValueInput,
  sent: unknown,
  blobs: BlobStore,
): Promise<GivenValue> {
  const single = SINGLE[field];
  if (single !== undefined)
    return {
      type: single,
      multiple: false,
      values: [await stored(single, field === 'dateValue' ? sent : value[field], blobs)],
    };
  const type = MULTIPLE[field];
  if (type !== undefined) {
    const values = (type === 'Date' ? sent : value[field]) as readonly unknown[];
    return { type, multiple: true, values: await Promise.all([values].flat().map((one) => stored(type, one, blobs))) };
  }
  if (field === 'binaryUploadId')
    return { type: 'Binary', multiple: false, values: [{ uploadId: value.binaryUploadId }] };
  if (field === 'binaryArrayUploadIds')
    return {
      type: 'Binary',
      multiple: true,
      values: (value.binaryArrayUploadIds ?? []).map((uploadId) => ({ uploadId })),
    };
  return { type: 'Binary', multiple: true, values: (value.binaryArrayItems ?? []).map(binaryItem) };
}

function binaryItem({
  keepIndex,
  uploadId,
}: {
  readonly keepIndex?: number | null;
  readonly uploadId?: string | null;
}) {
  if ((keepIndex == null) === (uploadId == null))
    throw badRequest("expected exactly one of 'keepIndex' and 'uploadId' in each item of 'binaryArrayItems'");
  return keepIndex == null ? { uploadId } : { keepIndex };
}

/** What is too large for a node's document goes to a blob. @throws BAD_REQUEST a text that would not come back as it is */
async function stored(type: PropertyType, value: unknown, blobs: BlobStore): Promise<unknown> {
  if (type === 'Binary') return storedBytes(base64Bytes('binaryValue', String(value)), blobs);
  if (typeof value !== 'string') return value;
  if (!isUnicode(value))
    throw badRequest('expected a text without halves of surrogate pairs as a value, but there are some', {
      reason: 'invalid_text',
    });
  return type === 'String' ? storedText(value, blobs) : value;
}

/** The uploads whose bytes are among the values. */
export const uploadsIn = (properties: readonly GivenProperty[]): string[] =>
  properties.flatMap(({ value }) =>
    (value?.values ?? []).flatMap((one) => {
      const { uploadId } = (one ?? {}) as { readonly uploadId?: unknown };
      return typeof uploadId === 'string' ? [uploadId] : [];
    }),
  );

/** A file to be made, as the repository takes it: its bytes are stored. */
export async function preparedFile({ content, ...input }: CreateFileInput, blobs: BlobStore) {
  return { ...input, content: await storedBytes(base64Bytes('content', content), blobs) };
}

/** A node to be made, as the repository takes it. `raw`: as the client sent it. @throws BAD_REQUEST a property cannot be taken */
export async function preparedNode(input: CreateNodeInput, raw: unknown, blobs: BlobStore) {
  const given = await givenProperties(input.properties ?? [], propertiesIn(raw), blobs);
  const properties = given.map((one): GivenProperty => {
    if ('refused' in one) throw badRequest(one.refused);
    return one;
  });
  return { ...input, properties };
}

/** The list of properties in an argument as it was sent. */
export const propertiesIn = (raw: unknown): unknown => (raw as { properties?: unknown } | null | undefined)?.properties;
