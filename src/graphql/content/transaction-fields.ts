import type { GivenProperty, NodeOperations } from '../../content/index.js';
import { badRequest } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';
import type { ContentOperation } from '../generated/schema.js';
import { preparedFile, preparedNode, propertiesIn } from './prepared-input.js';
import { givenProperties, uploadsIn } from './property-input.js';
import { versioned } from './tree-mutations.js';

type KeysOf<T> = T extends T ? keyof T : never;

/** What a transaction may do: the fields of ContentOperation. */
export type TransactionField = KeysOf<ContentOperation> & keyof NodeOperations;

/** An operation's input as the repository takes it: what must be stored before is stored. */
export interface PreparedStep {
  readonly input: unknown;
  /** The uploads that it spends. */
  readonly uploadIds: readonly string[];
}

/** `raw`: the operation's input as the client sent it. */
type Prepare<I> = (input: I, raw: unknown, blobs: BlobStore) => PreparedStep | Promise<PreparedStep>;

const step = (input: unknown, uploadIds: readonly string[] = []): PreparedStep => ({ input, uploadIds });
const asGiven = (input: object): PreparedStep => step(input);
const withVersion = (input: { readonly expectedVersion?: number | string | null }): PreparedStep =>
  step(versioned(input));

/** How each operation of a transaction is prepared. One more is a line here, and a field in the schema. */
export const transactionFields: {
  readonly [F in KeysOf<ContentOperation>]: Prepare<NonNullable<ContentOperation[F]>>;
} = {
  createFolder: asGiven,
  createFile: async (input, _, blobs) => step(await preparedFile(input, blobs)),
  createNode: async (input, raw, blobs) => {
    const prepared = await preparedNode(input, raw, blobs);
    return step(prepared, uploadsIn(prepared.properties));
  },
  deleteNode: withVersion,
  renameNode: withVersion,
  moveNode: withVersion,
  orderNode: withVersion,
  copyNode: withVersion,
  setProperties: async (input, raw, blobs) => {
    const given = await givenProperties(input.properties, propertiesIn(raw), blobs);
    const properties = given.map((one): GivenProperty => {
      if ('refused' in one) throw badRequest(`${one.name}: ${one.refused}`, { reason: 'properties_refused' });
      return one;
    });
    return step({ ...versioned(input), properties }, uploadsIn(properties));
  },
  addMixin: withVersion,
  deleteMixin: withVersion,
  setAccessControl: withVersion,
  deleteAccessControl: withVersion,
  lockNode: withVersion,
  unlockNode: withVersion,
  refreshLock: withVersion,
  completeMultipartUpload: (input) => step(versioned(input), [input.uploadId]),
  addVersionControl: withVersion,
  checkin: withVersion,
  checkout: withVersion,
  uncheckout: withVersion,
  checkpoint: withVersion,
  restoreVersion: withVersion,
  addVersionLabel: asGiven,
  removeVersionLabel: asGiven,
  deleteVersion: asGiven,
};
