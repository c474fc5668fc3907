import { checkCompensation } from './check-compensation.js';
import { checkEvents, checkReachable, checkRoots, checkScopes } from './check-process.js';
import { joinHandlers } from './compensation-handlers.js';
import { compileElement } from './compile-element.js';
import { compileFlows } from './compile-flows.js';
import { compileStarters } from './compile-user-task.js';
import { joinData } from './join-data.js';
import { lanesWithin } from './lanes.js';
import { joinLinks } from './link-events.js';
import { linkNodes } from './links.js';
import { documentation, flag, isA, type ModdleElement, many, text } from './moddle-element.js';
import { collectNodes } from './nodes.js';
import type { Element, Program } from './program.js';
import { withReach } from './reach.js';
import type { Report } from './report.js';
import { settleFlows } from './settle-flows.js';

/** The programs of all executable processes in the document. Worth something only if the report has no problem at the end. */
export function compileDefinitions(definitions: ModdleElement, report: Report): readonly Program[] {
  const all = many(definitions, 'rootElements').filter((element) => isA(element, 'bpmn:Process'));
  const executable = all.filter((element) => flag(element, 'isExecutable'));
  if (executable.length === 0) warnOfNone(all, report);
  for (const task of many(definitions, 'rootElements')) {
    if (isA(task, 'bpmn:GlobalTask'))
      report.warn(task, 'says nothing of what it does, so it cannot be called', 'global-task');
  }
  checkRoots(many(definitions, 'rootElements'), report);
  return executable.map((element) => compileProcess(element, text(definitions, 'targetNamespace'), report));
}

/** As in Camunda, a drawing alone is stored all the same. */
function warnOfNone(all: readonly ModdleElement[], report: Report): void {
  const [first] = all;
  if (first === undefined)
    report.warnOf(null, 'the model has no process, so it is stored, but nothing can be started', 'no-process');
  else {
    report.warn(
      first,
      'is not executable, so the model is stored, but nothing can be started: tick *Executable* at the process (isExecutable="true")',
      'not-executable',
    );
  }
}

function compileProcess(root: ModdleElement, category: string | null, report: Report): Program {
  const table = collectNodes(root, report);
  const flowTable = compileFlows(table, report);
  const links = linkNodes(table, flowTable.flows, report);
  const lanes = lanesWithin(root);
  const drafts = table.nodes.flatMap((node, index) => {
    const own = links[index];
    const drawn = lanes.get(node.element);
    return own === undefined ? [] : [{ ...compileElement(node, own, report), ...(drawn && { lanes: drawn }) }];
  });
  const settled = settleFlows(drafts, table, flowTable, report);
  const { elements: drawn, flows } = joinLinks(settled, table.nodes, report);
  const elements = joinData(joinHandlers(drawn, table, report), table.nodes, report);
  checkScopes(elements, table.nodes, report);
  checkEvents(elements, flows, report);
  checkReachable(elements, flows, report);
  checkCompensation(elements, report);
  return { ...headOf(root, category, report), elements: reachOf(elements, flows, root, report), flows };
}

function reachOf(
  elements: Program['elements'],
  flows: Program['flows'],
  root: ModdleElement,
  report: Report,
): readonly Element[] {
  const reached = withReach(elements, flows);
  if (reached === null)
    report.problem(root, 'has too many inclusive gateways that join too many flows', 'inclusive-joins');
  return reached ?? elements;
}

function headOf(root: ModdleElement, category: string | null, report: Report): Omit<Program, 'elements' | 'flows'> {
  const key = text(root, 'id') ?? '';
  // `key:version:uuid` is the id of the definition.
  if (key.includes(':'))
    report.problem(root, 'has a colon in its id, which is the key of the process', 'process-id-colon');
  const starters = compileStarters(root, report);
  return {
    format: 1,
    key,
    name: text(root, 'name'),
    documentation: documentation(root),
    versionTag: text(root, 'camunda:versionTag'),
    category,
    historyTimeToLive: report.timeToLive(root),
    candidateStarterUsers: starters.users,
    candidateStarterGroups: starters.groups,
    ...(root.get('camunda:isStartableInTasklist') === false && { isStartableInTasklist: false }),
  };
}
