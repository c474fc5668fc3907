import {
  completedBundles,
  instanceParts,
  type Job,
  jobs,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  runs,
  type Task,
  tasks,
} from '../../src/engine/collections.js';
import { compileDecisions } from '../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../src/engine/decision-store.js';
import { advance } from '../../src/engine/element/advance.js';
import type { InstanceState } from '../../src/engine/element/instance-state.js';
import { createEngine, type Engine } from '../../src/engine/engine.js';
import { Handlers } from '../../src/engine/handlers.js';
import { compileModel } from '../../src/engine/model/compile-model.js';
import { ProgramStore } from '../../src/engine/program-store.js';
import type { VariableInput } from '../../src/engine/rule/given-value.js';
import { rehydrate } from '../../src/engine/run/load-instance.js';
import { planReceivers, type ReceiversPlan, type ReceiversQuestion } from '../../src/engine/run/waiting-receivers.js';
import type { Caller } from '../../src/shared/caller.js';
import { messageOf } from '../../src/shared/errors.js';
import { callerNamed, Harness } from './harness.js';
import { comparable, replay, wholeState } from './replay.js';

export const admin = callerNamed('admin', { roles: ['administrator'] });
export const supervisor = callerNamed('sue', { roles: ['supervisor'] });
export const ann = callerNamed('ann');
export const bob = callerNamed('bob');

/** The engine on documents in memory. */
export class EngineHarness extends Harness {
  readonly engine: Engine;
  readonly handlers: Handlers;
  readonly programs: ProgramStore;
  readonly decisions: DecisionStore;

  constructor(
    options: {
      readonly stepsMax?: number;
      readonly unwaitedStepsMax?: number;
      readonly runClock?: () => () => boolean;
      readonly evaluators?: Engine['evaluators'];
    } = {},
  ) {
    const handlers = new Handlers();
    const programs = new ProgramStore();
    const decisions = new DecisionStore();
    const engine = createEngine({
      decisions,
      parseDecisions: compileDecisions,
      advance,
      programs,
      handlers,
      parseModel: compileModel,
      evaluators: (options.evaluators ?? {}) as Readonly<Record<string, (question: unknown) => Promise<unknown>>>,
      ...(options.stepsMax !== undefined && { stepsMax: options.stepsMax }),
      ...(options.unwaitedStepsMax !== undefined && { unwaitedStepsMax: options.unwaitedStepsMax }),
      ...(options.runClock !== undefined && { runClock: options.runClock }),
    });
    const receivers = (question: ReceiversQuestion) => this.planReceivers(question);
    super({ jobTypes: engine.jobTypes, evaluators: { receivers, ...engine.evaluators } });
    this.engine = engine;
    this.handlers = handlers;
    this.programs = programs;
    this.decisions = decisions;
  }

  /** What a reader's thread finds. */
  planReceivers(question: ReceiversQuestion): ReceiversPlan {
    return planReceivers(this.state(undefined, Number.MAX_SAFE_INTEGER), question);
  }

  get api(): Engine['api'] {
    return this.engine.api;
  }

  /** Deploys a model as the administrator; gives the definitions' ids. */
  async deploy(content: string, name = 'model'): Promise<string[]> {
    const id = await this.run(this.api.deployProcess, { name, resources: [{ name: `${name}.bpmn`, content }] }, admin);
    return this.all(processDefinitions)
      .filter((definition) => definition.deploymentId === id)
      .map((definition) => definition.id);
  }

  /** Starts the newest version of `p`; gives the instance's id. */
  start(
    variables: Readonly<Record<string, unknown>> = {},
    caller: Caller = ann,
    businessKey: string | null = null,
  ): Promise<string> {
    return this.run(this.api.startProcess, { definitionKey: 'p', businessKey, variables: inputs(variables) }, caller);
  }

  instance(id: string): ProcessInstance {
    const instance = this.get(processInstances, id);
    if (instance === undefined) throw new Error(`no instance '${id}'`);
    return instance;
  }

  /** The variables of the process scope, as plain JSON. */
  variables(id: string): Record<string, unknown> {
    const { state } = rehydrate(this.state(), this.instance(id));
    const process = state.scopes.find((scope) => scope.parent === null);
    return Object.fromEntries(Object.entries(process?.variables ?? {}).map(([name, { value }]) => [name, value]));
  }

  /** The one open task, or the one of this element. */
  task(elementId?: string): Task {
    const found = this.all(tasks).filter((task) => elementId === undefined || task.elementId === elementId);
    const [task] = found;
    if (task === undefined || found.length > 1) throw new Error(`expected one task, found ${found.length}`);
    return task;
  }

  /** The one job of this type. */
  job(type: string): Job {
    const found = this.all(jobs).filter((job) => job.type === type);
    const [job] = found;
    if (job === undefined || found.length > 1) throw new Error(`expected one job '${type}', found ${found.length}`);
    return job;
  }

  /** The stored state of an instance with its large variables, and the one that its kept commands give. */
  replayed(id: string): { readonly stored: InstanceState; readonly again: InstanceState } {
    const instance = this.instance(id);
    const kept = this.all(runs).filter((run) => run.instanceId === id);
    const program = (definitionId: string) => this.programs.of(this.state(), definitionId);
    const again = replay({ advance, program, state: this.state() }, instance, kept);
    const parts = this.all(instanceParts).filter((part) => part.instanceId === id);
    const bundles = this.all(completedBundles).filter((bundle) => bundle.instanceId === id);
    const stored = wholeState(this.state(undefined, Number.POSITIVE_INFINITY), instance, parts, bundles);
    return { stored: comparable(stored), again: comparable(again) };
  }
}

/** Variables as a caller gives them, without types. */
export const inputs = (variables: Readonly<Record<string, unknown>>): VariableInput[] =>
  Object.entries(variables).map(([name, value]) => ({ name, value }));

/** How a command is refused: `CODE: sentence`. */
export async function refusalOf(command: Promise<unknown>): Promise<string> {
  try {
    await command;
  } catch (thrown) {
    return `${(thrown as { code?: string }).code}: ${messageOf(thrown)}`;
  }
  throw new Error('it was not refused');
}
