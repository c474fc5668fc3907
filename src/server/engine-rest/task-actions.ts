import {
  presentInstance,
  processVariables,
  type Task,
  type TaskComment,
  taskComments,
  taskVariables,
  type Variables,
} from '../../engine/index.js';
import {
  flagIn,
  instant,
  type Json,
  notThere,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
} from './rest-call.js';
import { seenTask } from './task-lists.js';
import { isDeserialized, variableIn, variablesIn, variableValues } from './variable-value.js';

// What people do with tasks, as Camunda's clients say it.

/** Camunda's UserIdDto. */
const userIn = (call: RestCall): string | null => textIn(call.json(), 'userId') ?? null;

/** For oneself, or, by who may assign tasks, for another user, as long as nobody has it. Nobody: it is given back. */
async function claim(call: RestCall): Promise<RestAnswer> {
  const { api } = call.services;
  const [taskId, userId] = [call.param('id'), userIn(call)];
  if (userId === null) await call.send(api.unclaimTask, { taskId });
  else if (userId === call.caller.userId || isOfOther(seenTask(call), userId))
    await call.send(api.claimTask, { taskId });
  else await call.send(api.assignTask, { taskId, assignee: userId });
  return null;
}

/** Then claiming it says who has it. */
const isOfOther = ({ actor }: Task, userId: string): boolean => ![null, userId].includes(actor.context.assignee);

async function unclaim(call: RestCall): Promise<RestAnswer> {
  await call.send(call.services.api.unclaimTask, { taskId: call.param('id') });
  return null;
}

async function setAssignee(call: RestCall): Promise<RestAnswer> {
  await call.send(call.services.api.setTaskAssignee, { taskId: call.param('id'), assignee: userIn(call) });
  return null;
}

async function delegate(call: RestCall): Promise<RestAnswer> {
  await call.send(call.services.api.delegateTask, { taskId: call.param('id'), assignee: userIn(call) ?? '' });
  return null;
}

async function resolve(call: RestCall): Promise<RestAnswer> {
  const variables = variablesIn(call.json(), 'variables');
  await call.sendAndSettle(call.services.api.resolveTask, { taskId: call.param('id'), variables });
  return null;
}

const complete = (call: RestCall): Promise<RestAnswer> => completed(call, false);

/** What is entered in the form of a delegated task goes back to its owner with it; else the task is complete. */
async function submitForm(call: RestCall): Promise<RestAnswer> {
  const task = seenTask(call);
  if (task.actor.value !== 'delegated') return completed(call, true);
  const variables = variablesIn(call.json(), 'variables');
  await call.sendAndSettle(call.services.api.resolveTask, { taskId: task.id, variables, form: true });
  return variablesAfter(call, task);
}

async function completed(call: RestCall, form: boolean): Promise<RestAnswer> {
  const variables = variablesIn(call.json(), 'variables');
  const taskId = call.param('id');
  return variablesAfter(call, await call.sendAndSettle(call.services.api.completeTask, { taskId, variables, form }));
}

/** Those of the process, where they are asked for. */
function variablesAfter(call: RestCall, { instanceId }: Task): RestAnswer {
  if (!flagIn(call.json(), 'withVariablesInReturn')) return null;
  const instance = presentInstance(call.state, instanceId);
  return { json: instance === undefined ? {} : variableValues(processVariables(call.state, instance)) };
}

/** Camunda's TaskBpmnErrorDto. */
async function bpmnError(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  await call.sendAndSettle(call.services.api.taskBpmnError, {
    taskId: call.param('id'),
    errorCode: textIn(json, 'errorCode') ?? '',
    errorMessage: textIn(json, 'errorMessage') ?? null,
    variables: variablesIn(json, 'variables'),
  });
  return null;
}

/** Camunda's TaskEscalationDto. */
async function bpmnEscalation(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  await call.sendAndSettle(call.services.api.taskEscalation, {
    taskId: call.param('id'),
    escalationCode: textIn(json, 'escalationCode') ?? '',
    variables: variablesIn(json, 'variables'),
  });
  return null;
}

type Seen = 'visible' | 'local';

/** @throws NOT_FOUND */
function variablesOf(call: RestCall, which: Seen): Variables {
  const task = seenTask(call);
  const instance = presentInstance(call.state, task.instanceId);
  if (instance === undefined) throw notThere('task', task.id);
  return taskVariables(call.state, instance, task)[which];
}

const variables = (which: Seen) => (call: RestCall) => ({
  json: variableValues(variablesOf(call, which), isDeserialized(call)),
});

const variable = (which: Seen) => (call: RestCall) => {
  const name = call.param('name');
  const { [name]: shown } = variableValues(variablesOf(call, which), isDeserialized(call));
  if (shown === undefined) throw notThere('variable', name);
  return { json: shown };
};

const setVariables = (which: Seen) => async (call: RestCall) => {
  const json = call.json();
  return setAll(call, which, variablesIn(json, 'modifications'), textsIn(json, 'deletions') ?? []);
};

const setVariable = (which: Seen) => (call: RestCall) =>
  setAll(call, which, [variableIn(call.param('name'), call.json())], []);

const removeVariable = (which: Seen) => (call: RestCall) => setAll(call, which, [], [call.param('name')]);

async function setAll(
  call: RestCall,
  which: Seen,
  variables: ReturnType<typeof variablesIn>,
  removed: readonly string[],
): Promise<RestAnswer> {
  const input = { taskId: call.param('id'), variables, removed, local: which === 'local' };
  await call.sendAndSettle(call.services.api.setTaskVariables, input);
  return null;
}

async function addComment(call: RestCall): Promise<RestAnswer> {
  const taskId = call.param('id');
  const message = textIn(call.json(), 'message') ?? '';
  const id = await call.send(call.services.api.addTaskComment, { taskId, message });
  const comment = call.state.get(taskComments, id);
  if (comment === undefined) throw notThere('comment', id);
  return { json: { links: [], ...commentDto(comment) } };
}

/** Camunda's CommentDto. */
const commentDto = ({ id, taskId, instanceId, userId, time, message }: TaskComment): Json => ({
  ...{ id, userId, time: instant(time), taskId, message, processInstanceId: instanceId },
  ...{ removalTime: null, rootProcessInstanceId: null },
});

/** The newest first. */
const comments = (call: RestCall): RestAnswer => ({
  json: call.state
    .find(taskComments, 'task', [seenTask(call).id])
    .map((each) => ({ links: [], ...commentDto(each) }))
    .reverse(),
});

function comment(call: RestCall): RestAnswer {
  const found = call.state.get(taskComments, call.param('comment'));
  if (found === undefined || found.taskId !== seenTask(call).id) throw notThere('comment', call.param('comment'));
  return { json: { links: [], ...commentDto(found) } };
}

const variableRoutes = (path: string, which: Seen): readonly RestRoute[] => [
  { method: 'GET', path: `task/:id/${path}`, answer: variables(which) },
  { method: 'POST', path: `task/:id/${path}`, answer: setVariables(which) },
  { method: 'GET', path: `task/:id/${path}/:name`, answer: variable(which) },
  { method: 'PUT', path: `task/:id/${path}/:name`, answer: setVariable(which) },
  { method: 'DELETE', path: `task/:id/${path}/:name`, answer: removeVariable(which) },
];

/** User tasks, and what is done with them. */
export const taskActions: readonly RestRoute[] = [
  { method: 'POST', path: 'task/:id/claim', answer: claim },
  { method: 'POST', path: 'task/:id/unclaim', answer: unclaim },
  { method: 'POST', path: 'task/:id/assignee', answer: setAssignee },
  { method: 'POST', path: 'task/:id/delegate', answer: delegate },
  { method: 'POST', path: 'task/:id/resolve', answer: resolve },
  { method: 'POST', path: 'task/:id/complete', answer: complete },
  { method: 'POST', path: 'task/:id/submit-form', answer: submitForm },
  { method: 'POST', path: 'task/:id/bpmnError', answer: bpmnError },
  { method: 'POST', path: 'task/:id/bpmnEscalation', answer: bpmnEscalation },
  { method: 'GET', path: 'task/:id/comment', answer: comments },
  { method: 'GET', path: 'task/:id/comment/:comment', answer: comment },
  { method: 'POST', path: 'task/:id/comment/create', answer: addComment },
  ...variableRoutes('variables', 'visible'),
  ...variableRoutes('localVariables', 'local'),
];
