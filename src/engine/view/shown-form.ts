import type { State } from '../../store/index.js';
import { type ProcessDefinition, type ProcessInstance, processDefinitions, type Task } from '../collections.js';
import { textOf } from '../element/native.js';
import type { TypedValue, Variables } from '../element/typed-value.js';
import { submitFields } from '../form/generated-form.js';
import type { FormField, FormSource } from '../model/form.js';
import type { Program } from '../model/program.js';
import { evaluated, formNamed, formText, startFormOf } from '../run/forms.js';
import { taskVariables } from '../run/seen-variables.js';

type Reader = Pick<State, 'get' | 'find'>;

/** A form as it is shown. */
export interface ShownForm {
  readonly fields: readonly ShownField[];
  /** Of Camunda's forms: the JSON of form-js; null where the model names none, or it is not deployed. */
  readonly schema: unknown;
  readonly key: string | null;
  readonly version: number | null;
}

export interface ShownField extends Omit<FormField, 'constraints' | 'datePattern'> {
  readonly datePattern: string | null;
  readonly constraints: FormField['constraints'];
  /** The variable's value; where there is none, the default. */
  readonly value: unknown;
}

/** The form of a task; null where the model says none but a key. */
export function taskForm(
  state: Reader,
  program: Program | undefined,
  instance: ProcessInstance,
  task: Task,
): ShownForm | null {
  const form = program?.elements[task.element]?.userTask?.form;
  if (form === undefined) return null;
  const definition = state.get(processDefinitions, task.definitionId);
  return shownForm(state, form, definition, taskVariables(state, instance, task).visible);
}

/** The variables of the generated fields of a task's form: those that there are, else defaults, else nulls of the field's type. */
export function taskFormVariables(
  state: Reader,
  program: Program | undefined,
  instance: ProcessInstance,
  task: Task,
): Variables {
  const form = program?.elements[task.element]?.userTask?.form;
  return fieldVariables(form, taskVariables(state, instance, task).visible);
}

/** As {@link taskFormVariables}, of the form to show before an instance is started. */
export const startFormVariables = (program: Program | undefined): Variables =>
  fieldVariables(program && startFormOf(program), {});

/** What the types of fields are called as variables. */
const TYPES = { long: 'Long', boolean: 'Boolean', date: 'Date' } as const;

function fieldVariables({ fields = [] }: FormSource = {}, present: Variables): Variables {
  const { variables } = submitFields(fields, { given: {}, present }, (text) => evaluated(text, present));
  return Object.fromEntries(fields.map(({ id, type }) => [id, present[id] ?? variables[id] ?? noneOf(type)]));
}

const noneOf = (type: string | null): TypedValue => ({
  type: 'Null',
  value: null,
  info: { type: type === 'long' || type === 'boolean' || type === 'date' ? TYPES[type] : 'String' },
});

/** The form to show before an instance is started; null where the model says none but a key. */
export function startForm(
  state: Reader,
  program: Program | undefined,
  definition: ProcessDefinition,
): ShownForm | null {
  const form = program && startFormOf(program);
  return form === undefined ? null : shownForm(state, form, definition, {});
}

function shownForm(
  state: Reader,
  { fields = [], ref }: FormSource,
  definition: ProcessDefinition | undefined,
  present: Variables,
): ShownForm {
  const named = ref && formNamed(state, ref, { definition, present });
  const text = named === undefined ? null : formText(state, named);
  return {
    fields: fields.map((field) => shownField(field, present)),
    schema: text === null ? null : JSON.parse(text),
    key: named?.key ?? null,
    version: named?.version ?? null,
  };
}

function shownField(field: FormField, present: Variables): ShownField {
  const { id, defaultValue } = field;
  const otherwise = defaultValue === null ? null : evaluated(defaultValue, present);
  return { ...field, defaultValue: textOf(otherwise), value: present[id]?.value ?? otherwise };
}
