import { bufferedMessages, processDefinitions, subscriptions } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import {
  isAny,
  lookForBuffered,
  messageFor,
  messageToStart,
  type PlaceInput,
  type TakeInput,
  taken,
} from '../run/buffered-messages.js';
import { holdJob, presentInstance } from '../run/instance-changes.js';
import { startInstance } from '../run/instance-operation.js';
import { instanceWork, partitionJob } from '../run/job-operation.js';
import { carried, startedWith } from '../run/message-payload.js';
import { waitingPage } from '../run/message-receiver.js';
import { jobNow } from '../run/new-job.js';
import { presentSubscription } from '../run/present.js';
import { runInstance } from '../run/run-instance.js';

/**
 * Operation in which a subscription takes the oldest message that has come before for it: both in one commit, so that each message is taken once. Where it does
 * not wait any more, or there is no message, nothing happens. Sent by the job.
 */
export const takeMessage = (services: EngineServices) =>
  instanceWork(services, 'takeMessage', (scene, job) => {
    const { state } = scene;
    const found = state.get(subscriptions, (job.input as TakeInput).subscriptionId);
    const subscription = found && presentSubscription(state, found);
    const instance = presentInstance(state, job.instanceId ?? '');
    if (subscription === undefined || instance?.endTime !== null) return 'gone';
    if (instance.actor.value === 'suspended') {
      holdJob(scene, job);
      return 'held';
    }
    const message = messageFor(state, subscription, instance);
    if (message === undefined) return 'gone';
    taken(scene, message);
    const input = { type: 'trigger', subscriptionId: subscription.id, ...carried(message) } as const;
    return runInstance(scene, { command: 'takeMessage', instance, event: 'step', input });
  });

/** A process that is newly deployed starts by the messages that have come before, one for each: the next one by the next job. Sent by the job. */
export const startByMessage = (services: EngineServices) =>
  partitionJob(services, 'startByMessage', (scene, job) => {
    const { state, changes, context } = scene;
    const subscription = state.get(subscriptions, (job.input as TakeInput).subscriptionId);
    const definition = state.get(processDefinitions, subscription?.definitionId ?? '');
    if (subscription === undefined || definition?.suspended !== false) return 'gone';
    const message = messageToStart(state, subscription.eventName, definition);
    if (message === undefined) return 'gone';
    taken(scene, message);
    const { definitionId, definitionKey, activityId, input } = job;
    if (isAny(state, subscription.eventName))
      changes.job({ ...jobNow(state), type: 'takeMessage', definitionId, definitionKey, activityId, input });
    const { elementId: element, part } = subscription;
    const { businessKey, userId } = message;
    const asSender = { ...scene, context: { ...context, caller: { ...context.caller, userId } } };
    return startInstance(asSender, {
      command: 'startByMessage',
      definition,
      element,
      part,
      businessKey,
      variables: startedWith(message),
    });
  });

/**
 * Who came to wait between the look of a reader's thread and the commit of the message has not looked for it, nor has the message seen them: they look now.
 * Sent by the job.
 */
export const placeMessage = (services: EngineServices) =>
  partitionJob(services, 'placeMessage', (scene, job) => {
    const { state, context } = scene;
    const message = state.get(bufferedMessages, (job.input as PlaceInput).messageId);
    if (message?.taken !== false) return 'gone';
    const sought = { ...message, processInstanceId: message.instanceId };
    const page = waitingPage(state, sought, { after: null, size: 1 }, context.answers);
    if ('ask' in page) return page;
    for (const each of page.found) lookForBuffered(scene, each);
    return 'done';
  });

/** The time of a message that waits is over. Sent by the job. */
export const endMessage = (services: EngineServices) =>
  partitionJob(services, 'endMessage', ({ state, changes }, job) => {
    if (state.get(bufferedMessages, job.id) === undefined) return 'gone';
    changes.remove(bufferedMessages, job.id);
    return 'done';
  });
