import { limitExceeded, ServiceError } from '../../shared/errors.js';
import { operation, type State } from '../../store/index.js';
import { instanceMeant } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, instanceNotIn, missingArgument } from '../errors.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { deliveryTo, type ThrownMessage } from '../run/delivery.js';
import { untilFollowed } from '../run/following.js';
import { presentInstance } from '../run/instance-changes.js';
import { sceneOf } from '../run/instance-operation.js';
import { partitionJob } from '../run/job-operation.js';
import { findReceiver, remainingOf } from '../run/message-receiver.js';
import { type SpreadMessage, spreadMessage } from '../run/spread-message.js';
import { type Signal, type SignalReach, spreadSignal } from '../run/spread-signal.js';

/**
 * A message that a process threw, and that several waited for then, goes to the one of them that still does. Where none does it is lost. Sent by the
 * job. @throws CONFLICT (several wait)
 */
export const deliverMessage = (services: EngineServices) =>
  partitionJob(services, 'deliverMessage', ({ state, changes }, job) => {
    const { messageName, businessKey, steps, receivers, variables = {} } = job.input as ThrownMessage;
    const message = { messageName, businessKey };
    const receiver = receivers === undefined ? findReceiver(state, message) : remainingOf(state, receivers, message);
    if (receiver === undefined) return 'gone';
    if ('ask' in receiver) return receiver;
    changes.job(deliveryTo(state, receiver, { businessKey, variables, steps }));
    return 'done';
  });

/** Input of `publishSignal`. */
interface PublishSignal {
  readonly signalName: string;
  /** Only receivers in this instance. Default: everywhere, start events included. */
  readonly processInstanceId?: string | null;
  /** Only what waits at this execution: `<instance>:<token>`. Default: all. */
  readonly executionId?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Sends a signal to all that wait for it now, also to none; each gets it by a job of its own, so that one that fails holds up no other.
 * Answers what got it. Allowed to everyone signed in. @throws BAD_REQUEST (no name, a variable), NOT_FOUND (the instance), CONFLICT (it is
 * suspended, the execution does not wait for it), LIMIT_EXCEEDED (variables beyond 16 kB)
 */
export const publishSignal = (services: EngineServices) =>
  operation<PublishSignal, SignalReach>('publishSignal', (state, input, context) => {
    const { signalName, executionId } = input;
    if (!signalName) throw missingArgument('signalName', 'the name of a signal');
    bounded('signalName', signalName, 'eventName');
    const scene = sceneOf(services, state, context);
    const variables = typedVariables(input.variables);
    if (JSON.stringify(variables).length > SIGNAL_VARIABLES_MAX) throw signalTooLarge(signalName);
    const instanceId = instanceMeant(input);
    if (instanceId !== null) requireOpen(state, instanceId);
    const waits = untilFollowed(services, state, { kind: 'signal', name: signalName, processInstanceId: instanceId });
    if (waits !== undefined) return waits;
    const reach = spreadSignal(scene, {
      signalName,
      variables,
      processInstanceId: instanceId,
      ...(executionId && { executionId }),
      revision: state.revision,
      at: state.now,
      after: null,
    });
    if (executionId) requireReached(reach, executionId, signalName);
    return scene.changes.decision(reach);
  });

/** @throws CONFLICT: nothing at the execution waits for it */
function requireReached({ receivers, hasMore }: SignalReach, executionId: string, signalName: string): void {
  if (receivers.length > 0 || hasMore) return;
  throw new ServiceError(
    'CONFLICT',
    `expected execution '${executionId}' to wait for signal '${signalName}', but it does not`,
    { reason: 'execution_not_signalled', resourceId: executionId },
  );
}

/** A signal for one instance alone is refused where that could not have it. @throws NOT_FOUND, CONFLICT (suspended) */
function requireOpen(state: State, instanceId: string): void {
  const instance = presentInstance(state, instanceId);
  if (instance === undefined) throw instanceNotFound(instanceId);
  if (instance.actor.value === 'suspended') throw instanceNotIn(instance, 'continue');
}

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

/** What is left of a message for all that wait goes to the next 200. Sent by the job. */
export const broadcastMessage = (services: EngineServices) =>
  partitionJob(services, 'broadcastMessage', (scene, job) => {
    const reach = spreadMessage(scene, job.input as SpreadMessage, scene.context.answers);
    return 'ask' in reach ? reach : 'done';
  });
