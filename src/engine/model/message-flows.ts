import { idOf, isA, kindOf, type ModdleElement, many, one, text } from './moddle-element.js';
import { type Report, short } from './report.js';
import type { CreateElement } from './zeebe-words.js';

/** A message flow, with what throws and what awaits its message; null: a pool, or an activity that does neither. */
interface MessageFlow {
  readonly drawn: ModdleElement;
  readonly source: ModdleElement | null;
  readonly target: ModdleElement | null;
}

/**
 * A message flow says that what one pool throws is what another one awaits: an end of it that names no message gets the flow's, else that of the other
 * end, else one with the flow's label as its name, or with the id of the process that awaits it and the flow's.
 */
export function nameByMessageFlows(definitions: ModdleElement, create: CreateElement, report: Report): void {
  const roots = many(definitions, 'rootElements').filter((root) => isA(root, 'bpmn:Collaboration'));
  const flows = roots.flatMap((root) => many(root, 'messageFlows')).map(withEnds);
  // What is named somewhere is handed on before a name is made up.
  for (const flow of [...flows.filter((each) => nameIn(each) !== null), ...flows]) nameEnds(flow, create, report);
  for (const flow of flows) warnOfOther(flow, report);
}

const withEnds = (drawn: ModdleElement): MessageFlow => ({
  drawn,
  source: holderOf(one(drawn, 'sourceRef'), ['sendTask', 'intermediateThrowEvent', 'endEvent']),
  target: holderOf(one(drawn, 'targetRef'), ['receiveTask', 'startEvent', 'intermediateCatchEvent', 'boundaryEvent']),
});

/** What refers to the message: the task, or the event's definition. */
function holderOf(element: ModdleElement | null, kinds: readonly string[]): ModdleElement | null {
  if (element === null || !kinds.includes(kindOf(element))) return null;
  if (isA(element, 'bpmn:Task')) return element;
  return many(element, 'eventDefinitions').find((each) => isA(each, 'bpmn:MessageEventDefinition')) ?? null;
}

const nameOf = (holder: ModdleElement | null): string | null => {
  const message = holder === null ? null : one(holder, 'messageRef');
  return message === null ? null : text(message, 'name');
};

const nameIn = ({ drawn, source, target }: MessageFlow): string | null =>
  nameOf(drawn) ?? nameOf(target) ?? nameOf(source);

function nameEnds(flow: MessageFlow, create: CreateElement, report: Report): void {
  const { drawn, source, target } = flow;
  const name = nameIn(flow) ?? (target === null ? null : (text(drawn, 'name') ?? ownName(drawn, target)));
  if (name === null) return;
  for (const holder of [source, target]) {
    if (holder === null || nameOf(holder) !== null) continue;
    if (source === null)
      report.warn(
        eventOf(holder),
        `has no message (messageRef), so it waits for one with the name '${short(name)}', as its message flow says`,
        'message-by-flow',
      );
    holder.set('messageRef', create('bpmn:Message', { name }, holder));
  }
}

/** Ids are those of one file: a copy of a process begins by a message of its own. */
function ownName(flow: ModdleElement, target: ModdleElement): string {
  let holder: ModdleElement = target;
  while (holder.$parent !== undefined && !isA(holder, 'bpmn:Process')) holder = holder.$parent;
  return `${idOf(holder)}.${idOf(flow)}`;
}

function warnOfOther({ drawn, source, target }: MessageFlow, report: Report): void {
  const [thrown, awaited] = [nameOf(source), nameOf(target)];
  if (source === null || target === null || thrown === null || thrown === awaited) return;
  const awaits = `'${idOf(eventOf(target))}' awaits '${short(awaited ?? '')}'`;
  report.warn(
    eventOf(source),
    `throws message '${short(thrown)}', but ${awaits}, to which message flow '${idOf(drawn)}' leads`,
    'message-flow-other',
  );
}

const eventOf = (holder: ModdleElement): ModdleElement =>
  isA(holder, 'bpmn:EventDefinition') ? (holder.$parent ?? holder) : holder;
