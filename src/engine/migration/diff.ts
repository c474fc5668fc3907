import type { Element, Flow, Program } from '../model/program.js';

/** Differences of two versions of a process. */
interface Diff {
  readonly added: readonly DiffElement[];
  readonly removed: readonly DiffElement[];
  readonly changed: readonly ChangedElement[];
}

/** An element or a sequence flow of a process. */
interface DiffElement {
  readonly elementId: string;
  readonly name: string | null;
  /** `userTask`, `boundaryTimer` …, `sequenceFlow`. */
  readonly type: string;
}

interface ChangedElement extends DiffElement {
  readonly changes: readonly Change[];
}

/** One thing that is different; null: there is none. */
interface Change {
  readonly aspect: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What was added, removed and changed from one program to the other, by ids, in the order of the models: elements, then flows. */
export function diffOf(source: Program, target: Program): Diff {
  const [before, after] = [thingsOf(source), thingsOf(target)];
  const changed = [...before].flatMap(([id, thing]): ChangedElement[] => {
    const other = after.get(id);
    const changes = other === undefined ? [] : changesOf(thing.aspects, other.aspects);
    return other === undefined || changes.length === 0 ? [] : [{ ...other.shown, changes }];
  });
  return { added: only(after, before), removed: only(before, after), changed };
}

const only = (these: ReadonlyMap<string, Thing>, those: ReadonlyMap<string, Thing>): DiffElement[] =>
  [...these].flatMap(([id, { shown }]) => (those.has(id) ? [] : [shown]));

interface Thing {
  readonly shown: DiffElement;
  readonly aspects: Readonly<Record<string, unknown>>;
}

/** The process itself goes by no id, so that versions under another key are compared with it. */
function thingsOf(program: Program): Map<string, Thing> {
  const ofElements = program.elements.map((element, at): [string, Thing] => {
    const { id, name, activityType: type } = element;
    const shown = { elementId: id, name, type: at === 0 ? 'process' : type };
    return [at === 0 ? '' : id, { shown, aspects: elementAspects(program, element) }];
  });
  const ofFlows = program.flows.map((flow): [string, Thing] => {
    const { id, name } = flow;
    return [id, { shown: { elementId: id, name, type: 'sequenceFlow' }, aspects: flowAspects(program, flow) }];
  });
  return new Map([...ofElements, ...ofFlows]);
}

/** What is computed from others (flows, boundaries, reach) is told of those, and what is named by position is named by its id. */
const OTHERWISE: ReadonlySet<string> = new Set([
  ...['id', 'type', 'activityType', 'parent', 'attachedTo', 'defaultFlow', 'compensation', 'documentation'],
  ...['incoming', 'outgoing', 'startEvents', 'eventSubProcesses', 'boundaries', 'reachedFrom'],
]);

/** What an element says itself. */
function elementAspects(program: Program, element: Element): Readonly<Record<string, unknown>> {
  const own = Object.entries(element).filter(([name]) => !OTHERWISE.has(name));
  return {
    ...Object.fromEntries(own),
    type: element.activityType,
    scope: element.parent <= 0 ? null : idAt(program, element.parent),
    attachedTo: idAt(program, element.attachedTo),
    defaultFlow: program.flows[element.defaultFlow ?? -1]?.id,
    compensation: idAt(program, element.compensation),
    documentation: element.documentation,
    ...(element.parent < 0 && processAspects(program)),
  };
}

/** What is said of the process as a whole. */
const processAspects = ({ elements: _, flows: __, format: ___, key: ____, ...said }: Program) => said;

const flowAspects = (program: Program, { name, source, target, condition, listeners }: Flow) => ({
  name,
  source: idAt(program, source),
  target: idAt(program, target),
  condition,
  listeners: listeners ?? [],
});

const idAt = ({ elements }: Program, position: number | null | undefined): string | null =>
  elements[position ?? -1]?.id ?? null;

const changesOf = (before: Thing['aspects'], after: Thing['aspects']): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((aspect) => {
    const [one, other] = [before[aspect] ?? null, after[aspect] ?? null];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ aspect, before: one, after: other }];
  });
