import { compileListeners } from './compile-listeners.js';
import { compileCondition } from './compile-source.js';
import { idOf, isA, kindOf, type ModdleElement, one, text } from './moddle-element.js';
import type { Node, NodeTable } from './nodes.js';
import type { Flow } from './program.js';
import { type Report, words } from './report.js';

export interface FlowTable {
  readonly flows: readonly Flow[];
  readonly indexOf: ReadonlyMap<ModdleElement, number>;
}

/** The sequence flows that connect two flow nodes, those that nothing takes left out; a problem for each that does not, or may not. */
export function compileFlows(table: NodeTable, report: Report): FlowTable {
  const flows: Flow[] = [];
  const indexOf = new Map<ModdleElement, number>();
  const ids = new Set(table.flows.flatMap((flow) => idOf(flow) ?? []));
  for (const element of table.flows) {
    const source = endOf(element, 'sourceRef', table, report);
    const target = endOf(element, 'targetRef', table, report);
    if (source === null || target === null) continue;
    checkEnds(element, source, target, report);
    if (source.type === 'endEvent') continue;
    const id = idOf(element) ?? newId(`${source.id}_to_${target.id}`, ids);
    ids.add(id);
    indexOf.set(element, flows.length);
    flows.push({
      id,
      name: text(element, 'name'),
      source: source.index,
      target: target.index,
      ...guards(element, report),
    });
  }
  return { flows, indexOf };
}

function guards(element: ModdleElement, report: Report): Pick<Flow, 'condition' | 'listeners'> {
  const condition = compileCondition(one(element, 'conditionExpression'), report);
  const listeners = compileListeners(element, report);
  return { condition, ...(listeners.length > 0 && { listeners }) };
}

/** BPMN lets a sequence flow have no id; the history wants one. */
function newId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}_${number}`;
  return id;
}

function endOf(element: ModdleElement, end: 'sourceRef' | 'targetRef', table: NodeTable, report: Report): Node | null {
  const target = one(element, end);
  if (target === null) {
    // A reference that leads nowhere has been found by the parser.
    const known = report.problems.some((problem) => problem.elementId === idOf(element));
    if (!known) report.problem(element, `needs a ${end}`, end === 'sourceRef' ? 'flow-source' : 'flow-target');
    return null;
  }
  const node = table.nodes[table.indexOf.get(target) ?? -1];
  if (node !== undefined && node.type !== 'process') return node;
  const found = `${words(kindOf(target))} '${idOf(target)}'${ofProcess(target)}`;
  report.problem(
    element,
    `has ${found} as ${end}, but expected an activity, event or gateway of the same process`,
    end === 'sourceRef' ? 'flow-source-kind' : 'flow-target-kind',
  );
  return null;
}

/** Which process a flow node stands in, behind its name. */
function ofProcess(element: ModdleElement): string {
  let holder = isA(element, 'bpmn:FlowNode') ? element.$parent : undefined;
  while (holder !== undefined && !isA(holder, 'bpmn:Process')) holder = holder.$parent;
  return holder === undefined ? '' : ` of process '${idOf(holder)}'`;
}

/** BPMN 2.0 §8.4.13 (no flow over the border of a sub-process or process), table 10.20 ff. (start, end and boundary events). */
function checkEnds(element: ModdleElement, source: Node, target: Node, report: Report): void {
  if (source.parent !== target.parent) {
    report.problem(
      element,
      `leads from '${source.id}' to '${target.id}' over the border of a sub-process`,
      'flow-border',
    );
  }
  if (source.type === 'endEvent')
    report.warn(element, `leaves end event '${source.id}', so it is never taken`, 'flow-out-of-end');
  if (target.type === 'startEvent' || target.type === 'boundaryEvent') {
    report.problem(
      element,
      `leads into ${words(target.type)} '${target.id}', which must not have incoming flows`,
      target.type === 'startEvent' ? 'flow-into-start' : 'flow-into-boundary',
    );
  }
}
