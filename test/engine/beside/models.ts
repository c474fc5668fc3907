import { bpmn, element, flow, line } from '../../support/bpmn.js';
import { decision, dmn, table } from '../../support/dmn.js';
import { Random } from '../../support/random.js';
import { Writer } from './blocks.js';
import { KINDS, type Kind, type Scope } from './kinds.js';

/** A process made of a seed, with what it is started with. */
export interface BesideModel {
  readonly seed: number;
  /** What it certainly has. */
  readonly kind: Kind;
  /** The process `p`. */
  readonly xml: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The process that call activities call: it takes `a`, gives `b` back, and waits at a task where `a` is odd. */
export const CALLED = bpmn(
  `${line(
    ['q-first', 'q-which', 'q-task', 'q-join'],
    element('serviceTask', 'q-first', { 'camunda:expression': '${execution.setVariable("b", a + 10)}' }) +
      element('exclusiveGateway', 'q-which', { default: 'q-which-q-task' }) +
      element('userTask', 'q-task', { name: 'q' }) +
      element('exclusiveGateway', 'q-join'),
  )}${flow('q-which', 'q-join', '${a % 2 == 0}')}`,
  { key: 'q', attributes: 'camunda:historyTimeToLive="P1D"' },
);

/** The decision that business rule tasks ask. */
export const DECIDED = dmn(
  decision(
    'd',
    table({
      inputs: { a: 'integer' },
      outputs: { r: 'integer' },
      policy: 'hitPolicy="FIRST"',
      rules: [
        ['> 4', '3'],
        ['[2..4]', '2'],
        ['-', '1'],
      ],
    }),
    { attributes: 'camunda:historyTimeToLive="P1D"' },
  ),
);

const FIRST_NAMES = ['a', 'b'] as const;

/** The model of a seed: a sequence of blocks, of which one is of the kind that is the seed's turn. */
export function modelOf(seed: number): BesideModel {
  const random = new Random(seed);
  const kind = KINDS[seed % KINDS.length] ?? 'script';
  const writer = new Writer(random);
  const scope: Scope = { xml: [], flows: [], artifacts: [], depth: 0, isRepeated: false };
  const kinds = [kind, ...Array.from({ length: 1 + random.below(3) }, () => random.pick(KINDS))];
  if (random.chance(0.5)) kinds.reverse();
  const ends = kinds.map((each) => writer.block(each, scope));
  const start = element('startEvent', 'start');
  const end = element('endEvent', 'end');
  const ways = ['start', ...ends.flatMap(({ entry, exit }) => [entry, exit]), 'end'];
  for (let at = 0; at < ways.length; at += 2) scope.flows.push(flow(ways[at] ?? '', ways[at + 1] ?? ''));
  if (random.chance(0.2)) scope.xml.push(writer.eventSubProcess(scope));
  const xml = bpmn(`${start}${scope.xml.join('')}${end}${[...scope.flows, ...scope.artifacts].join('\n')}`, {
    attributes: 'camunda:historyTimeToLive="P1D"',
    root: writer.roots.join('\n'),
  });
  const variables = {
    log: '',
    n: 0,
    fail: 1,
    cond: 0,
    items: ['x ', 'y ', 'z '],
    a: random.below(7),
    b: random.below(7),
  };
  return { seed, kind, xml, variables };
}

/** What a user enters in a task. */
export function entered(random: Random): Record<string, number> {
  const variables: Record<string, number> = {};
  for (const name of FIRST_NAMES) if (random.chance(0.6)) variables[name] = random.below(7);
  if (random.chance(0.15)) variables.cond = 1;
  return variables;
}
