import { choicesIn } from './ad-hoc.js';
import { checkComplexGateway } from './check-complex-gateway.js';
import { checkAdHoc } from './compile-ad-hoc.js';
import { implicitStarts } from './implicit-start.js';
import { idOf, isA, type ModdleElement, raw } from './moddle-element.js';
import type { Node } from './nodes.js';
import { type Element, type EventDefinition, type Flow, partsOf } from './program.js';
import { isLiteral, type Report, short, words } from './report.js';

/** Boundary events, cycles that are hardly meant, and what stands behind event-based gateways. */
export function checkEvents(elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  for (const element of elements) {
    checkNames(
      element,
      element.boundaries.flatMap((index) => elements[index] ?? []),
      report,
    );
    if (element.type === 'complexGateway') checkComplexGateway(element, flows, report);
    if (element.type === 'eventBasedGateway') checkGateway(element, elements, flows, report);
    warnOfCycle(element, report);
  }
}

function warnOfCycle({ event, type, interrupting, id }: Element, report: Report): void {
  if (!partsOf(event).some((part) => part.kind === 'timer' && part.timer === 'cycle')) return;
  if (type === 'intermediateCatchEvent' || interrupting) {
    report.warn(
      { id, type },
      'has a timer cycle, of which only the first time counts: a duration or date is meant',
      'timer-cycle-once',
    );
  }
}

/** BPMN 2.0 §10.6.6: an event-based gateway is followed by catch events that nothing else leads to. */
function checkGateway(gateway: Element, elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  const targets = gateway.outgoing.flatMap((flow) => elements[flows[flow]?.target ?? -1] ?? []);
  if (targets.length === 0) report.problem(gateway, 'has no outgoing sequence flows', 'event-gateway-outgoing');
  checkStarting(
    gateway,
    targets,
    elements[gateway.parent]?.startEvents.some((start) => elements[start] === gateway),
    report,
  );
  if (gateway.asyncAfter)
    report.problem(
      gateway,
      'has camunda:asyncAfter, which an event-based gateway cannot have',
      'event-gateway-async-after',
    );
  for (const target of targets) {
    checkBehind(gateway, target, report);
    if (target.asyncBefore)
      report.warn(
        target,
        'has camunda:asyncBefore, which has no effect behind an event-based gateway',
        'event-gateway-async-before',
      );
  }
  const kinds = new Set(targets.flatMap(({ type, event }) => (event?.kind === 'message' ? type : [])));
  if (kinds.size > 1)
    report.problem(
      gateway,
      'is followed by message events and by receive tasks, but expected one of the two kinds',
      'event-gateway-one-kind',
    );
  checkNames(gateway, targets, report);
}

/** BPMN 2.0 §10.6.6: instances start by the events behind the gateway; only such a gateway may wait for all of them. */
function checkStarting(
  gateway: Element,
  targets: readonly Element[],
  starts: boolean | undefined,
  report: Report,
): void {
  if (!starts) {
    if (gateway.parallelEvents)
      report.problem(
        gateway,
        'waits for all events (eventGatewayType Parallel), which only one that starts an instance (instantiate) can',
        'event-gateway-parallel',
      );
    return;
  }
  for (const target of targets) {
    const { event } = target;
    if (event?.kind === 'multiple')
      report.problem(
        target,
        'has several definitions, but an instance starts by one event behind a gateway',
        'event-gateway-start-multiple',
      );
    if ((event?.kind === 'message' || event?.kind === 'signal') && !isLiteral(event.name))
      report.problem(
        target,
        `has '${short(event.name)}' as ${event.kind} name, but an instance starts by it, so it is plain text`,
        'event-gateway-start-name',
      );
  }
}

function checkBehind(gateway: Element, target: Element, report: Report): void {
  const isTask = target.type === 'receiveTask';
  if (!isTask && (target.type !== 'intermediateCatchEvent' || target.event?.kind === 'link')) {
    report.problem(
      gateway,
      `can only be followed by intermediate catch events and receive tasks, but ${words(target.type)} '${target.id}' was found`,
      'event-gateway-target',
    );
  } else if (target.incoming.length > 1) {
    report.problem(
      target,
      `follows event-based gateway '${gateway.id}', so no other sequence flow may lead to it`,
      'event-gateway-target-flow',
    );
  }
  if (isTask && (target.boundaries.length > 0 || target.loop !== undefined || (target.startQuantity ?? 1) > 1))
    report.problem(
      target,
      `follows event-based gateway '${gateway.id}', so it can neither have boundary events nor repeat`,
      'event-gateway-task',
    );
}

/** Refuses what Camunda refuses beside the processes: signals and errors without an id, signals without a name, or of one name. */
export function checkRoots(roots: readonly ModdleElement[], report: Report): void {
  const signals = roots.filter((root) => isA(root, 'bpmn:Signal'));
  for (const [type, name] of [
    ['bpmn:Signal', 'signal'],
    ['bpmn:Error', 'error'],
  ] as const) {
    const places = report.rootsWithoutId(name);
    for (const [index] of roots.filter((root) => isA(root, type) && idOf(root) === null).entries())
      report.problemAt(places[index] ?? 0, null, `${name} needs an id`, 'root-id');
  }
  const names = new Map<string, ModdleElement>();
  for (const signal of signals) {
    const name = raw(signal, 'name');
    const first = names.get(name ?? '');
    if (name === null) report.problem(signal, 'needs a name', 'signal-name');
    else if (first !== undefined)
      report.problem(signal, `has name '${short(name)}', as signal '${idOf(first)}' has`, 'signal-name-unique');
    else names.set(name, signal);
  }
}

/** Warns of elements that no token can ever reach. */
export function checkReachable(elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  const reached = new Set<number>([0]);
  // A set yields what is added while it is walked.
  for (const index of reached) {
    const element = elements[index];
    if (element === undefined) continue;
    for (const flow of element.outgoing) reached.add(flows[flow]?.target ?? 0);
    const { startEvents, boundaries, eventSubProcesses = [], compensation } = element;
    const handlers = compensation === undefined ? [] : [compensation];
    const chosen = element.adHoc === undefined ? [] : choicesIn(elements, index);
    const first = [...startEvents, ...implicitStarts(elements, index)];
    for (const next of [...first, ...boundaries, ...eventSubProcesses, ...handlers, ...chosen]) reached.add(next);
  }
  elements.forEach((element, index) => {
    const isTold = element.event?.kind === 'link' || element.isForCompensation;
    if (!reached.has(index) && !isTold) report.warn(element, 'can never be reached', 'unreachable');
  });
}

/** BPMN 2.0 §10.5.2: how a process and its sub-processes may start. What is refused anyway is left out. */
export function checkScopes(elements: readonly Element[], nodes: readonly Node[], report: Report): void {
  elements.forEach((scope, index) => {
    if (nodes[index]?.refused || scope.startEvents.some((start) => nodes[start]?.refused)) return;
    checkTriggered(scope, elements, report);
    checkStarts(scope, index, elements, report);
  });
}

function checkStarts(scope: Element, index: number, elements: readonly Element[], report: Report): void {
  const starts = scope.startEvents.flatMap((start) => elements[start] ?? []);
  if (implicitStarts(elements, index).length > 0) warnOfEnd(scope, index, elements, report);
  else if (scope.type === 'process') checkProcess(scope, starts, report);
  else if (scope.triggeredByEvent) checkEventSubProcess(scope, starts, report);
  else if (scope.adHoc !== undefined) checkAdHoc(scope, index, elements, report);
  else if (scope.type === 'subProcess') checkSubProcess(scope, starts, report);
}

/** BPMN 2.0 §10.5.3: what has an end event has a start event, too. */
function warnOfEnd(scope: Element, index: number, elements: readonly Element[], report: Report): void {
  if (!elements.some(({ parent, type }) => parent === index && type === 'endEvent')) return;
  const first = implicitStarts(elements, index).map((start) => `'${elements[start]?.id}'`);
  report.warn(
    scope,
    `has an end event, but no start event: it begins at what no sequence flow leads to, ${first.join(', ')}`,
    'implicit-start',
  );
}

function checkProcess(scope: Element, starts: readonly Element[], report: Report): void {
  const plain = starts.filter(({ type, event }) => type === 'startEvent' && event === null);
  for (const start of starts) {
    if (start.type !== 'startEvent' && start.incoming.length > 0)
      report.problem(
        start,
        'starts an instance (instantiate), so no sequence flow may lead to it',
        'instantiate-incoming',
      );
  }
  if (starts.length === 0) report.problem(scope, 'needs a start event', 'process-start');
  for (const start of plain.slice(1))
    report.problem(start, `is a second none start event of process '${scope.id}'`, 'process-one-none-start');
  checkNames(scope, starts, report);
  checkConditions(scope, starts, report);
}

/** Two start events of one condition would both begin an instance whenever it holds. */
function checkConditions(scope: Element, starts: readonly Element[], report: Report): void {
  const texts = new Set<string>();
  for (const start of starts) {
    for (const event of partsOf(start.event)) {
      if (event.kind !== 'conditional') continue;
      const { text } = event.condition;
      if (texts.has(text))
        report.problem(
          start,
          `is the second that waits for condition '${short(text)}' in '${scope.id}'`,
          'event-unique',
        );
      texts.add(text);
    }
  }
}

/** BPMN 2.0 §10.3.5: an event sub-process is begun by its one start event, by no flow. */
function checkEventSubProcess(scope: Element, starts: readonly Element[], report: Report): void {
  if (starts.length !== 1)
    report.problem(
      scope,
      `needs exactly one start event, but has ${starts.length || 'no'} start events`,
      'event-sub-one-start',
    );
  if (scope.incoming.length + scope.outgoing.length > 0)
    report.problem(
      scope,
      'has sequence flows, but an event sub process is begun by its start event alone',
      'event-sub-flow',
    );
  if (scope.asyncBefore || scope.asyncAfter)
    report.warn(
      scope,
      'has a continuation, which has no effect: that of its start event has',
      'event-sub-continuation',
    );
}

/** What the event sub-processes of a scope are begun by. */
function checkTriggered(scope: Element, elements: readonly Element[], report: Report): void {
  const triggered = (scope.eventSubProcesses ?? []).flatMap((index) => elements[index] ?? []);
  checkNames(
    scope,
    triggered.flatMap(({ startEvents }) => startEvents.flatMap((start) => elements[start] ?? [])),
    report,
  );
}

function checkSubProcess(scope: Element, starts: readonly Element[], report: Report): void {
  if (starts.length !== 1)
    report.problem(
      scope,
      `needs exactly one none start event${starts.length === 0 ? ', or an element that no sequence flow leads to' : ''}, but has ${starts.length || 'no'} start events`,
      'sub-process-one-start',
    );
  for (const start of starts) {
    if (start.event !== null || start.type !== 'startEvent')
      report.problem(
        start,
        `starts sub process '${scope.id}' by a ${start.event?.kind ?? 'gateway'}, but a sub process is started by its token`,
        'sub-process-none-start',
      );
  }
}

/** Two subscriptions of the same name would both be meant by one message, two events of the same code by one escalation. */
function checkNames(holder: Element, events: readonly Element[], report: Report): void {
  const names = new Set<string>();
  for (const element of events) {
    for (const event of partsOf(element.event)) {
      const name = purposeOf(event);
      if (name === undefined) continue;
      if (names.has(name)) report.problem(element, `is the second that ${name} in '${holder.id}'`, 'event-unique');
      names.add(name);
    }
  }
}

/** What an event is alone to be for. */
function purposeOf(event: EventDefinition): string | undefined {
  if (event.kind === 'message' || event.kind === 'signal') return `waits for ${event.kind} '${short(event.name)}'`;
  if (event.kind === 'cancel') return 'catches the cancellation';
  if (event.kind !== 'escalation') return undefined;
  return event.code === null ? 'catches every escalation' : `catches escalation '${short(event.code)}'`;
}
