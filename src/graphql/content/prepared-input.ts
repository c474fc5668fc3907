import { base64Bytes, type GivenProperty } from '../../content/index.js';
import { badRequest } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';
import type { CreateFileInput, CreateNodeInput } from '../generated/schema.js';
import { givenProperties, storedBytes } from './property-input.js';

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
