import { readForm } from '../form/camunda-form.js';
import { extensions, idOf, type ModdleElement, raw, text } from './moddle-element.js';
import type { ZeebeWords } from './zeebe-words.js';

/** The forms that a process of Camunda 8 holds itself: each becomes one of the deployment, whose id begins with that of the process. */
export function takeForms(process: ModdleElement, words: ZeebeWords): void {
  for (const held of extensions(process, 'zeebe:userTaskForm')) {
    const id = keyOf(process, text(held, 'id') ?? '');
    const content = withId(raw(held, '$body') ?? '', id);
    const { form, problems } = readForm(content);
    if (form !== null) words.report.forms.push({ id, content });
    else
      words.report.warn(
        process,
        `has a <zeebe:userTaskForm> that is not shown: ${problems[0]?.message ?? 'it cannot be read'}`,
        'not-executed',
      );
  }
}

const keyOf = (process: ModdleElement, id: string): string => `${idOf(process) ?? ''}.${id}`;

/** What cannot be read stays as it is. */
function withId(written: string, id: string): string {
  try {
    return JSON.stringify({ ...(JSON.parse(written) as object), id });
  } catch {
    return written;
  }
}

const HELD = /^camunda-forms:bpmn:(.+)$/;

/** Says which form of its process an element shows, where it shows one. */
export function showHeldForm(element: ModdleElement, definition: ModdleElement, words: ZeebeWords): void {
  const id = HELD.exec(text(definition, 'formKey') ?? '')?.[1];
  const key = id === undefined ? undefined : keyOf(processOf(element), id);
  if (!words.report.forms.some((form) => form.id === key) || text(element, 'camunda:formRef') !== null) return;
  element.set('camunda:formRef', key);
  element.set('camunda:formRefBinding', 'deployment');
}

function processOf(element: ModdleElement): ModdleElement {
  let holder = element;
  while (holder.$type !== 'bpmn:Process' && holder.$parent !== undefined) holder = holder.$parent;
  return holder;
}
