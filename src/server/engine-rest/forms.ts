import {
  type ProcessDefinition,
  presentInstance,
  type ShownForm,
  startForm,
  startFormVariables,
  taskForm,
  taskFormVariables,
  taskVariables,
  type Variables,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { found, type Named, namedById, namedByKey } from './process-lists.js';
import { startedBy } from './processes.js';
import { notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';
import { seenTask } from './task-lists.js';
import { isDeserialized, variableValues } from './variable-value.js';

// Forms, as Camunda's clients show them.

const programOf = ({ services, state }: RestCall, definitionId: string) => services.programs.find(state, definitionId);

/** Camunda's FormDto. */
const formDto = (formKey: string | null, form: ShownForm | null): RestAnswer => ({
  json: {
    key: formKey,
    camundaFormRef:
      form === null || form.key === null
        ? null
        : { key: form.key, binding: form.version === null ? 'latest' : 'version', version: form.version },
    contextPath: null,
  },
});

/** The JSON of form-js. @throws BAD_REQUEST (none is named, or deployed) */
function deployedForm(form: ShownForm | null): RestAnswer {
  if (form?.schema != null) return { json: form.schema };
  throw badRequest('expected a form of Camunda that is deployed, but there is none', { reason: 'argument_invalid' });
}

/** Those of `variableNames`, or all. */
function variablesOf(call: RestCall, all: Variables): RestAnswer {
  const names = call.query.get('variableNames')?.split(',');
  const wanted = Object.entries(all).filter(([name]) => names === undefined || names.includes(name));
  return { json: variableValues(Object.fromEntries(wanted), isDeserialized(call)) };
}

const startFormOf = (call: RestCall, definition: ProcessDefinition) =>
  startForm(call.state, programOf(call, definition.id), definition);

const startForms = (path: string, which: Named): readonly RestRoute[] => [
  {
    method: 'GET',
    path: `${path}/startForm`,
    answer: (call) => {
      const definition = found(call, which);
      return formDto(definition.startFormKey, startFormOf(call, definition));
    },
  },
  {
    method: 'GET',
    path: `${path}/deployed-start-form`,
    answer: (call) => deployedForm(startFormOf(call, found(call, which))),
  },
  {
    method: 'GET',
    path: `${path}/form-variables`,
    answer: (call) => variablesOf(call, startFormVariables(programOf(call, found(call, which).id))),
  },
  {
    method: 'POST',
    path: `${path}/submit-form`,
    answer: (call) => startedBy(call, { definitionId: found(call, which).id, form: true }),
  },
];

/** The open task of the path, with the form that its model says. @throws NOT_FOUND */
function openTask(call: RestCall) {
  const task = seenTask(call);
  const instance = presentInstance(call.state, task.instanceId);
  if (instance === undefined) throw notThere('task', task.id);
  const program = programOf(call, task.definitionId);
  return { task, instance, program, form: () => taskForm(call.state, program, instance, task) };
}

/** All that the task sees, and its form's fields. */
function taskFormValues(call: RestCall): RestAnswer {
  const { task, instance, program } = openTask(call);
  const { visible } = taskVariables(call.state, instance, task);
  return variablesOf(call, { ...visible, ...taskFormVariables(call.state, program, instance, task) });
}

function taskFormOf(call: RestCall): RestAnswer {
  const { task, form } = openTask(call);
  return formDto(task.formKey, form());
}

/** Forms of tasks and of starts. */
export const formRoutes: readonly RestRoute[] = [
  ...startForms('process-definition/key/:key', namedByKey),
  ...startForms('process-definition/:id', namedById),
  { method: 'GET', path: 'task/:id/form', answer: taskFormOf },
  { method: 'GET', path: 'task/:id/deployed-form', answer: (call) => deployedForm(openTask(call).form()) },
  { method: 'GET', path: 'task/:id/form-variables', answer: taskFormValues },
];
