import {
  type CopyAnswer,
  type GivenProperty,
  type NodeOperations,
  refusedStep,
  requireCount,
  type StepAnswer,
  type TransactionStep,
} from '../../content/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { rawArguments } from '../arguments.js';
import type { ContentOperation, ContentOperationResultResolvers, MutationResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';
import { spendingUploads, tellRefusedModels, versioned } from './change-node.js';
import { givenProperties, preparedFile, preparedNode, propertiesIn, uploadsIn } from './property-input.js';
import { tellOpenCopy } from './tree-mutations.js';

export const transactionMutations: Required<Pick<MutationResolvers, 'contentTransaction'>> = {
  async contentTransaction(_, { operations }, context, info) {
    requireCount(operations.length);
    const raw = rawArguments(info, context.variables).operations;
    const steps: (TransactionStep & PreparedStep)[] = [];
    for (const [index, one] of operations.entries())
      steps.push(await prepared(one, { index, raw: [raw].flat()[index], blobs: context.services.blobs }));
    const uploadIds = steps.flatMap((one) => one.uploadIds);
    const input = steps.map(({ field, input: given }) => ({ field, input: given }));
    const answer = await spendingUploads(context, uploadIds, () =>
      answerOf(context, info, context.services.content.api.contentTransaction, input),
    );
    for (const { field, answer: one } of answer) if (field === 'copyNode') tellOpenCopy(context, one as CopyAnswer);
    const changed = answer.flatMap(({ answer: one }) => nodeOf(one, context) ?? []);
    await tellRefusedModels(context, changed);
    return { results: answer };
  },
};

export const operationResultResolvers: ContentOperationResultResolvers = {
  operation: ({ field }) => field,
  node: ({ answer }, _, context) => nodeOf(answer, context) ?? null,
  ok: ({ answer }) => answer !== false,
};

interface Scene {
  readonly index: number;
  /** As the client sent it. */
  readonly raw: unknown;
  readonly blobs: BlobStore;
}

async function prepared(
  operation: ContentOperation,
  { index, raw, blobs }: Scene,
): Promise<TransactionStep & PreparedStep> {
  const [[field, input] = ['', undefined]] = Object.entries(operation);
  // The schema lets exactly one of its fields through.
  const prepare = transactionFields[field as TransactionField] as (
    ...args: unknown[]
  ) => ReturnType<(typeof transactionFields)['createFolder']>;
  const sent = (raw as Readonly<Record<string, unknown>> | undefined)?.[field];
  try {
    return { field, ...(await prepare(input, sent, blobs)) };
  } catch (thrown) {
    throw thrown instanceof ServiceError ? refusedStep(thrown, index, field) : thrown;
  }
}

function nodeOf(answer: StepAnswer['answer'], { content }: ApiContext) {
  const { nodeId } = (answer ?? {}) as { readonly nodeId?: unknown };
  return typeof nodeId === 'string' ? content.get(nodeId) : undefined;
}

type KeysOf<T> = T extends T ? keyof T : never;

/** Operations of a transaction: the fields of ContentOperation. */
type TransactionField = KeysOf<ContentOperation> & keyof NodeOperations;

/** An operation's input as the repository takes it: what must be stored before is stored. */
interface PreparedStep {
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
const transactionFields: {
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
