import { externalTasks, jobs, processInstances, runs, subscriptions, tasks } from '../../../src/engine/collections.js';
import { DecisionThreads } from '../../../src/engine/decision/decision-threads.js';
import type { LongDecision } from '../../../src/engine/element/decision-task.js';
import { type ScriptRun, ScriptSandbox } from '../../../src/expression/index.js';
import { admin, EngineHarness, inputs } from '../../support/engine-harness.js';
import { Random } from '../../support/random.js';
import { type BesideModel, CALLED, DECIDED, entered } from './models.js';

/** What a process did. */
export interface Outcome {
  /** `completed`, `failed`, or `waiting` where it was left. */
  readonly state: string;
  /** Activities of `p` in the order in which they began; `!`: it was cancelled, `?`: it goes on. */
  readonly trail: readonly string[];
  /** Those of what it called. */
  readonly called: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  /** Activities at which an incident was opened, in order. */
  readonly incidents: readonly string[];
}

/** Something that waits: its name, and how it goes on. */
interface Waiting {
  readonly name: string;
  readonly goOn: () => Promise<unknown>;
}

const ACTIONS_MAX = 300;

/** The threads of scripts and decisions. */
export class Threads {
  readonly sandbox = new ScriptSandbox();
  readonly decisions = new DecisionThreads();

  async close(): Promise<void> {
    await Promise.all([this.sandbox.close(), this.decisions.close()]);
  }
}

/** An engine in memory with one model of a seed, driven to its end by the seed's choices. */
export class Drive {
  readonly engine: EngineHarness;
  readonly #model: BesideModel;
  readonly #random: Random;
  readonly #failed: string[] = [];
  #id = '';

  constructor(model: BesideModel, threads: Threads) {
    this.#model = model;
    this.#random = new Random(model.seed + 1_000_000);
    const script = async (question: unknown) => {
      const result = await threads.sandbox.run(question as ScriptRun);
      if ('error' in result) throw new Error(result.error.message);
      return result;
    };
    const decision = (asked: unknown) => {
      const question = asked as LongDecision;
      const known = this.engine.decisions.known(question.modelId);
      if (known === undefined) throw new Error(`no model '${question.modelId}'`);
      return threads.decisions.answer({ kind: 'decision', question, model: known });
    };
    this.engine = new EngineHarness({ evaluators: { script, decision } });
  }

  /** Starts an instance and gives it whatever it waits for, until it has ended. */
  async run(): Promise<Outcome> {
    const { engine } = this;
    await engine.deploy(CALLED, 'called');
    const decided = { name: 'decided', resources: [{ name: 'd.dmn', content: DECIDED }] };
    await engine.run(engine.api.deployProcess, decided, admin);
    await engine.deploy(this.#model.xml);
    this.#id = await engine.start(this.#model.variables, admin, 'key');
    for (let actions = 0; actions < ACTIONS_MAX; actions++) {
      await engine.settle();
      if (this.#state !== 'waiting') break;
      const waiting = this.#waiting();
      if (waiting.length === 0) await this.#set({ cond: 1 });
      else await waiting[this.#random.below(waiting.length)]?.goOn();
    }
    return this.#outcome();
  }

  /** The stored state, and the one that the kept commands give. */
  replayed(): ReturnType<EngineHarness['replayed']> {
    return this.engine.replayed(this.#id);
  }

  get #state(): string {
    const { value } = this.engine.instance(this.#id).actor;
    return value === 'completed' || value === 'failed' ? value : 'waiting';
  }

  /** All that waits, by name; of one name in the order in which it began to. */
  #waiting(): Waiting[] {
    const { engine } = this;
    const { api } = engine;
    const run = <I>(operation: Parameters<typeof engine.run<I, unknown>>[0], input: I) =>
      engine.run(operation, input, admin);
    const found: Waiting[] = [];
    for (const task of engine.all(tasks)) {
      const goOn = () => run(api.completeTask, { taskId: task.id, variables: inputs(entered(this.#random)) });
      found.push({ name: `task ${task.elementId} ${task.name}`, goOn });
    }
    for (const { id, elementId, topic } of engine.all(externalTasks)) {
      found.push({ name: `external ${elementId}`, goOn: () => this.#work(id, topic) });
    }
    for (const { id, activityId, actor, immediate } of engine.all(jobs)) {
      if (immediate && actor.value !== 'dead') continue;
      const goOn = actor.value === 'dead' ? () => this.#mend(id) : () => this.#attempt(id, activityId ?? '');
      found.push({ name: `job ${activityId}`, goOn });
    }
    for (const { eventType, eventName, elementId, instanceId } of engine.all(subscriptions)) {
      if (instanceId === null) continue;
      const goOn = () =>
        eventType === 'message'
          ? run(api.correlateMessage, { messageName: eventName })
          : run(api.publishSignal, { signalName: eventName });
      found.push({ name: `event ${elementId}`, goOn });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  async #work(taskId: string, topic: string): Promise<void> {
    const { engine } = this;
    const isError = topic.startsWith('fails-') && this.#random.chance(0.5);
    const lock = { taskId, workerId: 'w', lockDurationMs: 1_000, now: engine.now };
    await engine.run(engine.api.lockExternalTask, lock, admin);
    const held = { taskId, workerId: 'w' };
    const variables = inputs({ b: this.#random.below(7) });
    if (isError) {
      const error = { ...held, errorCode: topic.slice('fails-'.length), variables };
      await engine.run(engine.api.externalTaskBpmnError, error, admin);
    } else await engine.run(engine.api.completeExternalTask, { ...held, variables }, admin);
  }

  async #attempt(id: string, activityId: string): Promise<void> {
    const job = await this.engine.runJob(id);
    if (job?.actor.value === 'dead') this.#failed.push(activityId);
  }

  /** What made a job fail is mended, and it is tried again. */
  async #mend(id: string): Promise<void> {
    await this.#set({ fail: 0 });
    await this.engine.run(this.engine.api.setRetriesOfJob, { id, retries: 1 }, admin);
    await this.#attempt(id, '');
  }

  #set(variables: Record<string, number>): Promise<unknown> {
    const input = { processInstanceId: this.#id, variables: inputs(variables), mode: 'MERGE' } as const;
    return this.engine.run(this.engine.api.setProcessVariables, input, admin);
  }

  #outcome(): Outcome {
    const { engine } = this;
    const trails = engine
      .all(processInstances)
      .map(({ id, definitionKey }) => ({ key: definitionKey, trail: this.#trail(id) }));
    const of = (key: string) => trails.filter((each) => each.key === key).flatMap(({ trail }) => trail);
    return {
      state: this.#state,
      trail: of('p'),
      called: of('q'),
      variables: engine.variables(this.#id),
      incidents: this.#failed,
    };
  }

  #trail(instanceId: string): string[] {
    const { engine } = this;
    const kept = engine
      .all(runs)
      .filter((run) => run.instanceId === instanceId)
      .sort((a, b) => a.n - b.n);
    const marks = new Map<number, string>();
    const began: [number, string][] = [];
    for (const { definitionId, history } of kept) {
      const { elements } = engine.programs.of(engine.state(), definitionId);
      for (const entry of history) {
        const [what, n] = entry;
        if (what !== 1 && what !== 2) began.push([n, (elements[entry[2]]?.id ?? '') + (what > 3 ? '#' : '')]);
        marks.set(n, ['?', '', '!', '', '?', ''][what] ?? '');
      }
    }
    return began.map(([n, id]) => id + (marks.get(n) ?? ''));
  }
}
