import { flag, isA, kindOf, type ModdleElement } from './moddle-element.js';
import type { ElementType, EventDefinition } from './program.js';
import { type Report, words } from './report.js';

const EXECUTABLE: Readonly<Record<string, ElementType>> = {
  'bpmn:SubProcess': 'subProcess',
  'bpmn:Transaction': 'subProcess',
  'bpmn:AdHocSubProcess': 'subProcess',
  'bpmn:Task': 'task',
  'bpmn:CallActivity': 'callActivity',
  'bpmn:UserTask': 'userTask',
  'bpmn:ServiceTask': 'serviceTask',
  'bpmn:SendTask': 'sendTask',
  'bpmn:ReceiveTask': 'receiveTask',
  'bpmn:ScriptTask': 'scriptTask',
  'bpmn:ManualTask': 'manualTask',
  'bpmn:BusinessRuleTask': 'businessRuleTask',
  'bpmn:StartEvent': 'startEvent',
  'bpmn:IntermediateCatchEvent': 'intermediateCatchEvent',
  'bpmn:IntermediateThrowEvent': 'intermediateThrowEvent',
  'bpmn:BoundaryEvent': 'boundaryEvent',
  'bpmn:EndEvent': 'endEvent',
  'bpmn:ExclusiveGateway': 'exclusiveGateway',
  'bpmn:ParallelGateway': 'parallelGateway',
  'bpmn:InclusiveGateway': 'inclusiveGateway',
  'bpmn:ComplexGateway': 'complexGateway',
  'bpmn:EventBasedGateway': 'eventBasedGateway',
};

const NOT_EXECUTED = 'which this engine does not execute';

/** Type that a flow node runs as. `refused`, with a problem: this engine does not execute it as it was drawn; then `type` is what comes nearest. */
export function nodeType(element: ModdleElement, report: Report): { type: ElementType; refused: boolean } {
  const type = EXECUTABLE[element.$type];
  if (type === undefined) {
    report.problem(element, `is of a kind (${words(kindOf(element))}), ${NOT_EXECUTED}`, 'element-executed');
    return { type: isA(element, 'bpmn:SubProcess') ? 'subProcess' : 'task', refused: true };
  }
  return { type, refused: false };
}

/** Whether an instance may start there: at a receive task by its message, at an event-based gateway by the events behind it. */
export const isStarting = (element: ModdleElement): boolean =>
  (element.$type === 'bpmn:ReceiveTask' || element.$type === 'bpmn:EventBasedGateway') && flag(element, 'instantiate');

type Kind = EventDefinition['kind'] | 'none';

const EVENTS: Partial<Readonly<Record<ElementType, Partial<Readonly<Record<Kind, string>>>>>> = {
  startEvent: {
    none: 'startEvent',
    message: 'messageStartEvent',
    timer: 'startTimerEvent',
    signal: 'signalStartEvent',
    conditional: 'conditionalStartEvent',
    compensate: 'compensationStartEvent',
    error: 'errorStartEvent',
    escalation: 'escalationStartEvent',
    multiple: 'multipleStartEvent',
  },
  intermediateCatchEvent: {
    message: 'intermediateMessageCatch',
    timer: 'intermediateTimer',
    signal: 'intermediateSignalCatch',
    conditional: 'intermediateConditional',
    link: 'intermediateLinkCatch',
    multiple: 'intermediateMultipleCatch',
  },
  intermediateThrowEvent: {
    none: 'intermediateNoneThrowEvent',
    message: 'intermediateMessageThrowEvent',
    signal: 'intermediateSignalThrow',
    compensate: 'intermediateCompensationThrowEvent',
    escalation: 'intermediateEscalationThrowEvent',
    link: 'intermediateLinkThrow',
    multiple: 'intermediateMultipleThrowEvent',
  },
  boundaryEvent: {
    message: 'boundaryMessage',
    timer: 'boundaryTimer',
    signal: 'boundarySignal',
    conditional: 'boundaryConditional',
    cancel: 'cancelBoundaryCatch',
    compensate: 'compensationBoundaryCatch',
    error: 'boundaryError',
    escalation: 'boundaryEscalation',
    multiple: 'boundaryMultiple',
  },
  endEvent: {
    none: 'noneEndEvent',
    message: 'messageEndEvent',
    signal: 'signalEndEvent',
    cancel: 'cancelEndEvent',
    compensate: 'compensationEndEvent',
    error: 'errorEndEvent',
    terminate: 'terminateEndEvent',
    escalation: 'escalationEndEvent',
    multiple: 'multipleEndEvent',
  },
};

/** The word that Camunda's history has for an element. */
export function activityType(type: ElementType, event: EventDefinition | null): string {
  if (type === 'process') return 'processDefinition';
  return EVENTS[type]?.[event?.kind ?? 'none'] ?? type;
}

/** The kinds of event that an element can be of, `none` for no definition; null: it is no event. */
export function eventKinds(type: ElementType, inEventSubProcess = false): readonly string[] | null {
  const kinds = EVENTS[type];
  if (kinds === undefined) return null;
  const passed = type !== 'startEvent' ? [] : inEventSubProcess ? ['none'] : ['compensate', 'error', 'escalation'];
  return Object.keys(kinds).filter((kind) => kind !== 'multiple' && !passed.includes(kind));
}

/** Whether what holds the element is an event sub-process. */
export const isInEventSubProcess = ({ $parent }: ModdleElement): boolean =>
  $parent !== undefined && isEventSubProcess($parent);

export const isEventSubProcess = (element: ModdleElement): boolean =>
  element.$type === 'bpmn:SubProcess' && flag(element, 'triggeredByEvent');
