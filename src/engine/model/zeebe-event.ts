import { quartzOf } from '../../expression/index.js';
import { SPRING_CRON } from './compile-event.js';
import { body, extensions, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import { short } from './report.js';
import { withoutSign } from './zeebe-mapping.js';
import type { ZeebeWords } from './zeebe-words.js';

/** Translates the events of Camunda 8: their timers, conditions and signals. `isSpring`: cron expressions are those of Camunda 8. */
export function translateEvent(element: ModdleElement, isSpring: boolean, words: ZeebeWords): void {
  for (const definition of many(element, 'eventDefinitions')) {
    if (isA(definition, 'bpmn:TimerEventDefinition')) timer(element, definition, isSpring, words);
    if (isA(definition, 'bpmn:ConditionalEventDefinition')) condition(element, definition, words);
    if (isA(definition, 'bpmn:SignalEventDefinition')) signal(element, definition, words);
  }
}

/** Translates the names and codes of messages, signals, errors and escalations, which may be said in FEEL. */
export function translateName(root: ModdleElement, words: ZeebeWords): void {
  for (const name of ['name', 'errorCode', 'escalationCode']) {
    const written = isA(root, 'bpmn:Interface') ? null : text(root, name);
    if (written?.startsWith('=')) root.set(name, words.juel(root, name, withoutSign(written)));
  }
}

/** A timer may be said in FEEL; days of the week have other numbers than in Camunda 7. */
function timer(element: ModdleElement, definition: ModdleElement, isSpring: boolean, words: ZeebeWords): void {
  if (isSpring) definition.set(SPRING_CRON, true);
  for (const name of ['timeDate', 'timeDuration', 'timeCycle']) {
    const time = one(definition, name);
    const written = body(time);
    if (written?.startsWith('=')) time?.set('body', words.juel(element, name, withoutSign(written)));
    else if (written !== null && isSpring && name === 'timeCycle') time?.set('body', quartzOf(written));
  }
}

/** A condition is looked at as one variable changes, or as any does that it reads. */
function condition(element: ModdleElement, definition: ModdleElement, words: ZeebeWords): void {
  for (const filter of extensions(definition, 'zeebe:conditionalFilter')) {
    const names = text(filter, 'variableNames') ?? '';
    if (!/[,\s]/.test(names)) words.set(definition, 'camunda:variableName', filter, 'variableNames');
    else
      words.report.warn(
        element,
        `waits for '${short(names)}', but one name alone, or none, is a filter`,
        'not-executed',
      );
    words.set(definition, 'camunda:variableEvents', filter, 'variableEvents');
  }
}

/** What is mapped into an event goes along with the signal that it throws. */
function signal(element: ModdleElement, definition: ModdleElement, words: ZeebeWords): void {
  const isThrown = isA(element, 'bpmn:IntermediateThrowEvent') || isA(element, 'bpmn:EndEvent');
  const isMapped = extensions(element, 'zeebe:ioMapping').some((mapping) =>
    many(mapping, '$children').some(({ $type }) => $type === 'zeebe:input'),
  );
  if (!isThrown || !isMapped || extensions(definition, 'camunda:In').length > 0) return;
  words.extend(definition, 'camunda:In', { variables: 'all', local: true });
}
