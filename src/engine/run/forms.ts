import { compileExpression } from '../../expression/index.js';
import type { State } from '../../store/index.js';
import { type FormDefinition, formDefinitions, type ProcessDefinition, resources } from '../collections.js';
import { native, textOf } from '../element/native.js';
import type { Variables } from '../element/typed-value.js';
import { formProblems, readForm } from '../form/camunda-form.js';
import { submitFields } from '../form/generated-form.js';
import { requireNone, type Submission } from '../form/submission.js';
import type { FormRef, FormSource } from '../model/form.js';
import type { Program } from '../model/program.js';
import { loadText } from './stored-text.js';

/** Where a form is shown: what it sees, and which deployment its process came with. */
interface FormPlace {
  readonly definition: Pick<ProcessDefinition, 'deploymentId'> | undefined;
  readonly present: Variables;
}

/** The form of Camunda's that a task or start event names; undefined: there is none. */
export function formNamed(
  state: Pick<State, 'find'>,
  { key: written, binding, version }: FormRef,
  { definition, present }: FormPlace,
): FormDefinition | undefined {
  const key = textOf(evaluated(written, present));
  if (key === null) return undefined;
  const found = (): FormDefinition[] => {
    if (binding === 'version') return state.find(formDefinitions, 'key', [key, -numberOf(version, present)]);
    if (binding === 'latest') return state.find(formDefinitions, 'latest', [1, key]);
    return definition === undefined ? [] : state.find(formDefinitions, 'deployment', [definition.deploymentId, key]);
  };
  return found().find((form) => form.key === key && !form.deleting);
}

/** Of a version that is none: 0, which no form has. */
function numberOf(version: FormRef['version'], present: Variables): number {
  const number = Number(typeof version === 'string' ? (evaluated(version, present) ?? 0) : version);
  return Number.isSafeInteger(number) ? number : 0;
}

/** The form to show before an instance is started: that of the none start event. */
export const startFormOf = ({ elements }: Program): FormSource | undefined =>
  elements.find(({ type, parent, event }) => type === 'startEvent' && parent === 0 && event === null)?.startForm;

/** The JSON text of a form; null where its file is gone. */
export function formText(state: Pick<State, 'get'>, { deploymentId, resourceName }: FormDefinition): string | null {
  const resource = state.get(resources, `${deploymentId}/${resourceName}`);
  return resource === undefined ? null : loadText(state, resource.id, resource);
}

/** The value of a text that may hold an expression of the variables; null where it cannot be evaluated. */
export function evaluated(text: string, variables: Variables): unknown {
  try {
    const variable = (name: string) => {
      const found = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return found === undefined ? undefined : { value: native(found), type: found.type };
    };
    return compileExpression(text).evaluate({ variable, bean: () => undefined });
  } catch {
    return null;
  }
}

/**
 * Variables of a form's submission, converted to the types of its fields, with the defaults of those that are not given. A form that is not deployed
 * checks nothing.
 * @throws BAD_REQUEST (each field, what was expected and what was found)
 */
export function submitted(
  state: Pick<State, 'get' | 'find' | 'now'>,
  form: FormSource,
  submission: Submission,
  { definition, resourceId }: { readonly definition: FormPlace['definition']; readonly resourceId: string },
): Variables {
  const { present } = submission;
  const fields = submitFields(form.fields ?? [], submission, (text) => evaluated(text, present));
  const named = form.ref && formNamed(state, form.ref, { definition, present });
  const text = named === undefined ? null : formText(state, named);
  const parsed = text === null ? null : readForm(text).form;
  const given = { given: fields.variables, present };
  requireNone([...fields.problems, ...(parsed === null ? [] : formProblems(parsed, given, state.now))], resourceId);
  return fields.variables;
}
