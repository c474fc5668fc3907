import { addDuration, parseDuration } from '../../expression/index.js';
import { badRequest } from '../../shared/errors.js';
import type { Answered, Asking, CommandContext, Decision, State } from '../../store/index.js';
import { type BufferedMessage, instanceMeant, type ProcessDefinition, type Subscription } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument, instanceNotFound, missingArgument, noReceiver } from '../errors.js';
import { correlationKeys } from '../rule/given-keys.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireStartRight } from '../rule/rights.js';
import { buffer, type PlaceInput, requireNew, withoutPayload } from '../run/buffered-messages.js';
import { untilFollowed } from '../run/following.js';
import { presentInstance } from '../run/instance-changes.js';
import { definitionOf, instanceOperation, sceneOf, startInstance } from '../run/instance-operation.js';
import { carried, type MessagePayload, startedWith } from '../run/message-payload.js';
import { findReceiver, RECEIVERS, receiverOf } from '../run/message-receiver.js';
import { jobNow } from '../run/new-job.js';
import { runInstance } from '../run/run-instance.js';
import { type CorrelatedReceiver, type Correlation, requireSmall, spreadMessage } from '../run/spread-message.js';
import { messageStartOf } from '../run/start-events.js';
import type { RunScene } from '../run/told-context.js';
import type { Message } from '../run/waiting-receivers.js';

/** Input of `correlateMessage` and `correlateMessages`. */
interface CorrelateMessage extends Pick<Message, 'messageName' | 'businessKey' | 'processInstanceId' | 'executionId'> {
  /** Only to start this definition, whichever version it is: no token gets the message. */
  readonly definitionId?: string | null;
  /** Variables of the receiver, or of a scope around it. */
  readonly correlationKeys?: unknown;
  /** Variables of the receiver's own scope. */
  readonly localCorrelationKeys?: unknown;
  /** Whether all that wait get it, also none. */
  readonly all?: boolean | null;
  /** For how long it waits where nobody does: a duration of ISO 8601. Default: not at all. */
  readonly timeToLive?: string | null;
  /** By which the same message is known again while its time lasts. */
  readonly messageId?: string | null;
  readonly variables?: readonly VariableInput[] | null;
  /** Set on the receiver's own scope. */
  readonly localVariables?: readonly VariableInput[] | null;
  /** Set on the scope that begins by it, where one does, else on the receiver's own. */
  readonly scopeVariables?: readonly VariableInput[] | null;
}

/**
 * Gives a message to the one that waits for it: a token, else a message start event, whose definition then starts with the business key; or to all
 * that wait. The one is run to where every token waits; each of all gets it by a job of its own, so that one that fails holds up no other.
 * Answers who has got it. Allowed to everyone signed in; starting as `startProcess` is.
 * With `timeToLive` it waits for the first that comes to wait for it, where nobody does now.
 * @throws BAD_REQUEST (no name, a variable), NOT_FOUND (nothing waits), CONFLICT (several wait, with their count; the receiver is
 * suspended), LIMIT_EXCEEDED (variables beyond 16 kB for all), EXECUTION_FAILED
 */
export const correlateMessages = (services: EngineServices) =>
  instanceOperation<CorrelateMessage, Correlation>(
    'correlateMessages',
    (state, input, context) => correlate(services, state, input, context),
    mailboxOfReceiver,
  );

/** As {@link correlateMessages}; answers the id of the first instance that has got it alone, an empty one where none has. */
export const correlateMessage = (services: EngineServices) =>
  instanceOperation<CorrelateMessage, string>(
    'correlateMessage',
    (state, input, context) => {
      const decided = correlate(services, state, input, context);
      return 'ask' in decided ? decided : { ...decided, answer: decided.answer.receivers[0]?.instanceId ?? '' };
    },
    mailboxOfReceiver,
  );

function correlate(
  services: EngineServices,
  state: State,
  input: CorrelateMessage,
  context: CommandContext,
): Correlated {
  const message = messageOf(input);
  const waits = input.definitionId ? undefined : untilFollowed(services, state, sentBy(message));
  if (waits !== undefined) return waits;
  const scene = sceneOf(services, state, withoutPlans(context));
  const payload = {
    variables: typedVariables(input.variables),
    localVariables: typedVariables(input.localVariables),
    ...(input.scopeVariables?.length && { scopeVariables: typedVariables(input.scopeVariables) }),
  };
  if (isGiven(input.timeToLive) || input.messageId)
    return toOneOrWait(scene, input, { message, payload }, context.answers);
  if (input.definitionId) return startOf(scene, input, payload);
  if (input.all) return toAll(scene, message, payload, context.answers);
  const receiver = receiverOf(state, message, context.answers);
  return 'ask' in receiver ? receiver : toOne(scene, receiver, message, payload);
}

const sentBy = ({ messageName: name, ...only }: Message) => ({ kind: 'message' as const, name, ...only });

/** @throws BAD_REQUEST, LIMIT_EXCEEDED */
function messageOf(input: CorrelateMessage): Message {
  const { messageName, businessKey, executionId } = input;
  if (!messageName) throw missingArgument('messageName', 'the name of a message');
  bounded('messageName', messageName, 'eventName');
  bounded('businessKey', businessKey, 'name');
  return {
    messageName,
    businessKey,
    // A token is its instance's.
    processInstanceId: instanceMeant(input),
    executionId,
    keys: correlationKeys('correlationKeys', input.correlationKeys),
    localKeys: correlationKeys('localCorrelationKeys', input.localCorrelationKeys),
  };
}

/** What the reader has found is told to the choice of the receiver, and kept with no run. */
const withoutPlans = (context: CommandContext): CommandContext =>
  context.answers.some(isPlan)
    ? { ...context, answers: context.answers.filter((answered) => !isPlan(answered)) }
    : context;

const isPlan = ({ ask }: Answered): boolean => ask.kind === RECEIVERS;

type Correlated = Decision<Correlation> | Asking;

function toOne(scene: RunScene, receiver: Subscription, { businessKey }: Message, payload: MessagePayload): Correlated {
  const { instanceId, definitionId, elementId, executionId, part } = receiver;
  if (instanceId === null) {
    const definition = definitionOf(scene.state, definitionId);
    return begin(scene, definition, { elementId, part }, { businessKey: businessKey ?? null, payload });
  }
  const instance = presentInstance(scene.state, instanceId);
  if (instance === undefined) throw instanceNotFound(instanceId);
  const input = { type: 'trigger', subscriptionId: receiver.id, ...carried(payload) } as const;
  const end = runInstance(scene, { command: 'correlateMessage', instance, event: 'step', input });
  if ('ask' in end) return end;
  return correlated(scene, { instanceId, isStarted: false, activityId: elementId, executionId });
}

interface Begun {
  readonly businessKey: string | null;
  readonly payload: MessagePayload;
}

/** An instance begins by the message, with all that this carries. */
function begin(
  scene: RunScene,
  definition: ProcessDefinition,
  { elementId, part }: { readonly elementId: string; readonly part?: number | undefined },
  { businessKey, payload }: Begun,
): Correlated {
  requireStartRight(scene.context.caller, definition);
  const variables = startedWith(payload);
  const request = { command: 'correlateMessage', definition, element: elementId, part, businessKey, variables };
  const end = startInstance(scene, request);
  if ('ask' in end) return end;
  return correlated(scene, { instanceId: end.instance.id, isStarted: true, activityId: elementId, executionId: null });
}

const correlated = ({ changes }: RunScene, receiver: CorrelatedReceiver): Correlated =>
  changes.decision({ receivers: [receiver], hasMore: false, bufferedId: null });

/** The definition starts, also where a newer version of it takes the message. @throws BAD_REQUEST (what only tokens have), NOT_FOUND */
function startOf(scene: RunScene, input: CorrelateMessage, payload: MessagePayload): Correlated {
  const { messageName, businessKey, definitionId } = input;
  if (input.processInstanceId || input.executionId || input.correlationKeys || input.localCorrelationKeys) {
    throw badRequest(
      "expected no 'processInstanceId', 'executionId', 'correlationKeys' or 'localCorrelationKeys' beside 'definitionId', for what the message starts has none of them yet",
      { reason: 'argument_invalid', details: { argument: 'definitionId' } },
    );
  }
  const definition = definitionOf(scene.state, definitionId ?? '');
  const start = messageStartOf(scene.services.programs.of(scene.state, definition.id), messageName);
  if (start === undefined) throw noReceiver(messageName, ` in process definition '${definition.id}'`);
  return begin(scene, definition, start, { businessKey: businessKey ?? null, payload });
}

function toAll(scene: RunScene, message: Message, payload: MessagePayload, answers: readonly Answered[]): Correlated {
  const { state, changes } = scene;
  const reach = spreadMessage(scene, { message, ...payload, revision: state.revision, after: null }, answers);
  return 'ask' in reach ? reach : changes.decision(reach);
}

/** A message that waits where nobody waits for it. @throws BAD_REQUEST, ALREADY_EXISTS (it has come before), CONFLICT (several wait), LIMIT_EXCEEDED */
function toOneOrWait(
  scene: RunScene,
  input: CorrelateMessage,
  { message, payload }: { readonly message: Message; readonly payload: MessagePayload },
  answers: readonly Answered[],
): Correlated {
  const { state, changes } = scene;
  const kept = keptMessage(scene, input, message, payload);
  requireNew(state, kept);
  const receiver = findReceiver(state, message, answers);
  if (receiver !== undefined && 'ask' in receiver) return receiver;
  if (receiver === undefined) {
    buffer(scene, kept);
    if (answers.some(isPlan)) lookAgain(scene, kept);
    return changes.decision({ receivers: [], hasMore: false, bufferedId: kept.id });
  }
  if (kept.messageId !== null) buffer(scene, withoutPayload(kept));
  return toOne(scene, receiver, message, payload);
}

/** The reader has not seen the very last ones that have come to wait. */
function lookAgain({ state, changes }: RunScene, { id: messageId }: BufferedMessage): void {
  const input: PlaceInput = { messageId };
  changes.job({ ...jobNow(state), type: 'placeMessage', input });
}

function keptMessage(
  { state, context }: RunScene,
  { timeToLive, messageId, all, definitionId, executionId }: CorrelateMessage,
  { messageName, businessKey, processInstanceId, keys = [], localKeys = [] }: Message,
  payload: MessagePayload,
): BufferedMessage {
  if (!isGiven(timeToLive))
    throw missingArgument('timeToLive', "a duration of ISO 8601 such as 'PT1H' beside 'messageId'");
  if (all || definitionId || executionId) throw notBeside(all ? 'all' : definitionId ? 'definitionId' : 'executionId');
  requireSmall(messageName, payload);
  const { userId, groups, roles } = context.caller;
  return {
    id: state.ids.next(),
    messageName,
    messageId: bounded('messageId', messageId, 'name') || null,
    businessKey: businessKey || null,
    instanceId: processInstanceId || null,
    keys,
    localKeys,
    ...payload,
    ...{ userId, groups, roles },
    created: state.now,
    expires: endOf(timeToLive, state.now),
    taken: false,
  };
}

/** An empty text is given, and is no duration. */
const isGiven = (text: string | null | undefined): text is string => text !== null && text !== undefined;

function endOf(timeToLive: string, now: number): number {
  const end = addDuration(now, parseDuration(timeToLive));
  if (end > now) return end;
  throw badArgument('timeToLive', 'a duration above zero', timeToLive);
}

const notBeside = (argument: string) =>
  badRequest(`expected no '${argument}' beside 'timeToLive': what waits is for one that comes to wait`, {
    reason: 'argument_invalid',
    details: { argument },
  });

/** Where several wait there is no one mailbox; deciding refuses it. Of those that the reader finds it is known once it has. */
function mailboxOfReceiver(state: State, input: CorrelateMessage, answers: readonly Answered[]): string | undefined {
  if (input.all || input.definitionId) return undefined;
  try {
    const receiver = findReceiver(state, messageOf(input), answers);
    return receiver === undefined || 'ask' in receiver ? undefined : (receiver.instanceId ?? undefined);
  } catch {
    return undefined;
  }
}
