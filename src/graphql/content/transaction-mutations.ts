import {
  type CopyAnswer,
  refusedStep,
  requireCount,
  type StepAnswer,
  type TransactionStep,
} from '../../content/index.js';
import { ServiceError } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { rawArguments } from '../arguments.js';
import type { ContentOperation, ContentOperationResultResolvers, MutationResolvers } from '../generated/schema.js';
import { mutate } from '../mutate.js';
import { tellOpenCopy } from './copy-mutations.js';
import { tellRefusedModels } from './refused-models.js';
import { spendingUploads } from './spending-uploads.js';
import { type PreparedStep, type TransactionField, transactionFields } from './transaction-fields.js';

export const transactionMutations: Required<Pick<MutationResolvers, 'contentTransaction'>> = {
  async contentTransaction(_, { operations }, context, info) {
    requireCount(operations.length);
    const raw = rawArguments(info, context.variables).operations;
    const steps: (TransactionStep & PreparedStep)[] = [];
    for (const [index, one] of operations.entries())
      steps.push(await prepared(one, { index, raw: [raw].flat()[index], blobs: context.services.blobs }));
    const uploadIds = steps.flatMap((one) => one.uploadIds);
    const input = steps.map(({ field, input: given }) => ({ field, input: given }));
    const { answer } = await spendingUploads(context, uploadIds, () =>
      mutate(context, info, context.services.content.api.contentTransaction, input),
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
