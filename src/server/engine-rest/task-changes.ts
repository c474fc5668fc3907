import { badRequest } from '../../shared/errors.js';
import {
  dateIn,
  type Json,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  unfit,
  wholeIn,
} from './rest-call.js';
import { DELEGATIONS, seenTask } from './task-lists.js';

// What a task says, and who has to do with it, as Camunda's clients change it.

/** Camunda's TaskDto, whole: as there, what it leaves out the task has no more. */
async function update(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const task = seenTask(call);
  const delegation = textIn(json, 'delegationState') ?? null;
  const present = DELEGATIONS[task.actor.value] ?? null;
  if (delegation !== null && delegation !== present)
    throw unfit('delegationState', `'${present}', for delegate and resolve change it`, delegation);
  await call.send(call.services.api.updateTask, {
    taskId: task.id,
    name: textIn(json, 'name') ?? null,
    description: textIn(json, 'description') ?? null,
    priority: wholeIn(json, 'priority') ?? 0,
    due: dateIn(json, 'due') ?? null,
    followUp: dateIn(json, 'followUp') ?? null,
    assignee: textIn(json, 'assignee') ?? null,
    owner: textIn(json, 'owner') ?? null,
  });
  return null;
}

/** Camunda's IdentityLinkDto is added, or taken away. */
const changeLink = (isAdded: boolean) => async (call: RestCall) => {
  await call.send(call.services.api.updateTask, { taskId: seenTask(call).id, ...linked(call.json(), isAdded) });
  return null;
};

/** What a link changes of a task. @throws BAD_REQUEST */
function linked(json: Json, isAdded: boolean) {
  const [userId, groupId, type] = [textIn(json, 'userId'), textIn(json, 'groupId'), textIn(json, 'type')];
  const id = userId ?? groupId;
  if (id === undefined || (userId !== undefined && groupId !== undefined))
    throw badRequest('Identity Link requires userId or groupId, but not both.', { reason: 'argument_invalid' });
  const of = userId === undefined ? 'candidateGroups' : 'candidateUsers';
  if (type === 'candidate') return { candidate: { id, of, isAdded } } as const;
  if ((type === 'assignee' || type === 'owner') && userId !== undefined) return { [type]: isAdded ? userId : null };
  throw unfit('type', "'candidate', or for a user 'assignee' or 'owner'", type);
}

/** Camunda's IdentityLinkDtos. */
function identityLinks(call: RestCall): RestAnswer {
  const { actor, candidateUsers, candidateGroups } = seenTask(call);
  const { assignee, owner } = actor.context;
  const ofUser = (type: string) => (userId: string) => ({ userId, groupId: null, type });
  return {
    json: [
      ...(assignee === null ? [] : [assignee]).map(ofUser('assignee')),
      ...(owner === null ? [] : [owner]).map(ofUser('owner')),
      ...candidateUsers.map(ofUser('candidate')),
      ...candidateGroups.map((groupId) => ({ userId: null, groupId, type: 'candidate' })),
    ],
  };
}

/** Routes that change tasks, and their identity links. */
export const taskChanges: readonly RestRoute[] = [
  { method: 'PUT', path: 'task/:id', answer: update },
  { method: 'GET', path: 'task/:id/identity-links', answer: identityLinks },
  { method: 'POST', path: 'task/:id/identity-links', answer: changeLink(true) },
  { method: 'POST', path: 'task/:id/identity-links/delete', answer: changeLink(false) },
];
