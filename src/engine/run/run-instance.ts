import { idSource, seedFrom } from '../../shared/ids.js';
import type { Action, Ask, CommandContext, State } from '../../store/index.js';
import {
  type ProcessInstance,
  type Run,
  type RunCommand,
  runId,
  runs,
  subscribedKey,
  subscriptions,
  tasks,
} from '../collections.js';
import { keptAnswer } from '../element/failure.js';
import {
  type Decided,
  type DecisionRequest,
  type Effect,
  type Input,
  RULES,
  type RunContext,
  type RunResult,
  type TaskFacts,
} from '../element/instance-state.js';
import { largeScopes, type Path, pathsIn } from '../element/large-scope.js';
import { type EngineServices, STEPS_MAX, UNWAITED_STEPS_MAX } from '../engine-services.js';
import { lookAgain } from './buffered-messages.js';
import type { Changes } from './changes.js';
import { chanceIn, decide, findDecision } from './decide.js';
import { answerOfHandler } from './inline-handler.js';
import { hereFor, pathsOf } from './input-path.js';
import { counted, type InstanceScene, performOnInstance, requireAccepted, stepInstance } from './instance-changes.js';
import { bringBack, rehydrate } from './load-instance.js';
import { performEffects } from './perform-effects.js';
import { isShort, storeText } from './stored-text.js';
import { factsOf } from './task-changes.js';

/** Scene of a run: one decision. */
export interface RunScene {
  readonly services: EngineServices;
  readonly state: State;
  readonly changes: Changes;
  readonly context: CommandContext;
}

/** A command on an instance. */
interface RunRequest {
  /** The operation's name: kept with the run. */
  readonly command: string;
  /** As it is before, sweeps taken. */
  readonly instance: ProcessInstance;
  readonly event: 'start' | 'step' | 'modify' | 'cancel' | 'clear' | 'migrate' | 'follow';
  readonly input: Input;
  /** Where the tokens are that the input is about, if they are in large scopes. Default: where what it names is. */
  readonly within?: Iterable<Path>;
}

/** The instance after the run; or what the run must know before it can go on. */
export type RunEnd = { readonly instance: ProcessInstance } | { readonly ask: Ask };

/**
 * One run: from a command to the point where every token waits. Gathers all that it writes in the scene's changes.
 * @throws CONFLICT (the instance's state does not accept it), EXECUTION_FAILED (an expression, script or gateway failed)
 */
export function runInstance(scene: RunScene, request: RunRequest): RunEnd {
  const { services, state, changes } = scene;
  const { instance, event } = request;
  const [begun, first] = begin(instance, event);
  const loaded = rehydrate(state, instance);
  const isLarge = largeScopes(loaded.state) !== undefined;
  if (isLarge) bringBack(state, loaded, request.within ?? pathsOf(state, request.input));
  const program = services.programs.of(state, instance.definitionId);
  const seed = seedFrom(scene.context.seed, `${instance.id}/${instance.runs + 1}`);
  const seen: Seen = { seed, handlers: {}, tasks: {}, subscribed: {}, decisions: [], groups: [] };
  const { followed } = loaded;
  const runs = runContext(scene, instance, { seen, isLarge, followed });
  const result = services.advance(program, loaded.state, request.input, runs);
  if ('ask' in result) return result;
  // What is suspended takes variables, but not those that a condition hears of, so that something would go on.
  if (request.input.type === 'setVariables' && result.steps > 0) requireAccepted(instance, GOES_ON.step);
  const [after, actions] = afterRun(state, request, { begun, effects: result.effects });
  const made: InstanceScene = { state, changes, instance: after, loaded: { ...loaded, state: result.state } };
  performOnInstance(made, first);
  const effectScene = { state, changes, instance: after, program, pathOf: pathsIn(result.state), incidents: 0 };
  performEffects(effectScene, result.effects);
  keepRun(scene, after, request, { result, seen, followed });
  made.instance = counted(after, effectScene.incidents);
  const stored = performOnInstance(made, actions);
  lookAgain({ state, changes, instance: stored }, result.state);
  return { instance: stored };
}

/** Keeps a command that moved no token: suspended, activated. */
export function keepQuietRun(scene: RunScene, command: string, before: ProcessInstance): ProcessInstance {
  const instance = { ...before, runs: before.runs + 1 };
  const nothing: RunCommand = { input: null, seed: scene.context.seed, steps: 0 };
  putRun(scene, instance, command, { history: [], command: nothing });
  return instance;
}

type Done = Exclude<RunResult, { ask: Ask }>;

/** Answers that a run was given besides its input: kept, so that a replay is told the same. */
interface Seen {
  readonly seed: string;
  readonly handlers: Record<string, 'inline' | 'call' | null>;
  readonly tasks: Record<string, TaskFacts | null>;
  readonly subscribed: Record<string, readonly string[]>;
  readonly decisions: NonNullable<RunCommand['decisions']>[number][];
  groups: readonly string[];
}

interface Made {
  readonly result: Done;
  readonly seen: Seen;
  readonly followed: readonly number[];
}

function runContext(
  { services, state, changes, context }: RunScene,
  instance: ProcessInstance,
  { seen, isLarge, followed }: { readonly seen: Seen; readonly isLarge: boolean; readonly followed: readonly number[] },
): RunContext {
  const expired = services.runClock?.();
  return {
    now: state.now,
    ids: idSource(seen.seed, state.now),
    instanceId: instance.id,
    definitionId: instance.definitionId,
    businessKey: instance.businessKey,
    userId: context.caller.userId,
    groups: () => {
      seen.groups = context.caller.groups;
      return seen.groups;
    },
    answers: context.answers,
    answer: (ask) => answerOfHandler(services.handlers, ask),
    handler: (name) => {
      const kind = services.handlers.kind(name);
      seen.handlers[name] = kind ?? null;
      return kind;
    },
    handlerNames: () => services.handlers.names(),
    task: (id) => {
      const task = changes.current(state, tasks, id);
      const facts = task && factsOf(task);
      seen.tasks[id] = facts ?? null;
      return facts;
    },
    subscribed: (type, name) => {
      const key = subscribedKey(type, name);
      const own = () =>
        isLarge ? hereFor(state, instance.state, name) : state.find(subscriptions, 'instance', [instance.id, name]);
      seen.subscribed[key] ??= own().flatMap(({ id, eventType }) => (eventType === type ? [id] : []));
      return seen.subscribed[key];
    },
    decide: (request) => decideFor(services, state, instance, { request, seen }),
    stepsMax: services.stepsMax ?? STEPS_MAX,
    stepsLeft: (before) => Math.max(0, (services.unwaitedStepsMax ?? UNWAITED_STEPS_MAX) - before),
    ...(expired && { expired }),
    ...(followed.length > 0 && { followed }),
    program: (definitionId) => services.programs.of(state, definitionId),
  };
}

/** Decides for an instance; what is needed to replay it is kept. */
function decideFor(
  services: EngineServices,
  state: State,
  instance: ProcessInstance,
  { request, seen }: { readonly request: DecisionRequest; readonly seen: Seen },
): Decided {
  const definition = findDecision(state, request, instance.definitionId);
  const { id: definitionId } = definition;
  const chance = chanceIn(services, state, definition, `${seen.seed}/${seen.decisions.length}`);
  const made = decide(services, state, definition, { now: state.now, variables: request.variables, ...chance });
  if (made === undefined) {
    const asked = { definitionId, modelId: definition.modelId, ...chance };
    seen.decisions.push(asked);
    return asked;
  }
  const { value, rows } = made;
  seen.decisions.push({ definitionId, outcome: { value, rows } });
  return { definitionId, outcome: made };
}

type InstanceActor = ProcessInstance['actor'];

/** The actor as the run begins, and what this causes. What it does not accept is refused before anything runs. @throws CONFLICT */
function begin(instance: ProcessInstance, type: RunRequest['event']): readonly [InstanceActor, readonly Action[]] {
  if (type === 'start') return stepInstance(instance, { type });
  // What was left behind is no longer the instance's life: it may have ended. What follows it is it already.
  if (type === 'clear' || type === 'follow') return [instance.actor, []];
  requireAccepted(instance, GOES_ON[type]);
  return [instance.actor, []];
}

/** What is cancelled of it from outside may end it, also while it is suspended. */
const CHANGED: ReadonlySet<RunRequest['event']> = new Set<RunRequest['event']>(['modify', 'follow']);

const GOES_ON = {
  step: { type: 'step', outcome: 'waiting' },
  modify: { type: 'modify' },
  cancel: { type: 'cancel' },
  migrate: { type: 'migrate' },
} as const;

/** The instance's document as the run leaves it, its tokens apart, and what the run's end causes. @throws CONFLICT */
function afterRun(
  state: State,
  { instance, event }: RunRequest,
  { begun, effects }: { readonly begun: InstanceActor; readonly effects: readonly Effect[] },
): readonly [ProcessInstance, readonly Action[]] {
  const ended = effects.find((effect) => effect.type === 'ended');
  const isBehind = event === 'clear' || (event === 'follow' && ended === undefined);
  if (isBehind) return [{ ...instance, runs: instance.runs + 1 }, [{ type: 'store' }]];
  const outcome = ended?.outcome ?? 'waiting';
  const isChange = event === 'cancel' || (event === 'migrate' && ended === undefined);
  const [actor, actions] = stepInstance(
    begun === instance.actor ? instance : { ...instance, actor: begun },
    isChange ? { type: event } : { type: CHANGED.has(event) ? 'modify' : 'step', outcome },
  );
  const key = effects.findLast((effect) => effect.type === 'businessKey');
  const after = {
    ...instance,
    ...(key !== undefined && { businessKey: key.businessKey }),
    actor,
    runs: instance.runs + 1,
    ...(ended !== undefined && { endTime: state.now, deleteReason: ended.reason }),
  };
  return [after, actions];
}

function keepRun(scene: RunScene, instance: ProcessInstance, request: RunRequest, made: Made): void {
  const { result, seen, followed } = made;
  const { answers } = scene.context;
  const command: RunCommand = {
    input: request.input,
    seed: seen.seed,
    rules: RULES,
    steps: result.steps,
    ...(followed.length > 0 && { followed }),
    ...(result.effects.some(isStall) && { stalled: true }),
    ...(answers.length > 0 && { answers: answers.map(keptAnswer) }),
    ...(result.effects.some(({ type }) => type === 'businessKey') && { businessKey: request.instance.businessKey }),
    ...(seen.groups.length > 0 && { groups: seen.groups }),
    ...(isFilled(seen.handlers) && { handlers: seen.handlers }),
    ...(seen.decisions.length > 0 && { decisions: seen.decisions }),
    ...(isFilled(seen.tasks) && { tasks: seen.tasks }),
    ...(Object.values(seen.subscribed).some(({ length }) => length > 0) && { subscribed: seen.subscribed }),
  };
  putRun(scene, instance, request.command, { history: result.history, command });
}

const isStall = (effect: Effect): boolean => effect.type === 'createJob' && effect.job.stalled !== undefined;

const isFilled = (record: object): boolean => Object.keys(record).length > 0;

function putRun(
  { state, changes, context }: RunScene,
  instance: ProcessInstance,
  type: string,
  { history, command }: { readonly history: Done['history']; readonly command: RunCommand },
): void {
  const id = runId(instance.id, instance.runs);
  const { userId, cause } = context.caller;
  changes.create(runs, {
    id,
    instanceId: instance.id,
    n: instance.runs,
    type,
    at: state.now,
    userId,
    ...(cause.traceparent !== undefined && { traceparent: cause.traceparent }),
    definitionId: instance.definitionId,
    history,
    ...storedCommand(changes, id, command),
  });
}

/** Within the run's document where it is short. */
function storedCommand(changes: Changes, id: string, command: RunCommand): Pick<Run, 'command' | 'pieces'> {
  if (isShort(command)) return { command, pieces: 0 };
  const { text, pieces } = storeText(changes, id, JSON.stringify(command));
  return { command: text === null ? null : command, pieces };
}
