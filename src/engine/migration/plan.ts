import { elementAt } from '../model/elements.js';
import { type Element, type Program, partsOf } from '../model/program.js';
import { PLAN_RULES } from './check-plan.js';
import { type Instruction, isHalt, isRenewable, isSameKind, type Mapping } from './mapping.js';

/** Migration instruction as a caller gives it: where an activity goes. */
export interface GivenInstruction {
  /** The id of one activity, event or gateway. Camunda's `x#multiInstanceBody` is x. */
  readonly sourceActivityIds: readonly string[];
  /** The id of one, or none: it goes nowhere, also where an equal one is. */
  readonly targetActivityIds: readonly string[];
  /** Whether what it waits for is taken from the target. Default: false, but of a conditional event. */
  readonly updateEventTrigger?: boolean | null | undefined;
}

/** How a plan is to be made. */
export interface PlanRequest {
  /** Whether activities of the same id and kind are paired, where nothing else is said of them. Default: true. */
  readonly mapEqualActivities?: boolean | null;
  /** Whether events that are paired so wait anew. Default: false. */
  readonly updateEventTriggers?: boolean | null;
  readonly instructions?: readonly GivenInstruction[] | null;
}

/** Why an instruction cannot be. */
export interface PlanProblem {
  readonly rule: string;
  readonly sourceActivityIds: readonly string[];
  readonly targetActivityIds: readonly string[];
  /** A whole sentence. */
  readonly message: string;
}

/** Instructions in the order of the source, and all that is wrong with them. */
export interface Plan {
  readonly source: Program;
  readonly target: Program;
  readonly instructions: readonly Instruction[];
  readonly problems: readonly PlanProblem[];
}

/** How instances of one program go on by another: what was asked for, and what is equal. Equal activities that cannot go together are left out. */
export function planOf(source: Program, target: Program, request: PlanRequest): Plan {
  const asked = askedFor(source, target, request.instructions ?? []);
  const equal = (request.mapEqualActivities ?? true) ? equalOnes(source, target, asked.named) : [];
  const renews = (element: Element) =>
    isConditional(element) || ((request.updateEventTriggers ?? false) && isRenewable(element));
  const found = equal.map(([from, to]) => ({
    source: from,
    target: to,
    renews: renews(elementAt(target, to)),
    ...(!isHalt(source, elementAt(source, from)) && { unsaid: true as const }),
  }));
  const kept = withoutBroken(source, target, asked.instructions, found);
  const instructions = [...asked.instructions, ...kept].sort((a, b) => a.source - b.source);
  const mapping = mappingOf(source, target, instructions);
  const broken = asked.instructions.flatMap((instruction) => problemsOf(mapping, instruction));
  return { source, target, instructions, problems: [...asked.problems, ...broken] };
}

/** Where each element of the source is in the target, by position; -1: nowhere. The process goes to the process. */
export function elementsOf({ source, instructions }: Pick<Plan, 'source' | 'instructions'>): number[] {
  const elements = source.elements.map(() => -1);
  elements[0] = 0;
  for (const instruction of instructions) elements[instruction.source] = instruction.target;
  return elements;
}

const mappingOf = (source: Program, target: Program, instructions: readonly Instruction[]): Mapping => ({
  source,
  target,
  instructions,
  elements: elementsOf({ source, instructions }),
});

const isConditional = ({ event }: Element): boolean => partsOf(event).some(({ kind }) => kind === 'conditional');

function problemsOf(mapping: Mapping, instruction: Instruction): PlanProblem[] {
  const ids = {
    sourceActivityIds: [mapping.source.elements[instruction.source]?.id ?? ''],
    targetActivityIds: [mapping.target.elements[instruction.target]?.id ?? ''],
  };
  return Object.entries(PLAN_RULES).flatMap(([rule, check]) => {
    const message = check(mapping, instruction);
    return message === null ? [] : { rule, ...ids, message };
  });
}

/** Leaves out equal ones that break a rule, until none does: one may be another's reason. */
function withoutBroken(
  source: Program,
  target: Program,
  asked: readonly Instruction[],
  found: readonly Instruction[],
): readonly Instruction[] {
  const mapping = mappingOf(source, target, [...asked, ...found]);
  const kept = found.filter((instruction) => problemsOf(mapping, instruction).length === 0);
  return kept.length === found.length ? kept : withoutBroken(source, target, asked, kept);
}

function equalOnes(source: Program, target: Program, named: ReadonlySet<number>): [number, number][] {
  const positions = positionsOf(target);
  return source.elements.flatMap((element, at): [number, number][] => {
    const to = positions.get(element.id);
    const other = to === undefined ? undefined : target.elements[to];
    if (at === 0 || named.has(at) || to === undefined || other === undefined) return [];
    return isSameKind(element, other) ? [[at, to]] : [];
  });
}

const positionsOf = ({ elements }: Program): Map<string, number> =>
  new Map(elements.flatMap(({ id }, at) => (at === 0 ? [] : [[id, at] as const])));

interface Asked {
  readonly instructions: Instruction[];
  readonly problems: PlanProblem[];
  /** Positions in the source of which something was said. */
  readonly named: Set<number>;
}

function askedFor(source: Program, target: Program, given: readonly GivenInstruction[]): Asked {
  const asked: Asked = { instructions: [], problems: [], named: new Set() };
  const known = { from: positionsOf(source), to: positionsOf(target) };
  for (const one of distinct(given)) {
    const { sourceActivityIds, targetActivityIds, updateEventTrigger } = one;
    const wrong = wrongWith(one, known, asked.named);
    const at = known.from.get(sourceActivityIds[0] ?? '');
    if (wrong !== null) asked.problems.push({ ...wrong, sourceActivityIds, targetActivityIds });
    if (at === undefined || wrong?.rule === 'once') continue;
    asked.named.add(at);
    const to = known.to.get(targetActivityIds[0] ?? '');
    if (wrong !== null || to === undefined) continue;
    const isLookedAt = isConditional(elementAt(target, to));
    asked.instructions.push({ source: at, target: to, renews: updateEventTrigger ?? isLookedAt });
  }
  return asked;
}

type Positions = ReadonlyMap<string, number>;

function wrongWith(
  { sourceActivityIds, targetActivityIds }: GivenInstruction,
  { from, to }: { readonly from: Positions; readonly to: Positions },
  named: ReadonlySet<number>,
): Pick<PlanProblem, 'rule' | 'message'> | null {
  const [sourceId, ...others] = sourceActivityIds;
  const [targetId, ...more] = targetActivityIds;
  const no = (where: string, id: string) =>
    `expected an activity '${id}' in the ${where} definition, but there is none`;
  if (sourceId === undefined || others.length > 0 || more.length > 0) {
    return { rule: 'one-to-one', message: 'expected one source activity, and one target activity or none' };
  }
  const at = from.get(sourceId);
  if (at === undefined) return { rule: 'known', message: no('source', sourceId) };
  if (named.has(at)) {
    return { rule: 'once', message: `expected one instruction for activity '${sourceId}', but there are several` };
  }
  return targetId === undefined || to.has(targetId) ? null : { rule: 'known', message: no('target', targetId) };
}

/** Camunda has two instructions for an activity that repeats: for its body, and for its instances. They are one here. */
function distinct(given: readonly GivenInstruction[]): GivenInstruction[] {
  const found = given.map(({ sourceActivityIds, targetActivityIds, ...rest }) => ({
    ...rest,
    sourceActivityIds: sourceActivityIds.map(withoutBody),
    targetActivityIds: targetActivityIds.map(withoutBody),
  }));
  const seen = new Set<string>();
  return found.filter((one, at) => {
    const text = JSON.stringify([one.sourceActivityIds, one.targetActivityIds]);
    const isBody = given[at]?.sourceActivityIds.some((id) => id.endsWith(BODY)) ?? false;
    const isTwin = seen.has(text) && (isBody || given.some(({ sourceActivityIds: [id] }) => id?.endsWith(BODY)));
    seen.add(text);
    return !isTwin;
  });
}

const BODY = '#multiInstanceBody';
const withoutBody = (id: string): string => (id.endsWith(BODY) ? id.slice(0, -BODY.length) : id);
