import {
  activitiesIn,
  instanceOfExecution,
  type ProcessInstance,
  presentSubscription,
  type Subscription,
  subscriptions,
} from '../../engine/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { instancesIn } from './instance-history.js';
import { flag, is, listRoutes, nothing } from './list-route.js';
import { seenInstance } from './process-dto.js';
import { instant, type Json, type RestAnswer, type RestCall, type RestRoute, textIn, unfit } from './rest-call.js';
import { type Given, type ToldList, told, toldRoutes } from './told-list.js';
import { variablesIn } from './variable-value.js';

// What executions wait for, what Camunda's clients send to them, and signals to all. An execution is `<instance>:<token>`.

const subscriptionList = listRoutes<Subscription>({
  path: 'event-subscription',
  collection: subscriptions,
  always: [],
  filters: {
    eventSubscriptionId: is('id'),
    eventType: is('eventType'),
    eventName: is('eventName'),
    processInstanceId: is('instanceId'),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  // Ids are of when they were made.
  sorts: { created: 'id' },
  sorted: 'id',
  present: presentSubscription,
  dto: (_, subscription) => subscriptionDto(subscription),
});

/** Camunda's EventSubscriptionDto. */
const subscriptionDto = (subscription: Subscription): Json => ({
  id: subscription.id,
  eventType: subscription.eventType,
  eventName: subscription.eventName,
  executionId: subscription.executionId,
  processInstanceId: subscription.instanceId,
  activityId: subscription.elementId,
  createdDate: instant(subscription.created),
  tenantId: null,
});

/** How many subscriptions of an instance are looked at. */
const SUBSCRIPTIONS_MAX = 1_000;

/** A receive task goes on, or an event that waits for a message, whatever its name. */
async function signalExecution(call: RestCall): Promise<RestAnswer> {
  return deliver(call, receiverOf(call).eventName);
}

const triggerMessage = (call: RestCall): Promise<RestAnswer> => deliver(call, call.param('name'));

async function deliver(call: RestCall, messageName: string): Promise<RestAnswer> {
  const id = call.param('id');
  await call.sendAndSettle(call.services.api.correlateMessage, {
    messageName,
    ...(isInstance(id) ? { processInstanceId: id } : { executionId: id }),
    variables: variablesIn(call.json(), 'variables'),
  });
  return null;
}

/** Camunda's id of an instance is that of an execution, too. */
const isInstance = (id: string): boolean => !id.includes(':');

/** What waits there for a message itself, and not by a boundary event or one behind a gateway. @throws NOT_FOUND, CONFLICT */
function receiverOf(call: RestCall): Subscription {
  const { state, services } = call;
  const id = call.param('id');
  const instance = seenInstance(call, instanceOfExecution(id));
  const { elements } = services.programs.of(state, instance.definitionId);
  const types = new Map(elements.map((element) => [element.id, element]));
  const waits = ({ eventType, elementId, executionId }: Subscription): boolean => {
    const element = types.get(elementId);
    const isThere = isInstance(id) || executionId === id;
    return isThere && eventType === 'message' && (element?.type === 'receiveTask' || isCaught(element));
  };
  const found = state.find(subscriptions, 'instance', [instance.id], { limit: SUBSCRIPTIONS_MAX }).filter(waits);
  const [receiver, ...more] = found;
  if (receiver !== undefined && more.length === 0) return receiver;
  throw new ServiceError(
    'CONFLICT',
    `expected one receive task or message event to wait at execution '${id}', but found ${found.length}`,
    { reason: 'execution_not_signalled', resourceId: id, details: { found: found.length } },
  );
}

const isCaught = (element: { readonly type: string } | undefined): boolean =>
  element?.type === 'intermediateCatchEvent';

/** Camunda's SignalDto. */
async function signal(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const signalName = textIn(json, 'name');
  if (signalName === undefined) throw badRequest('No signal name given', { reason: 'argument_missing' });
  if (textIn(json, 'tenantId') !== undefined) throw unfit('tenantId', 'nothing', json.tenantId);
  const id = textIn(json, 'executionId');
  await call.sendAndSettle(call.services.api.publishSignal, {
    signalName,
    ...(id === undefined || isInstance(id) ? { processInstanceId: id ?? null } : { executionId: id }),
    variables: variablesIn(json, 'variables'),
  });
  return null;
}

/** Camunda's ExecutionDto. */
const executionDto = (processInstanceId: string, id: string): Json => ({
  ...{ id, processInstanceId, ended: false, tenantId: null },
});

/** Those of instances that run: each instance itself, and what goes on in it. */
const executionList: ToldList = {
  path: 'execution',
  all: (call, given) =>
    instancesIn(call, given)
      .filter(({ endTime }) => endTime === null)
      .flatMap((instance) => [
        ...(given.has('activityId') ? [] : [executionDto(instance.id, instance.id)]),
        ...executionsIn(call, instance, given),
      ]),
  filters: { processInstanceId: told, processInstanceIdIn: told, activityId: told },
  sorts: { instanceId: 'processInstanceId' },
};

function executionsIn({ state, services }: RestCall, instance: ProcessInstance, given: Given): readonly Json[] {
  const activityIds = given.get('activityId');
  const all = activitiesIn(state, instance, services.programs.of(state, instance.definitionId));
  const wanted = all.filter(({ activityId }) => activityIds === undefined || activityIds.includes(activityId));
  return wanted.map(({ executionId }) => executionDto(instance.id, executionId));
}

/** Routes of executions, event subscriptions and signals. */
export const executionRoutes: readonly RestRoute[] = [
  ...subscriptionList,
  ...toldRoutes(executionList),
  { method: 'POST', path: 'execution/:id/signal', answer: signalExecution },
  { method: 'POST', path: 'execution/:id/messageSubscriptions/:name/trigger', answer: triggerMessage },
  { method: 'POST', path: 'signal', answer: signal },
];
