import { extensions, isA, type ModdleElement, many, text } from './moddle-element.js';
import { short } from './report.js';
import type { ZeebeWords } from './zeebe-words.js';

const EXECUTION_EVENTS: Events = { start: 'start', end: 'end' };
const TASK_EVENTS: Events = {
  creating: 'create',
  assigning: 'assignment',
  updating: 'update',
  completing: 'complete',
  canceling: 'delete',
};

type Events = Readonly<Record<string, string | undefined>>;

/** Listeners of Camunda 8 are work of its workers: of those whose type is the name of a registered handler that is called, others are told of. */
export function translateListeners(element: ModdleElement, words: ZeebeWords): void {
  translate(
    element,
    {
      holder: 'zeebe:executionListeners',
      type: 'camunda:ExecutionListener',
      events: isA(element, 'bpmn:SequenceFlow') ? {} : EXECUTION_EVENTS,
    },
    words,
  );
  if (isA(element, 'bpmn:UserTask'))
    translate(element, { holder: 'zeebe:taskListeners', type: 'camunda:TaskListener', events: TASK_EVENTS }, words);
}

interface Kind {
  readonly holder: string;
  /** As Camunda 7 calls one. */
  readonly type: string;
  /** What Camunda 7 calls the events. */
  readonly events: Events;
}

function translate(element: ModdleElement, { holder, type, events }: Kind, words: ZeebeWords): void {
  for (const listener of extensions(element, holder).flatMap((each) => many(each, '$children'))) {
    const name = text(listener, 'type') ?? '';
    const event = events[text(listener, 'eventType') ?? ''];
    if (event !== undefined && words.report.hasHandler(name)) words.extend(element, type, { event, class: name });
    else
      words.report.warn(
        element,
        `has a <${listener.$type}> of the type '${short(name)}' to '${short(text(listener, 'eventType') ?? '')}', which is not executed: a handler of that name would be called`,
        'not-executed',
      );
  }
}
