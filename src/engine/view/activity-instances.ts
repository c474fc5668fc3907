import type { State } from '../../store/index.js';
import type { ProcessInstance, Run } from '../collections.js';
import type { HistoryEntry, InstanceState, Token } from '../element/instance-state.js';
import { openAdHocs } from '../element/open-ad-hoc.js';
import { lanesOf } from '../model/lanes.js';
import type { Element, Program } from '../model/program.js';
import type { ProgramStore } from '../program-store.js';

/** One visit of an instance to an activity, event or gateway. */
export interface ActivityInstance {
  /** `<process instance>:<number>` */
  readonly id: string;
  readonly activityId: string;
  readonly activityName: string | null;
  /** `userTask`, `noneEndEvent`, `boundaryTimer` … */
  readonly activityType: string;
  /** Of the model, from the outermost on. Absent: it has none. */
  readonly lanes?: readonly string[];
  readonly processInstanceId: string;
  /** The version that it ran by; of what has migrated the one that it went on by. */
  readonly definitionId: string;
  /** The sub-process that holds it; null: the process. */
  readonly parentActivityInstanceId: string | null;
  readonly taskId: string | null;
  /** ms */
  readonly startTime: number;
  readonly endTime: number | null;
  readonly canceled: boolean;
  /** Whether it was completed and nothing follows it. */
  readonly completeScope: boolean;
}

/** Part of a run that is read. */
type RunHistory = Pick<Run, 'instanceId' | 'definitionId' | 'at' | 'history'>;

/** The history of an instance, by start time: its runs unpacked, given in the order of their numbers. */
export function activityInstances(
  runs: Iterable<RunHistory>,
  programOf: (definitionId: string) => Program,
): ActivityInstance[] {
  const found = new ActivityInstances(programOf);
  for (const run of runs) for (const entry of run.history) found.take(run, entry);
  return found.all().sort((a, b) => a.startTime - b.startTime);
}

/** Activity instances, unpacked from the entries of a history. */
export class ActivityInstances {
  readonly #programOf: (definitionId: string) => Program;
  readonly #visits = new Map<number, Visit>();

  constructor(programOf: (definitionId: string) => Program) {
    this.#programOf = programOf;
  }

  /** Takes the next entry. An end whose beginning was not taken is passed over. */
  take(run: RunHistory, entry: HistoryEntry): void {
    const { elements } = this.#programOf(run.definitionId);
    takeEntry(this.#visits, entry, { ...run, elements });
  }

  /** Those that have begun, in that order. */
  all(): ActivityInstance[] {
    return [...this.#visits.values()].map(shown);
  }

  /** The one of that number. @throws RangeError where its beginning was not taken */
  shown(n: number): ActivityInstance {
    const visit = this.#visits.get(n);
    if (visit === undefined) throw new RangeError(`activity instance ${n} has not begun`);
    return shown(visit);
  }
}

interface Visit extends Omit<ActivityInstance, 'completeScope'> {
  readonly isLast: boolean;
  readonly isBody: boolean;
}

interface Place {
  readonly instanceId: string;
  readonly definitionId: string;
  readonly at: number;
  readonly elements: readonly Element[];
}

function takeEntry(found: Map<number, Visit>, entry: HistoryEntry, place: Place): void {
  const [what, n] = entry;
  if (what === 0 || what === 4) {
    found.set(n, begun(entry[2], n, { ...place, parent: entry[3], taskId: entry[4] ?? null, isBody: what === 4 }));
    return;
  }
  if (what === 6) return goOn(found, entry, place);
  const atOnce = what === 3 || what === 5;
  const visit = atOnce
    ? begun(entry[2], n, { ...place, parent: entry[3], taskId: null, isBody: what === 5 })
    : found.get(n);
  if (visit !== undefined) found.set(n, { ...visit, endTime: place.at, canceled: what === 2 });
}

/** It goes on as an activity of another program. */
function goOn(found: Map<number, Visit>, [, n, element, parent]: MovedEntry, place: Place): void {
  const visit = found.get(n);
  if (visit === undefined) return;
  const { taskId, startTime, isBody } = visit;
  found.set(n, { ...begun(element, n, { ...place, parent, taskId, isBody }), startTime });
}

type MovedEntry = Extract<HistoryEntry, readonly [6, ...unknown[]]>;

interface Begun extends Place {
  readonly parent: number;
  readonly taskId: string | null;
  /** Whether it holds the instances of an activity that repeats. */
  readonly isBody: boolean;
}

function begun(position: number, n: number, place: Begun): Visit {
  const { instanceId, definitionId, at, elements, parent, taskId, isBody } = place;
  const element = elements[position];
  const lanes = lanesOf(elements, position);
  return {
    id: `${instanceId}:${n}`,
    ...activityOf(element, isBody),
    activityName: element?.name ?? null,
    ...(lanes.length > 0 && { lanes }),
    processInstanceId: instanceId,
    definitionId,
    parentActivityInstanceId: parent === 0 ? null : `${instanceId}:${parent}`,
    taskId,
    startTime: at,
    endTime: null,
    canceled: false,
    isBody,
    isLast: endsPath(element, isBody) && !compensates(elements, element),
  };
}

/** Whether nothing follows it; within its body an instance is followed by nothing. */
const endsPath = (element: Element | undefined, isBody: boolean): boolean =>
  element?.outgoing.length === 0 || (element?.loop !== undefined && !isBody);

/** Whether it is a compensation handler, or an event sub-process that compensates: as in Camunda it completes no scope, for that had completed before. */
function compensates(elements: readonly Element[], element: Element | undefined): boolean {
  if (element === undefined || !element.triggeredByEvent) return element?.isForCompensation === true;
  return element.startEvents.some((start) => elements[start]?.event?.kind === 'compensate');
}

/** Id and type of the activity that a visit is of. What holds the instances of one that repeats has Camunda's names. */
export function activityOf(
  element: Element | undefined,
  isBody: boolean,
): Pick<ActivityInstance, 'activityId' | 'activityType'> {
  const { id = '', activityType = '', loop } = element ?? {};
  if (!isBody) return { activityId: id, activityType };
  const body = loop?.kind === 'standard' ? 'loopBody' : 'multiInstanceBody';
  return { activityId: `${id}#${body}`, activityType: body };
}

const shown = ({ isLast, isBody: _, ...visit }: Visit): ActivityInstance => ({
  ...visit,
  completeScope: isLast && visit.endTime !== null && !visit.canceled,
});

/** The ids of the activities that hold a token now, each once, in the order of the model; of a sub-process those within. */
export function activeActivities(
  program: Program,
  { state, away }: Pick<ProcessInstance, 'away'> & { readonly state: Pick<InstanceState, 'tokens'> },
): string[] {
  const here = state.tokens.filter(isWithin).map((token) => token.element);
  const elements = new Set([
    ...here,
    ...Object.values(away ?? {}).flatMap((counts) => Object.keys(counts).map(Number)),
  ]);
  return [...elements].sort((a, b) => a - b).flatMap((element) => program.elements[element]?.id ?? []);
}

/** Whether something goes on at the token's element itself. */
const isWithin = ({ wait, activity, took }: Token): boolean =>
  !(wait?.kind === 'adHoc' && wait.over) &&
  took === undefined &&
  wait?.kind !== 'scope' &&
  !(wait?.kind === 'job' && wait.of === 'bundle') &&
  (wait?.kind !== 'compensation' || activity !== null);

/** An activity of an ad-hoc sub-process that can be started now. */
export type EnabledActivity = Pick<ActivityInstance, 'activityId' | 'activityName' | 'activityType'> & {
  /** The ad-hoc sub-process. */
  readonly parentActivityInstanceId: string;
};

/** What can be started in ad-hoc sub-processes now, in the order of the model; nothing while the instance does not go on. */
export function enabledActivities(
  program: Program,
  { id, actor, state }: Pick<ProcessInstance, 'id' | 'actor' | 'state'>,
): EnabledActivity[] {
  if (actor.value !== 'active') return [];
  return openAdHocs(program, state).flatMap(({ scope, enabled }) =>
    enabled.map((position) => {
      const element = program.elements[position];
      return {
        ...activityOf(element, false),
        activityName: element?.name ?? null,
        parentActivityInstanceId: `${id}:${scope}`,
      };
    }),
  );
}

/** The name that the model gives to an activity; null where it gives none, or is gone. */
export function activityName(
  programs: ProgramStore,
  state: Pick<State, 'get'>,
  { definitionId, activityId }: { readonly definitionId: string | null; readonly activityId: string | null },
): string | null {
  const program = definitionId === null ? undefined : programs.find(state, definitionId);
  return program?.elements.find(({ id }) => id === activityId)?.name ?? null;
}

/** The lanes that an element of a definition is drawn in, from the outermost on. */
export function activityLanes(
  programs: ProgramStore,
  state: Pick<State, 'get'>,
  { definitionId, elementId }: { readonly definitionId: string; readonly elementId: string },
): readonly string[] {
  const { elements = [] } = programs.find(state, definitionId) ?? {};
  return lanesOf(
    elements,
    elements.findIndex(({ id }) => id === elementId),
  );
}
