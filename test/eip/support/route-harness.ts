import assert from 'node:assert/strict';
import { type Route, routes } from '../../../src/eip/collections.js';
import { Conductor } from '../../../src/eip/conductor.js';
import { createEip, type Eip } from '../../../src/eip/eip.js';
import type { ReadRoutes, ReadRoutesQuestion } from '../../../src/eip/eip-services.js';
import type { RouteStateChanged } from '../../../src/eip/events.js';
import { keptDefinitions } from '../../../src/eip/keep-definitions.js';
import type { RouteModel } from '../../../src/eip/model/route-model.js';
import type { PreparedRoute } from '../../../src/eip/route-port.js';
import type { Caller } from '../../../src/shared/caller.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { Operation, PartitionPort } from '../../../src/store/index.js';
import { callerNamed, Harness } from '../../support/harness.js';
import { FakeRuntime } from './fake-runtime.js';

/** A route as the files of these tests have it: JSON of a list of them. */
export interface FakeRoute {
  readonly id: string;
  readonly uri?: string;
  readonly description?: string;
  readonly autoStartup?: boolean;
  readonly startupOrder?: number;
  /** Lines above it. */
  readonly line?: number;
}

export const deployer = callerNamed('dora', { roles: ['deployer'], principalId: 'p-dora' });
export const operator = callerNamed('olga', { roles: ['operator'] });

/** Routes without a log and without anything that runs them: what is committed is conducted at once. */
export class RouteHarness {
  readonly eip: Eip;
  readonly harness: Harness;
  runtime = new FakeRuntime();
  /** Users who are disabled. */
  readonly gone = new Set<string>();
  #conductor: Conductor | undefined;

  constructor() {
    this.eip = createEip({
      readRoutes: async (question) => read(question),
      backoff: { attempts: 3, delayMs: 2_000, delayMaxMs: 60_000 },
      drainMs: 45_000,
    });
    this.harness = new Harness({
      ...(this.eip.jobTypes && { jobTypes: this.eip.jobTypes }),
      ...(this.eip.evaluators && { evaluators: this.eip.evaluators }),
    });
  }

  /** Begins as a server does: with another runtime. */
  async begin(): Promise<void> {
    this.runtime = new FakeRuntime();
    this.#conductor = new Conductor({
      partition: {
        id: 'p',
        workspace: 'test',
        replica: { read: () => this.harness.state() },
        sendAsSystem: (operation: Operation<unknown, unknown>, input: unknown) =>
          this.run(operation, input, systemCaller('test')),
      } as unknown as PartitionPort,
      open: (told) => {
        this.runtime.told = told;
        return this.runtime;
      },
      reports: this.eip.reports,
      mayAct: ({ userId }) => !this.gone.has(userId),
    });
    await this.#conductor.begin();
    await this.quiet();
  }

  /** Dies as a server does that is killed: nothing that its runtime still does is heard of. */
  kill(): void {
    this.#conductor = undefined;
  }

  get conductor(): Conductor {
    if (this.#conductor === undefined) throw new Error('expected begin() before');
    return this.#conductor;
  }

  async run<I, A>(operation: Operation<I, A>, input: I, caller: Caller): Promise<A> {
    const conductor = this.#conductor;
    const answer = await this.harness.run(operation, input, caller);
    if (conductor !== this.#conductor) throw new Error('the server is gone');
    conductor?.committed({ writes: this.harness.lastDecision?.write ?? [] });
    return answer;
  }

  /** Deploys a file of routes, and waits for what it causes. */
  async deploy(path: string, file: readonly FakeRoute[] | string, more: object = {}, caller = deployer) {
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    const input = { fileId: path.slice(path.lastIndexOf('/') + 1), path, format: 'yaml' as const, text, ...more };
    const answer = await this.run(this.eip.api.deployRoutes, input, caller);
    await this.quiet();
    return answer;
  }

  async operate(
    verb: 'start' | 'stop' | 'suspend' | 'resume',
    id: string,
    timeout?: number,
  ): Promise<Route | undefined> {
    await this.run(this.eip.api[`${verb}Route`], { id, ...(timeout !== undefined && { timeout }) }, operator);
    await this.quiet();
    return this.route(id);
  }

  /** Does a waiting job, and waits for what it causes. */
  async runJob(id: string): Promise<void> {
    await this.harness.runJob(id);
    this.#conductor?.committed({ writes: this.harness.lastDecision?.write ?? [] });
    await this.quiet();
  }

  route(id: string): Route | undefined {
    return this.harness.get(routes, id);
  }

  state(id: string): string | undefined {
    return this.route(id)?.actor.value;
  }

  /** Changes of state so far: `orders Stopped Starting`. */
  get changes(): string[] {
    return this.harness.events
      .filter(({ type }) => type === 'route.stateChanged')
      .map(({ data }) => data as RouteStateChanged)
      .map(({ routeId, previousState, currentState }) => `${routeId} ${previousState} ${currentState}`);
  }

  /** Resolves when the runtime has nothing more to do that does not wait. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Asserts that the command is refused with the code, for the reason. */
export const rejected = (work: Promise<unknown>, code: string, reason: string): Promise<void> =>
  assert.rejects(work, (thrown: { readonly code?: string; readonly info?: { readonly reason?: string } }) => {
    assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason]);
    return true;
  });

const NONE = { onException: [], onCompletion: [], intercept: [], interceptFrom: [], interceptSendToEndpoint: [] };

const SHARED = { templates: [], configurations: [], beans: [], dataFormats: [] };

function read({ file, format, text }: ReadRoutesQuestion): ReadRoutes {
  let given: readonly FakeRoute[];
  try {
    given = JSON.parse(text) as readonly FakeRoute[];
  } catch {
    const problem = { line: 3, column: 7, element: 'setBodi', message: "'setBodi' is no step: is 'setBody' meant?" };
    return { problems: [problem], warnings: [], routes: [], templates: [], shared: SHARED };
  }
  return {
    problems: [],
    warnings: [],
    routes: given.map((route) => readRoute(file, format, route)),
    templates: [],
    shared: SHARED,
  };
}

function readRoute(file: string, format: 'yaml' | 'xml', given: FakeRoute): ReadRoutes['routes'][number] {
  const at = { line: given.line ?? 1, column: 1 };
  const { id, description, uri = `direct:${given.id}`, autoStartup = true, startupOrder = null } = given;
  const model: RouteModel = {
    ...{ id, isIdGiven: true, at, steps: [], scoped: NONE },
    options: { ...(description !== undefined && { description }) },
    from: { at, uri, parameters: {}, options: {} },
  };
  const definition = { file, model, scoped: NONE, template: null };
  const prepared: PreparedRoute = {
    ...{ isIncluded: true, autoStartup, startupOrder },
    endpoints: [{ uri, component: uri.slice(0, uri.indexOf(':')), role: 'consumer' }],
  };
  const [kept] = keptDefinitions([definition], [prepared], SHARED);
  assert.ok(kept !== undefined);
  return {
    ...{ at, definition, prepared, kept },
    source: { format, text: JSON.stringify([{ ...given, line: undefined }]) },
  };
}
