import { type IdSource, idSource, seedFrom } from '../../shared/ids.js';
import type { Answer, Answered, Ask, CommandContext, State } from '../../store/index.js';
import { type ProcessInstance, type RunCommand, subscribedKey, subscriptions, tasks } from '../collections.js';
import type { Decided, DecisionRequest, OnTheWay, RunContext, TaskFacts } from '../element/instance-state.js';
import { type EngineServices, STEPS_MAX, UNWAITED_STEPS_MAX } from '../engine-services.js';
import type { Program } from '../model/program.js';
import type { Changes } from './changes.js';
import { chanceIn, decide, findDecision } from './decide.js';
import { answerOfHandler } from './inline-handler.js';
import { hereFor } from './input-path.js';
import { factsOf } from './task-changes.js';

/** Scene of a run: one decision. */
export interface RunScene {
  readonly services: EngineServices;
  readonly state: State;
  readonly changes: Changes;
  readonly context: CommandContext;
}

/** What a run of a large instance is told. */
interface Told extends Pick<RunContext, 'here' | 'onTheWay'> {
  readonly isLarge: boolean;
  readonly followed: readonly number[];
}

/** What a run is told besides its input, by what the instance and the server know; and what it was told, which is kept, so that a replay is told the same. */
export class ToldContext implements RunContext {
  readonly now: number;
  readonly ids: IdSource;
  readonly instanceId: string;
  readonly definitionId: string;
  readonly businessKey: string | null;
  readonly userId: string;
  readonly answers: Answered[];
  readonly stepsMax: number;
  readonly expired?: () => boolean;
  readonly followed?: readonly number[];
  readonly here?: readonly number[];
  readonly onTheWay?: OnTheWay;
  /** Of the run's ids and random numbers. */
  readonly seed: string;
  readonly #scene: RunScene;
  readonly #instance: ProcessInstance;
  readonly #isLarge: boolean;
  // Most runs ask for none of these.
  #groups: readonly string[] | undefined;
  #handlers: Record<string, 'inline' | 'call' | null> | undefined;
  #tasks: Record<string, TaskFacts | null> | undefined;
  #subscribed: Record<string, readonly string[]> | undefined;
  #decisions: NonNullable<RunCommand['decisions']>[number][] | undefined;

  /** `followed`: tokens that were brought back, and take first what they have missed; `here`: all that were, where a modification goes on. */
  constructor(scene: RunScene, instance: ProcessInstance, { isLarge, followed, here, onTheWay }: Told) {
    const { services, state, context } = scene;
    this.#scene = scene;
    this.#instance = instance;
    this.#isLarge = isLarge;
    this.seed = seedFrom(context.seed, `${instance.id}/${instance.runs + 1}`);
    this.now = state.now;
    this.ids = idSource(this.seed, state.now);
    this.instanceId = instance.id;
    this.definitionId = instance.definitionId;
    this.businessKey = instance.businessKey;
    this.userId = context.caller.userId;
    this.answers = context.answers;
    this.stepsMax = services.stepsMax ?? STEPS_MAX;
    const expired = services.runClock?.();
    if (expired !== undefined) this.expired = expired;
    if (followed.length > 0) this.followed = followed;
    if (here !== undefined) this.here = here;
    if (onTheWay !== undefined) this.onTheWay = onTheWay;
  }

  groups(): readonly string[] {
    this.#groups = this.#scene.context.caller.groups;
    return this.#groups;
  }

  answer(ask: Ask): Answer | undefined {
    return answerOfHandler(this.#scene.services.handlers, ask);
  }

  handler(name: string): 'inline' | 'call' | undefined {
    const kind = this.#scene.services.handlers.kind(name);
    this.#handlers ??= {};
    this.#handlers[name] = kind ?? null;
    return kind;
  }

  handlerNames(): readonly string[] {
    return this.#scene.services.handlers.names();
  }

  task(id: string): TaskFacts | undefined {
    const task = this.#scene.changes.current(this.#scene.state, tasks, id);
    const facts = task && factsOf(task);
    this.#tasks ??= {};
    this.#tasks[id] = facts ?? null;
    return facts;
  }

  subscribed(type: 'message' | 'signal', name: string): readonly string[] {
    const key = subscribedKey(type, name);
    this.#subscribed ??= {};
    this.#subscribed[key] ??= this.#subscriptionsTo(name).flatMap(({ id, eventType }) =>
      eventType === type ? [id] : [],
    );
    return this.#subscribed[key];
  }

  #subscriptionsTo(name: string) {
    const { state } = this.#scene;
    const { id, state: tokens } = this.#instance;
    return this.#isLarge ? hereFor(state, tokens, name) : state.find(subscriptions, 'instance', [id, name]);
  }

  decide(request: DecisionRequest): Decided {
    const { services, state } = this.#scene;
    this.#decisions ??= [];
    const definition = findDecision(state, request, this.definitionId);
    const { id: definitionId } = definition;
    const chance = chanceIn(services, state, definition, `${this.seed}/${this.#decisions.length}`);
    const made = decide(services, state, definition, { now: state.now, variables: request.variables, ...chance });
    if (made === undefined) {
      const asked = { definitionId, modelId: definition.modelId, ...chance };
      this.#decisions.push(asked);
      return asked;
    }
    const { value, rows } = made;
    this.#decisions.push({ definitionId, outcome: { value, rows } });
    return { definitionId, outcome: made };
  }

  stepsLeft(before: number): number {
    return Math.max(0, (this.#scene.services.unwaitedStepsMax ?? UNWAITED_STEPS_MAX) - before);
  }

  program(definitionId: string): Program {
    return this.#scene.services.programs.of(this.#scene.state, definitionId);
  }

  /** What it was told. */
  kept(): Pick<RunCommand, 'followed' | 'here' | 'groups' | 'handlers' | 'decisions' | 'tasks' | 'subscribed'> {
    const subscribed = this.#subscribed;
    return {
      ...(this.followed && { followed: this.followed }),
      ...(this.here && { here: this.here }),
      ...(this.#groups?.length && { groups: this.#groups }),
      ...(this.#handlers && { handlers: this.#handlers }),
      ...(this.#decisions?.length && { decisions: this.#decisions }),
      ...(this.#tasks && { tasks: this.#tasks }),
      ...(subscribed && Object.values(subscribed).some(({ length }) => length > 0) && { subscribed }),
    };
  }
}
