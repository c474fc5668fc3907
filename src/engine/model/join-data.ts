import { type Association, compileAssociations } from './data-associations.js';
import { collectData, type Data, type DataTable } from './data-table.js';
import { isA, type ModdleElement, one, text } from './moddle-element.js';
import type { Node } from './nodes.js';
import type { CallDefinition, DataDeclaration, Element, EventDefinition, Loop, Transfer } from './program.js';
import type { Report } from './report.js';

/** BPMN 2.0 §10.4: elements get the variables that they declare, and what their data associations read and write. */
export function joinData(elements: readonly Element[], nodes: readonly Node[], report: Report): readonly Element[] {
  const table = collectData(nodes, report);
  const running = compileAssociations(
    nodes.filter(({ refused }) => !refused),
    table,
    report,
  );
  const declared = declarations(table, running);
  if (declared.size === 0 && running.length === 0) return elements;
  return elements.map((element, index) => {
    const node = nodes[index];
    const own = running.filter((each) => each.node.index === index);
    const data = [...declared].filter(([{ scope }]) => scope === index).map(([, each]) => each);
    if (node === undefined || (own.length === 0 && data.length === 0 && element.loop === undefined)) return element;
    const { loop, listed } = loopOf(element.loop, node.element, { table, declared, own });
    const mapped = own.filter((each) => !listed.includes(each));
    return {
      ...element,
      ...(data.length > 0 && { data }),
      ...(mapped.length > 0 && { io: ioOf(element.io, mapped) }),
      ...(element.call && { call: callOf(element.call, { table, declared, index }) }),
      ...(element.event && { event: thrownWith(element.event, endsOf('bpmn:DataInput', { table, declared, index })) }),
      ...(loop && { loop }),
    };
  });
}

type Declared = ReadonlyMap<Data, DataDeclaration>;

/** What has a type, and what associations write; inputs and outputs only where associations say what becomes of them. */
function declarations(table: DataTable, running: readonly Association[]): Declared {
  const used = new Set(
    running.flatMap(({ targets, sources }) => [...targets, ...sources.filter(({ isEnd }) => isEnd)]),
  );
  const found = new Map<Data, DataDeclaration>();
  for (const data of table.values()) {
    const isDeclared = used.has(data) || (data.declared !== null && !data.isEnd);
    if (isDeclared) found.set(data, data.declared ?? { name: data.name });
  }
  return found;
}

function ioOf(io: Element['io'], own: readonly Association[]): NonNullable<Element['io']> {
  const of = (direction: Association['direction']) =>
    own.filter((each) => each.direction === direction).flatMap(({ mappings }) => mappings);
  return { inputs: [...of('input'), ...(io?.inputs ?? [])], outputs: [...of('output'), ...(io?.outputs ?? [])] };
}

/** Where an element declares its inputs and outputs. */
interface Ends {
  readonly table: DataTable;
  readonly declared: Declared;
  readonly index: number;
}

/** The element's inputs, or its outputs, each under its own name. */
const endsOf = (type: 'bpmn:DataInput' | 'bpmn:DataOutput', { table, declared, index }: Ends): Transfer[] =>
  [...table]
    .filter(([element, data]) => data.scope === index && isA(element, type) && declared.has(data))
    .map(([, { name }]) => ({ kind: 'variable', source: name, target: name, local: true }));

/** The inputs of a call activity are those of the process that it calls, and so are its outputs. */
const callOf = (call: CallDefinition, ends: Ends): CallDefinition => ({
  ...call,
  inputs: [...call.inputs, ...endsOf('bpmn:DataInput', ends)],
  outputs: [...call.outputs, ...endsOf('bpmn:DataOutput', ends)],
});

/** What is thrown takes the inputs of its event or send task along; what `camunda:in` says counts before them. */
function thrownWith(event: EventDefinition, inputs: readonly Transfer[]): EventDefinition {
  if (event.kind === 'multiple') return { ...event, parts: event.parts.map((part) => thrownWith(part, inputs)) };
  const isTold = event.kind === 'signal' || (event.kind === 'message' && event.work === null);
  if (!isTold || inputs.length === 0) return event;
  const { businessKey = null, inputs: given = [] } = event.given ?? {};
  return { ...event, given: { businessKey, inputs: [...inputs, ...given] } };
}

interface Around {
  readonly table: DataTable;
  readonly declared: Declared;
  /** The activity's associations. */
  readonly own: readonly Association[];
}

/** A loop goes over what its data input is copied from, and gathers in what its data output is copied to: `listed`, which its instances do not copy, too. */
function loopOf(loop: Loop | undefined, activity: ModdleElement, { table, declared, own }: Around) {
  const characteristics = one(activity, 'loopCharacteristics');
  const nothing: readonly Association[] = [];
  if (loop?.kind !== 'multiInstance' || characteristics === null) return { loop, listed: nothing };
  const input = text(characteristics, 'camunda:collection') === null ? referred('loopDataInputRef') : undefined;
  const output = referred('loopDataOutputRef');
  const filling = own.find((each) => each.direction === 'input' && input !== undefined && each.targets.includes(input));
  const emptying = own.find(
    (each) => each.direction === 'output' && output !== undefined && each.sources.includes(output),
  );
  const from = nameOf(input, filling?.copies ?? undefined);
  const to = nameOf(output, emptying?.targets[0]);
  return {
    loop: {
      ...loop,
      ...(from !== undefined && { collection: { kind: 'variable' as const, name: from } }),
      ...(to !== undefined && loop.output && { output: { ...loop.output, list: to } }),
    },
    listed: [filling, emptying].flatMap((each) => (each?.copies ? [each] : [])),
  };

  function referred(name: string): Data | undefined {
    return table.get(one(characteristics as ModdleElement, name) as ModdleElement);
  }

  function nameOf(end: Data | undefined, other: Data | undefined): string | undefined {
    if (end === undefined) return undefined;
    return other?.name ?? (declared.has(end) ? end.name : undefined);
  }
}
