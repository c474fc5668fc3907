import type { Repeat } from '../../expression/index.js';
import { badRequest, messageOf, ServiceError } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import {
  type Deployment,
  definitionModels,
  jobs,
  type ProcessDefinition,
  processDefinitions,
  type Subscription,
  subscriptions,
} from '../collections.js';
import type { Element, EventDefinition, Program } from '../model/program.js';
import { firstStart, type StartTimer, startJobOf } from '../rule/start-timer.js';
import { lookForBuffered } from './buffered-messages.js';
import type { Changes } from './changes.js';
import { type StartPart, startEventsOf, startsOf } from './start-events.js';
import { storeText } from './stored-text.js';

/** Where definitions come and go. */
interface DefinitionScene {
  readonly state: State;
  readonly changes: Changes;
}

/** Origin of a new version. */
interface NewDefinition {
  readonly id: string;
  readonly version: number;
  readonly deployment: Pick<Deployment, 'id' | 'name'>;
  readonly resource: { readonly id: string; readonly name: string };
  readonly program: Program;
}

/** The version that comes after the newest one of the key. */
export function nextVersion(state: State, key: string): number {
  const [newest] = state.range(processDefinitions, 'key', [key], 1);
  return newest?.key === key ? newest.version + 1 : 1;
}

/** Makes a new version of a process the latest one: from now on its start events count, and no longer those of the version before. */
export function publishDefinition(scene: DefinitionScene, made: NewDefinition): void {
  const { state, changes } = scene;
  const { id, version, deployment, resource, program } = made;
  const [before] = state.range(processDefinitions, 'latest', [1, program.key], 1);
  if (before?.key === program.key) retire(scene, before);
  changes.create(definitionModels, { id, resourceId: resource.id, ...storeText(changes, id, JSON.stringify(program)) });
  const definition: ProcessDefinition = {
    id,
    key: program.key,
    version,
    latest: true,
    name: program.name,
    description: program.documentation,
    deploymentId: deployment.id,
    deploymentName: deployment.name,
    resourceName: resource.name,
    suspended: false,
    sweep: null,
    versionTag: program.versionTag,
    category: program.category,
    startFormKey:
      startEventsOf(program).find((it) => it.type === 'startEvent' && it.event === null)?.startFormKey ?? null,
    candidateStarterUsers: program.candidateStarterUsers,
    candidateStarterGroups: program.candidateStarterGroups,
    historyTimeToLive: program.historyTimeToLive,
    ...(program.isStartableInTasklist === false && { isStartableInTasklist: false }),
    timerJobIds: [],
    deleting: false,
  };
  changes.put(processDefinitions, { ...definition, timerJobIds: armStartEvents(scene, definition, program) });
}

/** The latest version is not the latest any more: nothing starts it by itself. */
function retire(scene: DefinitionScene, definition: ProcessDefinition): void {
  disarmStartEvents(scene, definition);
  scene.changes.put(processDefinitions, { ...definition, latest: false, timerJobIds: [] });
}

/** The version becomes the latest one again, because a newer one went. */
export function reinstate(scene: DefinitionScene, definition: ProcessDefinition, program: Program): void {
  const timerJobIds = armStartEvents(scene, definition, program);
  scene.changes.put(processDefinitions, { ...definition, latest: true, timerJobIds });
}

/** Removes what waits for messages, signals and times in order to start the definition. */
export function disarmStartEvents({ state, changes }: DefinitionScene, definition: ProcessDefinition): void {
  for (const { id } of state.find(subscriptions, 'start', [definition.id])) changes.remove(subscriptions, id);
  for (const id of definition.timerJobIds) changes.remove(jobs, id);
}

function armStartEvents(scene: DefinitionScene, definition: ProcessDefinition, program: Program): string[] {
  const { timeZone } = program;
  return startsOf(program).flatMap(({ start, event }) =>
    event.kind === 'timer'
      ? armTimer(scene, definition, start, {
          firstAfter: (now) => firstStart(event, now, timeZone),
          details: (now) => startJobOf(startingElement(program, start), now),
        })
      : armStart(scene, definition, start, event),
  );
}

/** Gives the ids of the jobs. */
function armStart(
  scene: DefinitionScene,
  definition: ProcessDefinition,
  start: StartPart,
  event: EventDefinition,
): string[] {
  if (event.kind === 'message' || event.kind === 'signal') subscribeStart(scene, definition, start, event);
  if (event.kind === 'conditional') subscribeStart(scene, definition, start, { kind: event.kind, name: '' });
  return [];
}

function armTimer(
  { state, changes }: DefinitionScene,
  { id: definitionId, key: definitionKey }: ProcessDefinition,
  start: StartPart,
  { firstAfter, details }: TimerStart,
): string[] {
  const first = firstOf(start, () => firstAfter(state.now));
  if (first === null) return [];
  const id = state.ids.next();
  const { elementId: activityId } = start;
  const input: TimerStartInput = { ...start, repeat: first.repeat };
  const job = { id, type: 'timerStart', dueAt: first.at, definitionId, definitionKey, activityId, input };
  changes.job({ ...details(state.now), ...job });
  return [id];
}

/** A timer start event, as it is at an instant. */
interface TimerStart {
  readonly firstAfter: (now: number) => StartTimer | null;
  readonly details: (now: number) => ReturnType<typeof startJobOf>;
}

/** What the start event says of jobs, else its process. */
function startingElement(program: Program, { elementId }: StartPart): Pick<Element, 'jobPriority' | 'retryCycle'> {
  const element = startEventsOf(program).find(({ id }) => id === elementId);
  const jobPriority = element?.jobPriority ?? program.elements[0]?.jobPriority;
  return { retryCycle: element?.retryCycle ?? null, ...(jobPriority !== undefined && { jobPriority }) };
}

/** @throws BAD_REQUEST (an expression that needs an instance, or gives no time) */
function firstOf({ elementId: id }: StartPart, read: () => StartTimer | null): StartTimer | null {
  try {
    return read();
  } catch (thrown) {
    throw badRequest(`expected start event '${id}' to tell when it starts an instance, but ${messageOf(thrown)}`, {
      reason: 'model_invalid',
      details: { elementId: id },
    });
  }
}

/** Input of the job of a timer start event. */
export interface TimerStartInput extends StartPart {
  readonly repeat: Repeat | null;
}

function subscribeStart(
  { state, changes }: DefinitionScene,
  { id: definitionId, key: definitionKey }: ProcessDefinition,
  start: StartPart,
  { kind, name }: { readonly kind: Subscription['eventType']; readonly name: string },
): void {
  const made: Subscription = {
    id: state.ids.next(),
    eventType: kind,
    eventName: name,
    instanceId: null,
    businessKey: null,
    definitionId,
    definitionKey,
    ...start,
    executionId: null,
    created: state.now,
    revision: state.revision,
  };
  changes.create(subscriptions, made);
  lookForBuffered({ state, changes }, made);
}

/** A message starts one process, also of those that have come or come back: two keys that wait for the same one would leave it undecided. @throws CONFLICT */
export function requireOwnMessages({ state, changes }: DefinitionScene, programs: readonly Program[]): void {
  const owners = new Map<string, string>();
  for (const { program, name } of messageStartsOf(programs)) {
    const elsewhere = state
      .find(subscriptions, 'name', ['message', name, 'start'])
      .filter(({ id }) => changes.current(state, subscriptions, id) !== undefined)
      .find(({ definitionKey }) => definitionKey !== program.key);
    const other = elsewhere?.definitionKey ?? owners.get(name) ?? program.key;
    owners.set(name, other);
    if (other === program.key) continue;
    throw new ServiceError(
      'CONFLICT',
      `expected no other process to be started by message '${name}' of process '${program.key}', but '${other}' is`,
      { reason: 'message_start_taken', resourceId: elsewhere?.definitionId ?? other },
    );
  }
}

const messageStartsOf = (programs: readonly Program[]) =>
  programs.flatMap((program) =>
    startsOf(program).flatMap(({ event }) => (event.kind === 'message' ? [{ program, name: event.name }] : [])),
  );
