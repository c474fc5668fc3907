import assert from 'node:assert/strict';
import { advance, newInstance } from '../../src/engine/element/advance.js';
import type {
  Effect,
  HistoryEntry,
  Input,
  InstanceState,
  NewTask,
  RunContext,
  RunJob,
  RunSubscription,
  Variables,
} from '../../src/engine/element/instance-state.js';
import type { MigrateInput } from '../../src/engine/element/move.js';
import { native, typed } from '../../src/engine/element/native.js';
import { openAdHocs } from '../../src/engine/element/open-ad-hoc.js';
import { problemsIn } from '../../src/engine/migration/check-instance.js';
import { elementsOf, type PlanRequest, planOf } from '../../src/engine/migration/plan.js';
import type { Program } from '../../src/engine/model/program.js';
import { idSource, seedOf } from '../../src/shared/ids.js';
import type { Answer, Answered, Ask } from '../../src/store/index.js';

/** How a test's surroundings behave. */
export interface Surroundings {
  readonly handlers?: Readonly<Record<string, 'inline' | 'call'>>;
  /** Answers scripts and inline handlers. */
  readonly answer?: (ask: Ask) => Answer;
  readonly stepsMax?: number;
  /** How many steps are left after so many since the last wait. Default: as many as it likes. */
  readonly stepsLeft?: (stepsBefore: number) => number;
  readonly now?: number;
  readonly userId?: string;
  /** By which rules it runs. Default: the present ones. */
  readonly rules?: number;
  /** The instance is stored as JSON between inputs, as it is in production. Default true. */
  readonly stored?: boolean;
}

export const NOW = Date.UTC(2026, 0, 1);

/** One instance, driven input by input: it keeps the open tasks, jobs and subscriptions that its effects tell of. */
export class Instance {
  program: Program;
  readonly effects: Effect[] = [];
  readonly history: HistoryEntry[] = [];
  /** By which program each entry of the history is. */
  readonly #told: Program[] = [];
  /** The one that the instance has left last. */
  #former: Program;
  readonly tasks = new Map<string, NewTask>();
  readonly jobs = new Map<string, RunJob>();
  readonly subscriptions = new Map<string, RunSubscription>();
  /** The ids of open external tasks. */
  readonly external = new Set<string>();
  state: InstanceState = newInstance();
  now: number;
  runs = 0;
  steps = 0;
  readonly #surroundings: Surroundings;

  constructor(program: Program, surroundings: Surroundings = {}) {
    this.program = program;
    this.#former = program;
    this.#surroundings = surroundings;
    this.now = surroundings.now ?? NOW;
  }

  /** Starts, as the other verbs do, and goes on as long as a run was cut. */
  start(variables: Readonly<Record<string, unknown>> = {}, element: string | null = null): this {
    return this.give({ type: 'start', element, variables: all(variables) });
  }

  complete(
    element: string,
    variables: Readonly<Record<string, unknown>> = {},
    local: Readonly<Record<string, unknown>> = {},
  ): this {
    const { id } = this.task(element);
    return this.give({ type: 'completeTask', taskId: id, variables: all(variables), localVariables: all(local) });
  }

  /** The timer or continuation at the element comes; the clock is set to its time. */
  fire(element: string): this {
    const { id, dueAt } = this.job(element);
    this.now = Math.max(this.now, dueAt);
    return this.give({ type: 'job', jobId: id });
  }

  done(element: string, result: unknown = null, variables: Readonly<Record<string, unknown>> = {}): this {
    const { id } = this.job(element);
    return this.give({ type: 'callDone', jobId: id, result: typed(result), variables: all(variables) });
  }

  trigger(element: string, variables: Readonly<Record<string, unknown>> = {}): this {
    const { id } = this.subscription(element);
    return this.give({ type: 'trigger', subscriptionId: id, variables: all(variables) });
  }

  /** The activity is chosen in the ad-hoc sub-process that offers it. */
  choose(element: string, variables: Readonly<Record<string, unknown>> = {}): this {
    const position = this.program.elements.findIndex(({ id }) => id === element);
    const [open] = openAdHocs(this.program, this.state, position).filter(({ enabled }) => enabled.includes(position));
    assert.ok(open !== undefined, `nothing offers '${element}'`);
    return this.give({
      type: 'triggerActivity',
      scope: open.scope,
      activityId: element,
      variables: all(variables),
    });
  }

  /** The ids of what can be chosen. */
  get enabled(): string[] {
    return openAdHocs(this.program, this.state).flatMap(({ enabled }) =>
      enabled.map((element) => this.program.elements[element]?.id ?? ''),
    );
  }

  /** Goes on by another program. */
  migrate(target: Program, request: PlanRequest = {}, more: Partial<MigrateInput> = {}): this {
    const plan = planOf(this.program, target, request);
    assert.deepEqual(plan.problems, []);
    const elements = elementsOf(plan);
    assert.deepEqual(problemsIn({ source: this.program, target, elements }, this.state), []);
    this.#former = this.program;
    this.program = target;
    const renewed = plan.instructions.flatMap(({ target: to, renews }) => (renews ? [to] : []));
    return this.give({ type: 'migrate', from: 'former', elements, renewed, variables: {}, ...more });
  }

  give(input: Input): this {
    this.#run(input);
    for (;;) {
      const cut = [...this.jobs.values()].find(
        ({ type, immediate, stalled }) => type === 'continuation' && immediate && stalled === undefined,
      );
      if (cut === undefined) return this;
      this.#run({ type: 'job', jobId: cut.id });
    }
  }

  task(element: string): NewTask {
    return this.#only(this.tasks, element);
  }

  job(element: string): RunJob {
    return this.#only(this.jobs, element);
  }

  subscription(element: string): RunSubscription {
    return this.#only(this.subscriptions, element);
  }

  /** The process's variables as plain values. */
  get variables(): Record<string, unknown> {
    const variables = this.state.scopes.find(({ id }) => id === 0)?.variables ?? {};
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, native(value)]));
  }

  get active(): string[] {
    return activeActivityIds(this.program, this.state);
  }

  get ended(): Effect | undefined {
    return this.effects.find(({ type }) => type === 'ended');
  }

  get isCompleted(): boolean {
    return this.ended?.type === 'ended' && this.ended.outcome === 'completed';
  }

  /** The ids of the elements in the order in which their activity instances began, `id!` where one was cancelled, `id?` where it goes on; `id#` is the body of a loop. */
  get trail(): string[] {
    const marks = new Map<number, string>();
    const began: [number, string][] = [];
    for (const [at, entry] of this.history.entries()) {
      const [what, n] = entry;
      if (what === 1 || what === 2) {
        marks.set(n, ['?', '', '!'][what] ?? '');
        continue;
      }
      const id = this.#told[at]?.elements[entry[2]]?.id ?? '';
      if (what === 6) {
        const known = began.find(([number]) => number === n);
        if (known !== undefined) known[1] = id + (known[1].endsWith('#') ? '#' : '');
        continue;
      }
      began.push([n, id + (what > 3 ? '#' : '')]);
      marks.set(n, ['?', '', '!', '', '?', ''][what] ?? '');
    }
    return began.map(([n, id]) => id + (marks.get(n) ?? ''));
  }

  #only<T extends { readonly element: number }>(all: ReadonlyMap<string, T>, element: string): T {
    const found = [...all.values()].filter((each) => this.program.elements[each.element]?.id === element);
    const [first] = found;
    assert.ok(first !== undefined, `nothing waits at '${element}', but at ${this.active.join(', ')}`);
    return first;
  }

  #run(input: Input): void {
    const before = JSON.stringify(this.state);
    const answers: Answered[] = [];
    for (;;) {
      const state: InstanceState = this.#surroundings.stored === false ? this.state : JSON.parse(before);
      const result = advance(this.program, state, input, this.#context(answers));
      if ('ask' in result) {
        const answer = this.#surroundings.answer?.(result.ask);
        assert.ok(answer !== undefined, `an answer to ${JSON.stringify(result.ask)}`);
        answers.push({ ask: result.ask, answer });
        continue;
      }
      // A run that is refused leaves its job as it is.
      if ('jobId' in input) this.jobs.delete(input.jobId);
      this.state = result.state;
      this.history.push(...result.history);
      this.#told.push(...result.history.map(() => this.program));
      this.runs++;
      this.steps += result.steps;
      for (const effect of result.effects) this.#keep(effect);
      return;
    }
  }

  #context(answers: readonly Answered[]): RunContext {
    const { handlers = {}, stepsMax = 1000, stepsLeft, userId = 'mary', rules } = this.#surroundings;
    const before = [...this.subscriptions.values()];
    return {
      now: this.now,
      ids: idSource(seedOf(`run ${this.runs}`), this.now),
      instanceId: 'instance',
      definitionId: 'process:1:x',
      businessKey: 'order-1',
      userId,
      answers: [...answers],
      handler: (name) => handlers[name],
      task: (id) => this.tasks.get(id),
      subscribed: (type, name) =>
        before.flatMap(({ id, eventType, eventName }) => (eventType === type && eventName === name ? [id] : [])),
      stepsMax,
      program: () => this.#former,
      ...(stepsLeft !== undefined && { stepsLeft }),
      ...(rules !== undefined && { rules }),
    };
  }

  #move({ type: _, wait: __, id, ...moved }: Extract<Effect, { type: 'moved' }>): void {
    for (const all of [this.tasks, this.jobs, this.subscriptions] as Map<string, object>[]) {
      const found = all.get(id);
      if (found !== undefined) all.set(id, { ...found, ...moved });
    }
  }

  /** What is stored that no token waits for, and what tokens wait for that is not stored: nothing, ever. */
  get loose(): string[] {
    const { tokens, scopes } = this.state;
    const armed = [
      ...tokens.flatMap(({ boundaries = [] }) => boundaries),
      ...scopes.flatMap(({ events = [] }) => events),
    ];
    const waits = [...tokens.flatMap(({ wait }) => wait ?? []), ...armed.map(({ wait }) => wait)];
    const waited = waits.flatMap((wait) => ('id' in wait ? [wait.id] : []));
    const stored = [...this.tasks.keys(), ...this.jobs.keys(), ...this.subscriptions.keys(), ...this.external];
    return [...waited.filter((id) => !stored.includes(id)), ...stored.filter((id) => !waited.includes(id))];
  }

  #keep(effect: Effect): void {
    this.effects.push(effect);
    if (effect.type === 'createTask') this.tasks.set(effect.task.id, effect.task);
    if (effect.type === 'endTask') assert.ok(this.tasks.delete(effect.taskId), 'only an open task ends');
    if (effect.type === 'moved') this.#move(effect);
    if (effect.type === 'createJob') this.jobs.set(effect.job.id, effect.job);
    if (effect.type === 'removeJob') assert.ok(this.jobs.delete(effect.jobId), 'only an open job is removed');
    if (effect.type === 'createExternalTask') this.external.add(effect.task.id);
    if (effect.type === 'endExternalTask') this.external.delete(effect.taskId);
    if (effect.type === 'subscribe') this.subscriptions.set(effect.subscription.id, effect.subscription);
    if (effect.type === 'unsubscribe')
      assert.ok(this.subscriptions.delete(effect.subscriptionId), 'only an open subscription ends');
  }
}

/** A new instance of the program. */
export const instance = (program: Program, surroundings: Surroundings = {}) => new Instance(program, surroundings);

const all = (variables: Readonly<Record<string, unknown>>): Variables =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)]));

/** The ids of the elements that hold a token, in the order of the tokens, each once; of a sub-process what is active inside of it. */
function activeActivityIds(program: Program, state: InstanceState): string[] {
  const inner = state.tokens.filter(
    ({ wait, activity, took }) =>
      took === undefined &&
      !(wait?.kind === 'adHoc' && wait.over) &&
      wait?.kind !== 'scope' &&
      (wait?.kind !== 'compensation' || activity !== null),
  );
  return [...new Set(inner.map(({ element }) => program.elements[element]?.id ?? ''))];
}
