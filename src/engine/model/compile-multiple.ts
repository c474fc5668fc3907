import { flag } from './moddle-element.js';
import type { Node } from './nodes.js';
import type { EventDefinition } from './program.js';
import { type Report, words } from './report.js';
import type { RefusingRule } from './rules.js';

/** Kinds that end a path, or what it is in, by themselves: one of them can be thrown, after all others. */
const ENDING: ReadonlySet<string> = new Set(['cancel', 'compensate', 'error', 'terminate']);
/** Kinds that are caught alone. */
const ALONE: ReadonlySet<string> = new Set(['cancel', 'compensate', 'link']);
/** Kinds that are looked for from where they are thrown: nothing waits for them. */
const SOUGHT: ReadonlySet<string> = new Set(['error', 'escalation']);

/** BPMN 2.0 §10.5.3 to §10.5.5: an event with several definitions. Null, with a problem, where they cannot be together. */
export function compileMultiple(node: Node, parts: readonly EventDefinition[], report: Report): EventDefinition | null {
  const { element, type } = node;
  const throws = type === 'endEvent' || type === 'intermediateThrowEvent';
  const parallel = !throws && flag(element, 'parallelMultiple');
  for (const [rule, problem] of throws ? wrongThrown(parts) : wrongCaught(node, parts, parallel))
    report.problem(element, problem, rule);
  if (!throws) return { kind: 'multiple', parallel, parts };
  const last = parts.filter(({ kind }) => ENDING.has(kind));
  return { kind: 'multiple', parallel, parts: [...parts.filter(({ kind }) => !ENDING.has(kind)), ...last] };
}

type Wrong = readonly [RefusingRule, string];

function* wrongThrown(parts: readonly EventDefinition[]): Iterable<Wrong> {
  const ending = parts.filter(({ kind }) => ENDING.has(kind)).map(({ kind }) => kind);
  if (ending.length > 1)
    yield ['multiple-one-end', `has ${ending.join(' and ')} event definitions, but can end in one way only`];
  for (const part of parts) {
    if (part.kind === 'link')
      yield ['multiple-link', 'has a link beside other event definitions, but a link leads on alone'];
    if (part.kind === 'message' && part.work !== null)
      yield [
        'multiple-implementation',
        'has a message with an implementation beside other event definitions, but only a message that is named can be thrown with others',
      ];
  }
}

function* wrongCaught(node: Node, parts: readonly EventDefinition[], parallel: boolean): Iterable<Wrong> {
  const staying = node.type === 'boundaryEvent' && !flag(node.element, 'cancelActivity');
  for (const { kind } of parts) {
    if (ALONE.has(kind))
      yield ['multiple-alone', `has a ${kind} event definition beside others, but that is caught alone`];
    if (parallel && SOUGHT.has(kind))
      yield [
        'multiple-sought',
        `waits for several events together (parallelMultiple), but nothing can wait for an ${words(kind)}`,
      ];
    if (kind === 'error' && staying)
      yield [
        'multiple-error-interrupts',
        'catches an error among others, and an error always interrupts (cancelActivity)',
      ];
  }
  const names = parts.flatMap((part) => nameOf(part) ?? []);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) yield ['multiple-unique', `has two definitions of ${twice}`];
}

function nameOf(part: EventDefinition): string | null {
  if (part.kind === 'message' || part.kind === 'signal') return `${part.kind} '${part.name}'`;
  if (part.kind === 'error' || part.kind === 'escalation') return `${part.kind} '${part.code ?? ''}'`;
  return null;
}
