import { createHash } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import { isReserved } from '../identity/index.js';
import { ServiceError } from '../shared/errors.js';
import type { Operation, PartitionPort, Sent } from '../store/index.js';
import type { ApiContext } from './api-context.js';

/**
 * Sends a command of a mutation field; resolves when it is durable. With an idempotency key the same field of the same request gives the
 * same answer again; `compared`: what the same request has the same of, where the input is another one each time.
 */
export async function mutate<I, A>(
  context: ApiContext,
  info: Pick<GraphQLResolveInfo, 'path'>,
  operation: Operation<I, A>,
  input: I,
  compared?: unknown,
): Promise<Sent<A>> {
  const sent = await send(context, context.workspace.partition, info, { operation, input, compared });
  context.changed(sent.revision);
  return sent;
}

/** The answer of a command of a mutation field to `system`, whichever workspace is asked; a key is one of that workspace all the same. */
export async function systemAnswerOf<I, A>(
  context: ApiContext,
  info: Pick<GraphQLResolveInfo, 'path'>,
  operation: Operation<I, A>,
  input: I,
): Promise<A> {
  const { answer, revision } = await send(context, context.services.system(), info, { operation, input });
  context.changedSystem(revision);
  return answer;
}

interface Sending<I, A> {
  readonly operation: Operation<I, A>;
  readonly input: I;
  readonly compared?: unknown;
}

async function send<I, A>(
  context: ApiContext,
  partition: PartitionPort,
  { path }: Pick<GraphQLResolveInfo, 'path'>,
  { operation, input, compared }: Sending<I, A>,
): Promise<Sent<A>> {
  const { caller, aside, idempotencyKey } = context;
  const commandId = idempotencyKey === undefined ? {} : { commandId: commandIdOf(context, idempotencyKey, path) };
  const sent = await partition.send(operation, input, {
    ...{ caller, aside, ...commandId },
    ...(compared !== undefined && { compared }),
  });
  context.committed(path);
  return sent;
}

/** As {@link mutate}, where the operation's answer is all that is wanted. */
export async function answerOf<I, A>(
  context: ApiContext,
  info: Pick<GraphQLResolveInfo, 'path'>,
  operation: Operation<I, A>,
  input: I,
  compared?: unknown,
): Promise<A> {
  return (await mutate(context, info, operation, input, compared)).answer;
}

/** As {@link mutate}; then waits until no call or continuation is running that the command set off. */
export async function mutateAndSettle<I, A>(
  context: ApiContext,
  info: Pick<GraphQLResolveInfo, 'path'>,
  operation: Operation<I, A>,
  input: I,
): Promise<Sent<A>> {
  const sent = await mutate(context, info, operation, input);
  await settled(context, sent.commandId);
  context.changed(sent.revision);
  return sent;
}

/** Resolves when no call or continuation is running that the command set off, or nobody should wait for it any longer. */
export async function settled({ workspace, services, aside }: ApiContext, commandId: string): Promise<void> {
  aside(true);
  await workspace.partition.replica.settled(commandId, services.answerWaitMs);
  aside(false);
}

/** The thing, which somebody else may have ended between the change and this look. @throws NOT_FOUND */
export function required<T>(thing: T | null | undefined, what: string, id: string): T {
  if (thing !== null && thing !== undefined) return thing;
  throw new ServiceError('NOT_FOUND', `expected a ${what} with id '${id}', but it is gone by now`, {
    reason: `${what.replaceAll(' ', '_')}_not_found`,
    resourceId: id,
  });
}

type Path = GraphQLResolveInfo['path'];

function commandIdOf({ caller, workspace }: ApiContext, key: string, path: Path): string {
  // Another user that has the name later gets no answer to the former one's commands. Nobody is given a reserved name, and those of former versions
  // had no other: what these have answered is answered again.
  const { userId, principalId = userId } = caller;
  const named = [workspace.partition.id, isReserved(userId) ? userId : principalId, key, pathOf(path)];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}

const pathOf = (path: Path): (string | number)[] => [...(path.prev ? pathOf(path.prev) : []), path.key];
