import type { GraphQLResolveInfo } from 'graphql';
import type { ContentNode, ContentOperation, NodeAnswer } from '../../content/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { isFinal } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { answerOf, required } from '../mutate.js';

/** Sends the command, and gives the node that it was about as it is then. */
export async function changeNode<I>(
  context: ApiContext,
  info: GraphQLResolveInfo,
  { operation }: ContentOperation<I, NodeAnswer>,
  input: I,
): Promise<ContentNode> {
  const answer = await answerOf(context, info, operation, input);
  return required(context.content.get(answer.nodeId), 'node', answer.nodeId);
}

/** As {@link changeNode}, where it may have brought models. */
export async function storeNode<I>(
  context: ApiContext,
  info: GraphQLResolveInfo,
  operation: ContentOperation<I, NodeAnswer>,
  input: I,
): Promise<ContentNode> {
  const node = await changeNode(context, info, operation, input);
  await tellRefusedModels(context, [node]);
  return node;
}

/** The input with its version as a number. */
export function versioned<I extends { readonly expectedVersion?: number | string | null }>(
  input: I,
): Omit<I, 'expectedVersion'> & { readonly expectedVersion: number | null } {
  return { ...input, expectedVersion: input.expectedVersion == null ? null : Number(input.expectedVersion) };
}

/**
 * Does work that spends uploads: what they have of bytes is made blobs before. An upload that the caller does not have is for the work to
 * refuse: with an idempotency key it may have been spent by this very call, sent before.
 * @throws CONFLICT (its bytes are lost), UNAVAILABLE (the disk failed); whatever the work throws
 */
export async function spendingUploads<T>(
  context: ApiContext,
  uploadIds: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const { services, workspace, caller } = context;
  for (const uploadId of new Set(uploadIds)) {
    await workspace.partition.send(services.content.jobs.sealUpload, { uploadId }, { caller });
  }
  return work();
}

/**
 * Does work that spends an upload, which ends also when the work is refused; not when the same call may be repeated and succeed (UNAVAILABLE,
 * RATE_LIMITED), or when the failure is the server's own.
 */
export async function endingUpload<T>(context: ApiContext, uploadId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError && isFinal(thrown)) await giveUp(context, uploadId);
    throw thrown;
  }
}

/** Fails with a log line alone: the caller hears why the work was refused, and the upload ends by itself in a day. */
async function giveUp({ services, workspace, caller }: ApiContext, uploadId: string): Promise<void> {
  try {
    await workspace.partition.send(services.content.api.abortMultipartUpload, { uploadId }, { caller });
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown), uploadId }, 'the upload of a refused call could not be given up');
  }
}

/** Tells in the answer which models among the nodes and below them are not deployed, once that is known: they are stored all the same. */
export async function tellRefusedModels(context: ApiContext, changed: readonly ContentNode[]): Promise<void> {
  const paths = changed.flatMap((node) => context.content.tree.pathOf(node) ?? []);
  const asked = context.services.deployer.refusedAt(context.workspace.partition, paths, context.caller);
  if (asked === null) return;
  context.aside(true);
  try {
    for (const { nodeId, ...model } of await asked)
      if (context.content.get(nodeId) !== undefined) context.refused(model);
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown), paths }, 'models are deployed later');
  } finally {
    context.aside(false);
  }
}
