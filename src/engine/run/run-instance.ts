import { type Action, type Ask, afterOthers, type State } from '../../store/index.js';
import { type ProcessInstance, type Run, type RunCommand, runId, runs } from '../collections.js';
import { keptAnswer } from '../element/failure.js';
import { type Effect, type Input, type OnTheWay, RULES, type RunResult } from '../element/instance-state.js';
import { largeScopes, type Path, pathsIn, tokensOn } from '../element/large-scope.js';
import type { ProcessInstanceEvent } from '../machine/process-instance.js';
import type { Program } from '../model/program.js';
import { lookAgain } from './buffered-messages.js';
import { bringAwaited } from './bundles.js';
import type { Changes } from './changes.js';
import { pathsOf } from './input-path.js';
import { counted, type InstanceScene, performOnInstance, requireAccepted, stepInstance } from './instance-changes.js';
import { awayElsewhere } from './instance-parts.js';
import { bringBack, type LoadedInstance, rehydrate } from './load-instance.js';
import { performEffects } from './perform-effects.js';
import { isShort, storeText } from './stored-text.js';
import { type RunScene, ToldContext } from './told-context.js';
import { touchedBy } from './touched-parts.js';

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
  const program = services.programs.of(state, instance.definitionId);
  const pending = pendingIn(state, request, program);
  const within = [...(request.within ?? pathsOf(state, request.input)), ...(pending ?? [])];
  if (isLarge) bringBack(state, loaded, within);
  bringAwaited(state, loaded, request.input);
  const here = pending && tokensOn(within);
  const onTheWay = onTheWayIn(request, loaded);
  const told = new ToldContext(scene, instance, {
    isLarge,
    followed: loaded.followed,
    ...(here && { here }),
    ...(onTheWay && { onTheWay }),
  });
  const result = services.advance(program, loaded.state, request.input, told);
  if ('ask' in result) return result;
  // What is suspended takes variables, but not those that a condition hears of, so that something would go on.
  if (request.input.type === 'setVariables' && result.steps > 0) requireAccepted(instance, GOES_ON.step);
  const [after, actions] = afterRun(state, request, { begun, result });
  const made: InstanceScene = { state, changes, instance: after, loaded: { ...loaded, state: result.state } };
  performOnInstance(made, first);
  const effectScene = { state, changes, instance: after, program, pathOf: pathsIn(result.state), incidents: 0 };
  performEffects(effectScene, result.effects);
  keepRun(scene, after, request, result, told);
  made.instance = counted(after, effectScene.incidents);
  const stored = performOnInstance(made, actions);
  lookAgain({ state, changes, instance: stored }, result.state);
  return { instance: stored };
}

/** What is on its way to what rests, that the run may have to wait for; undefined: nothing is, or it is brought there by the run. */
function onTheWayIn({ instance, event }: RunRequest, { state, parts }: LoadedInstance): OnTheWay | undefined {
  if ((event !== 'step' && event !== 'modify') || state.moves === undefined) return undefined;
  return { away: awayElsewhere(instance.away, parts.values()), ask: afterOthers(instance.id) };
}

/** Where the tokens rest that a modification looks for which goes on by this job; undefined: none does, or nothing rests. A new one knows where they are. */
function pendingIn(state: State, { instance, input }: RunRequest, program: Program): readonly Path[] | undefined {
  const { instructions = [], job } = instance.state.modifying ?? {};
  if (input.type !== 'job' || input.jobId !== job || instance.away === undefined) return undefined;
  return touchedBy(state, instance, program, instructions).paths;
}

/** Keeps a command that moved no token: suspended, activated. */
export function keepQuietRun(scene: RunScene, command: string, before: ProcessInstance): ProcessInstance {
  const instance = { ...before, runs: before.runs + 1 };
  const nothing: RunCommand = { input: null, seed: scene.context.seed, steps: 0 };
  putRun(scene, instance, command, { history: [], command: nothing });
  return instance;
}

type Done = Exclude<RunResult, { ask: Ask }>;

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
  { begun, result }: { readonly begun: InstanceActor; readonly result: Done },
): readonly [ProcessInstance, readonly Action[]] {
  const { effects } = result;
  const ended = effects.find((effect) => effect.type === 'ended');
  const isBehind = event === 'clear' || (event === 'follow' && ended === undefined);
  if (isBehind) return [{ ...instance, runs: instance.runs + 1 }, [{ type: 'store' }]];
  const [actor, actions] = stepInstance(instance, takenBy(event, ended), begun);
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

/** What the run is to the instance's actor. */
function takenBy(type: Exclude<RunRequest['event'], 'clear'>, ended: EndedEffect | undefined): ProcessInstanceEvent {
  if (type === 'cancel' || (type === 'migrate' && ended === undefined)) return { type };
  return { type: CHANGED.has(type) ? 'modify' : 'step', outcome: ended?.outcome ?? 'waiting' };
}

type EndedEffect = Extract<Effect, { type: 'ended' }>;

function keepRun(
  scene: RunScene,
  instance: ProcessInstance,
  request: RunRequest,
  result: Done,
  told: ToldContext,
): void {
  const { answers } = scene.context;
  const { effects, history } = result;
  const command: RunCommand = {
    input: request.input,
    seed: told.seed,
    rules: RULES,
    steps: result.steps,
    ...(effects.some(isStall) && { stalled: true }),
    ...(answers.length > 0 && { answers: answers.map(keptAnswer) }),
    ...(effects.some(({ type }) => type === 'businessKey') && { businessKey: request.instance.businessKey }),
    ...told.kept(),
  };
  putRun(scene, instance, request.command, { history, command });
}

const isStall = (effect: Effect): boolean => effect.type === 'createJob' && effect.job.stalled !== undefined;

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
