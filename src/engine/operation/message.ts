import { limitExceeded } from '../../shared/errors.js';
import { operation, type State } from '../../store/index.js';
import type { Subscription } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, missingArgument } from '../errors.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireStartRight } from '../rule/rights.js';
import { deliveryTo, type ThrownMessage } from '../run/delivery.js';
import { presentInstance } from '../run/instance-changes.js';
import { definitionOf, instanceOperation, sceneOf, startInstance } from '../run/instance-operation.js';
import { partitionJob } from '../run/job-operation.js';
import { findReceiver, type Message, receiverOf, remainingOf } from '../run/message-receiver.js';
import { type RunEnd, type RunScene, runInstance } from '../run/run-instance.js';
import { type Signal, type SignalReach, spreadSignal } from '../run/spread-signal.js';

/** Input of `correlateMessage`. */
interface CorrelateMessage extends Message {
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Gives a message to the one that waits for it: a token, else a message start event, whose definition then starts with the business key.
 * Answers the id of the instance that got it, run to where every token waits. Allowed to everyone signed in; starting as `startProcess` is.
 * @throws BAD_REQUEST (no name, a variable), NOT_FOUND (nothing waits), CONFLICT (several wait, with their count; the receiver is
 * suspended), EXECUTION_FAILED
 */
export const correlateMessage = (services: EngineServices) =>
  instanceOperation<CorrelateMessage, string>(
    'correlateMessage',
    (state, input, context) => {
      if (!input.messageName) throw missingArgument('messageName', 'the name of a message');
      bounded('messageName', input.messageName, 'eventName');
      bounded('businessKey', input.businessKey, 'name');
      const receiver = receiverOf(state, input);
      const scene = sceneOf(services, state, context);
      const end = receive(scene, receiver, input);
      return 'ask' in end ? end : scene.changes.decision(end.instance.id);
    },
    mailboxOfReceiver,
  );

function receive(scene: RunScene, receiver: Subscription, { businessKey, variables: given }: CorrelateMessage): RunEnd {
  const { state, context } = scene;
  const variables = typedVariables(given);
  const command = 'correlateMessage';
  if (receiver.instanceId === null) {
    const definition = definitionOf(state, receiver.definitionId);
    requireStartRight(context.caller, definition);
    const { elementId: element, part } = receiver;
    return startInstance(scene, { command, definition, element, part, businessKey: businessKey ?? null, variables });
  }
  const instance = presentInstance(state, receiver.instanceId);
  if (instance === undefined) throw instanceNotFound(receiver.instanceId);
  const input = { type: 'trigger', subscriptionId: receiver.id, variables } as const;
  return runInstance(scene, { command, instance, event: 'step', input });
}

/** Where several wait there is no one mailbox; deciding refuses it. */
function mailboxOfReceiver(state: State, input: CorrelateMessage): string | undefined {
  try {
    return findReceiver(state, input)?.instanceId ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * A message that a process threw, and that several waited for then, goes to the one of them that still does. Where none does it is lost. Sent by the
 * job. @throws CONFLICT (several wait)
 */
export const deliverMessage = (services: EngineServices) =>
  partitionJob(services, 'deliverMessage', ({ state, changes }, job) => {
    const { messageName, businessKey, steps, receivers } = job.input as ThrownMessage;
    const message = { messageName, businessKey };
    const receiver = receivers === undefined ? findReceiver(state, message) : remainingOf(state, receivers, message);
    if (receiver === undefined) return 'gone';
    changes.job(deliveryTo(state, receiver, { businessKey, variables: {}, steps }));
    return 'done';
  });

/** Input of `publishSignal`. */
interface PublishSignal {
  readonly signalName: string;
  /** Only receivers in this instance. Default: everywhere, start events included. */
  readonly processInstanceId?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Sends a signal to all that wait for it now, also to none; each gets it by a job of its own, so that one that fails holds up no other.
 * Answers what got it. Allowed to everyone signed in. @throws BAD_REQUEST (no name, a variable), LIMIT_EXCEEDED (variables beyond 16 kB)
 */
export const publishSignal = (services: EngineServices) =>
  operation<PublishSignal, SignalReach>('publishSignal', (state, input, context) => {
    const { signalName, processInstanceId } = input;
    if (!signalName) throw missingArgument('signalName', 'the name of a signal');
    bounded('signalName', signalName, 'eventName');
    const scene = sceneOf(services, state, context);
    const variables = typedVariables(input.variables);
    if (JSON.stringify(variables).length > SIGNAL_VARIABLES_MAX) throw signalTooLarge(signalName);
    const instanceId = processInstanceId || null;
    const reach = spreadSignal(scene, {
      signalName,
      variables,
      processInstanceId: instanceId,
      revision: state.revision,
      at: state.now,
      after: null,
    });
    return scene.changes.decision(reach);
  });

/** Characters of JSON: every receiver's job holds them. */
const SIGNAL_VARIABLES_MAX = 16_384;

const signalTooLarge = (name: string) =>
  limitExceeded(
    `expected at most ${SIGNAL_VARIABLES_MAX} characters of variables with signal '${name}', but found more`,
  );

/** A signal that a process threw, or what is left of one with many receivers, goes to the next 200. Sent by the job. */
export const broadcastSignal = (services: EngineServices) =>
  partitionJob(services, 'broadcastSignal', (scene, job) => {
    spreadSignal(scene, job.input as Signal);
    return 'done';
  });
