import { readdirSync, readFileSync } from 'node:fs';
import { createSourceEventStream, execute, parse, validate } from 'graphql';
import { brokenDescriptor, PendingChunks } from '../../../src/content/index.js';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../../src/engine/decision-store.js';
import { advance, createEngine, Handlers, ModelParser, ProgramStore } from '../../../src/engine/index.js';
import type { FeedItem } from '../../../src/graphql/index.js';
import { ApiContext, type ApiServices, bpmResolvers, makeSchema } from '../../../src/graphql/index.js';
import { longJobResolvers } from '../../../src/graphql/job/long-job-resolvers.js';
import { WaitingWorkers } from '../../../src/server/worker/waiting-workers.js';
import type { Caller } from '../../../src/shared/caller.js';
import { type Clock, VirtualClock } from '../../../src/shared/clock.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { systemTime } from '../../../src/shared/time.js';
import { type Partition, Reader, Store } from '../../../src/store/index.js';
import { temporaryFolder } from '../../support/temporary.js';
import { testContent } from '../../support/test-content.js';
import { noRoutes } from './no-routes.js';
import { nobody, noHistory, noWorkspaces } from './nobody.js';

const folder = 'src/graphql/schema/';
const files = readdirSync(folder).filter((file) => /^(base|clock|job|bpm-.*)\.graphql$/.test(file));

/** The schema of BPM alone, with what is wrong with it. */
export const bpmSchema = makeSchema({
  typeDefs: files.map((file) => readFileSync(folder + file, 'utf8')),
  resolvers: {
    ...bpmResolvers,
    Query: { ...bpmResolvers.Query, ...longJobResolvers.Query },
    Subscription: { ...bpmResolvers.Subscription, ...longJobResolvers.Subscription },
  },
});

const person = (userId: string, groups: readonly string[] = [], roles: readonly string[] = []): Caller => ({
  userId,
  groups: ['everyone', ...groups],
  roles,
  sessionId: `session of ${userId}`,
  workspace: 'test',
  cause: {},
});

export const admin = person('admin', [], ['administrator']);
export const ann = person('ann', ['clerks']);
export const bob = person('bob');

/** What one execution gave, errors by their code. */
export interface Executed {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly data: any;
  readonly errors: readonly string[];
  readonly position: string | undefined;
}

export interface Asked {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly caller?: Caller;
  readonly idempotencyKey?: string;
}

/** Who is in which group, as an object that knows itself. */
class Groups {
  readonly #clerks = ['ann'];

  describe(): undefined {}

  groupsOf(userId: string): readonly string[] {
    return this.#clerks.includes(userId) ? ['everyone', 'clerks'] : ['everyone'];
  }
}

/** The BPM part of the API over an engine in a store on disk. */
export class BpmServer {
  readonly handlers = new Handlers();
  readonly clock: Clock & { set(now: number): void };
  readonly #folder = temporaryFolder();
  readonly #parser = new ModelParser({ budgetMs: 20_000 });
  readonly #reader: Reader;
  readonly #services: Omit<ApiServices, 'content' | 'blobs'>;
  #content: Pick<ApiServices, 'content' | 'blobs'> | undefined;
  readonly #store: Store;
  readonly #workers: WaitingWorkers;
  #partition: Partition | undefined;

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    const clock = new VirtualClock(now);
    this.clock = clock;
    const programs = new ProgramStore();
    const engine = createEngine({
      decisions: new DecisionStore(),
      parseDecisions: compileDecisions,
      advance,
      programs,
      handlers: this.handlers,
      parseModel: (xml) => this.#parser.parse(xml),
      evaluators: {},
    });
    this.#workers = new WaitingWorkers(engine.api, systemTime);
    this.#store = new Store({
      followers: (partition) => [this.#workers.follower(partition)],
      folder: this.#folder.path,
      ...engine,
      reactions: [],
      clock,
      jobSlots: 8,
      longJobs: { types: engine.longJobTypes, workers: 2 },
      callerOf: (userId, _workspace, cause) => ({ ...(userId === admin.userId ? admin : person(userId)), cause }),
    });
    this.#reader = new Reader({
      dataFolder: this.#folder.path,
      modules: [new URL('../../../src/engine/reader/reader-module.js', import.meta.url).href],
    });
    this.#services = {
      reader: this.#reader,
      principals: new Groups(),
      isRunning: () => true,
      callerNow: (caller) => caller,
      identity: nobody,
      history: noHistory,
      system: () => this.partition,
      workspaces: noWorkspaces,
      cluster: () => ({ enabled: false, nodeId: null, members: [] }),
      apps: { read: async () => brokenDescriptor('there is none') },
      audit: { note: () => {}, read: async () => [] },
      engine,
      workers: this.#workers,
      longJobs: this.#store.longJobs.operations,
      programs,
      chunks: new PendingChunks(),
      deployer: { refusedAt: () => null },
      eip: noRoutes,
      version: 'test',
      answerWaitMs: 10_000,
      now: () => clock.now(),
      advanceClock: async ({ to }) => {
        clock.set(to ?? 0);
        while ((await this.partition.decider.jobs.takeDue()) > 0) await this.partition.decider.jobs.quiet();
        return clock.now();
      },
    };
  }

  async open(): Promise<void> {
    this.#content = await testContent(this.#folder.path);
    this.#partition = await this.#store.open('test', 'test');
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await this.#store.close(1_000);
    await this.#parser.close();
    this.#folder.remove();
  }

  get partition(): Partition {
    if (this.#partition === undefined) throw new Error('expected the server to be open');
    return this.#partition;
  }

  /** Executes a document as the caller (default: the administrator). */
  async run(source: string, { variables = {}, caller = admin, idempotencyKey }: Asked = {}): Promise<Executed> {
    const document = parse(source);
    const invalid = validate(bpmSchema.schema, document);
    if (invalid.length > 0) throw new Error(invalid.map((error) => error.message).join('\n'));
    const contextValue = this.#context(caller, idempotencyKey);
    const { data, errors } = await execute({
      schema: bpmSchema.schema,
      document,
      contextValue,
      variableValues: { ...variables },
    });
    const codes = (errors ?? []).map(({ originalError, message }) =>
      originalError instanceof ServiceError ? `${originalError.code}: ${message}` : `BUG: ${message}`,
    );
    return { data: JSON.parse(JSON.stringify(data ?? null)), errors: codes, position: contextValue.position() };
  }

  /** As {@link run}, for a document that must succeed: its data. */
  async data(source: string, asked: Asked = {}): Promise<Executed['data']> {
    const { data, errors } = await this.run(source, asked);
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return data;
  }

  /** Deploys a model as the administrator; gives the deployment. */
  async deploy(content: string, name = 'model'): Promise<Executed['data']> {
    const { deployProcess } = await this.data(
      'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id name deploymentTime source tenantId processDefinitions { id key version } } }',
      { variables: { input: { name, resources: [{ name: `${name}.bpmn`, content }] } } },
    );
    return deployProcess;
  }

  /** Starts an instance; gives its id. */
  async start(definitionKey: string, more: Readonly<Record<string, unknown>> = {}, caller = admin): Promise<string> {
    const { startProcess } = await this.data(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { variables: { input: { definitionKey, ...more } }, caller },
    );
    return startProcess.id;
  }

  /** Follows a subscription: what it delivers, one payload after the other. */
  async follow(source: string, caller = admin): Promise<Followed> {
    const ending = new AbortController();
    const document = parse(source);
    const contextValue = this.#context(caller, undefined, ending);
    const events = await createSourceEventStream({ schema: bpmSchema.schema, document, contextValue });
    if (!(Symbol.asyncIterator in events)) throw events.errors?.[0]?.originalError ?? new Error('not followed');
    const items = (events as AsyncIterable<FeedItem>)[Symbol.asyncIterator]();
    return {
      next: async () => {
        const { value } = await items.next();
        const { data, errors } = await execute({
          schema: bpmSchema.schema,
          document,
          rootValue: value.value,
          contextValue: this.#context(caller),
        });
        if (errors?.[0]) throw errors[0];
        return { data: JSON.parse(JSON.stringify(data)), position: value.position };
      },
      end: async () => {
        ending.abort();
        await items.return?.();
      },
    };
  }

  #context(caller: Caller, idempotencyKey?: string, ending = new AbortController()): ApiContext {
    if (this.#content === undefined) throw new Error('expected the server to be open');
    const services = { ...this.#services, ...this.#content };
    const facts = { caller, workspace: { partition: this.partition }, requestId: 'r1', variables: {}, ending };
    return new ApiContext({ ...facts, ...(idempotencyKey !== undefined && { idempotencyKey }) }, services);
  }
}

export interface Followed {
  next(): Promise<{ readonly data: Executed['data']; readonly position: string }>;
  end(): Promise<void>;
}
