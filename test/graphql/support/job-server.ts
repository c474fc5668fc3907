import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brokenDescriptor } from '../../../src/content/index.js';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../../src/engine/decision-store.js';
import { advance, createEngine, Handlers, ProgramStore } from '../../../src/engine/index.js';
import {
  ApiContext,
  type ApiServices,
  createGraphqlHandler,
  type GraphqlHandler,
  longJobResolvers,
  makeSchema,
} from '../../../src/graphql/index.js';
import { mutate } from '../../../src/graphql/mutate.js';
import { WaitingWorkers } from '../../../src/server/worker/waiting-workers.js';
import { SteadyClock, systemClock } from '../../../src/shared/clock.js';
import { systemTime } from '../../../src/shared/time.js';
import {
  earliestPosition,
  type LongJob,
  type LongJobRef,
  operation,
  type Partition,
  Reader,
  Store,
} from '../../../src/store/index.js';
import { opened } from '../../../src/store/job/long/change.js';
import { HeldType } from '../../support/long-jobs.js';
import { temporaryFolder } from '../../support/temporary.js';
import { testContent } from '../../support/test-content.js';
import { callerNamed } from '../../support/test-domain.js';
import { EventReader } from './event-reader.js';
import { noRoutes } from './no-routes.js';
import { nobody, noHistory, noWorkspaces } from './nobody.js';
import { type Answer, asJson, signedIn } from './test-server.js';

const sdl = (file: string) => readFileSync(`src/graphql/schema/${file}`, 'utf8');

/** Mutations as a type of long jobs has them. */
const HELD = `
  extend type Mutation {
    "Makes a job."
    initHeld("Higher ones run first." priority: Int = 0): JobRef!
    "Adds items to it."
    appendHeld("The job's id." jobId: String!, "What is added." items: [String!]!): JobRef!
    "Starts it."
    startHeld("The job's id." jobId: String!): JobRef!
    "Aborts it."
    abortHeld("The job's id." jobId: String!): JobRef!
  }
`;

const type = 'held';
type Field<A> = (
  root: unknown,
  args: A,
  context: ApiContext,
  info: Parameters<typeof mutate>[1],
) => Promise<LongJobRef>;
interface HeldMutations {
  readonly initHeld: Field<{ priority: number }>;
  readonly appendHeld: Field<{ jobId: string; items: string[] }>;
  readonly startHeld: Field<{ jobId: string }>;
  readonly abortHeld: Field<{ jobId: string }>;
}
const heldMutations: HeldMutations = {
  initHeld: async (_, { priority }, context, info) =>
    (await mutate(context, info, context.services.longJobs.initLongJob, { type, priority })).answer,
  appendHeld: async (_, { jobId, items }, context, info) =>
    (await mutate(context, info, context.services.longJobs.appendLongJobItems, { jobId, type, items })).answer,
  startHeld: async (_, { jobId }, context, info) =>
    (await mutate(context, info, context.services.longJobs.startLongJob, { jobId, type })).answer,
  abortHeld: async (_, { jobId }, context, info) =>
    (await mutate(context, info, context.services.longJobs.abortLongJob, { jobId, type })).answer,
};

export const jobSchema = makeSchema({
  typeDefs: [sdl('base.graphql'), sdl('job.graphql'), HELD],
  resolvers: { ...longJobResolvers, Mutation: heldMutations },
});

/** A job under an id of the test's choice. */
const appear = operation('appear', (state, job: LongJob) => ({ ...opened(job, state.now), answer: null }));

/** The API of long jobs over HTTP, with one type whose runs are in the test's hand. Users sign in by `cookie: user=<name>`. */
export class JobServer {
  readonly held = new HeldType({ needsItems: true });
  readonly store: Store;
  readonly #folder = temporaryFolder();
  readonly #engine = createEngine({
    decisions: new DecisionStore(),
    parseDecisions: compileDecisions,
    advance,
    programs: new ProgramStore(),
    handlers: new Handlers(),
    parseModel: () => Promise.reject(new Error('expected no model')),
    evaluators: {},
  });
  readonly #reader = new Reader({ dataFolder: this.#folder.path, modules: [] });
  readonly #server: Server;
  readonly #handler: GraphqlHandler;
  #partition: Partition | undefined;
  #services: ApiServices | undefined;

  constructor() {
    const longJobs = { types: [this.held] };
    this.store = new Store({
      ...this.#engine,
      operations: [...this.#engine.operations, appear],
      folder: this.#folder.path,
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 4,
      callerOf: callerNamed,
      longJobs,
    });
    this.#handler = createGraphqlHandler({
      schema: jobSchema.schema,
      authenticate: ({ headers }) => callerNamed(/user=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? 'nobody'),
      workspace: () => ({ partition: this.partition }),
      context: (facts) => new ApiContext(facts, this.services),
      earliestPosition,
    });
    this.#server = createServer((request, response) => void this.#handler(request, response));
  }

  async open(): Promise<void> {
    const { content, blobs, chunks } = await testContent(this.#folder.path);
    this.#services = {
      reader: this.#reader,
      principals: { groupsOf: () => [], describe: () => undefined },
      isRunning: () => true,
      callerNow: (caller) => caller,
      identity: nobody,
      history: noHistory,
      system: () => this.partition,
      workspaces: noWorkspaces,
      cluster: () => ({ enabled: false, nodeId: null, members: [] }),
      apps: { read: async () => brokenDescriptor('there is none') },
      audit: { note: () => {}, read: async () => [] },
      engine: this.#engine,
      workers: new WaitingWorkers(this.#engine.api, systemTime),
      content,
      blobs,
      chunks,
      longJobs: this.store.longJobs.operations,
      programs: new ProgramStore(),
      deployer: { refusedAt: () => null },
      eip: noRoutes,
      version: 'test',
      answerWaitMs: 1_000,
      now: () => systemClock.now(),
      advanceClock: async () => systemClock.now(),
    };
    this.#partition = await this.store.open('test', 'test');
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#handler.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#reader.close();
    await this.store.close(0);
    this.#folder.remove();
  }

  get services(): ApiServices {
    if (this.#services === undefined) throw new Error('expected the server to be open');
    return this.#services;
  }

  get partition(): Partition {
    if (this.#partition === undefined) throw new Error('expected the server to be open');
    return this.#partition;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/bin/graphql.cgi/test`;
  }

  async ask(query: string, headers: Record<string, string> = {}): Promise<Answer> {
    const body = JSON.stringify({ query });
    const response = await fetch(this.url, { method: 'POST', headers: { ...asJson, ...headers }, body });
    return (await response.json()) as Answer;
  }

  /** What a mutation's field answers. @throws its refusal, by its code */
  async mutate(
    field: string,
    headers: Record<string, string> = {},
  ): Promise<LongJobRef & { readonly position: string }> {
    const answer = await this.ask(`mutation { ref: ${field} { jobId status itemsAccepted itemsTotal } }`, headers);
    if (answer.errors?.[0]) throw new Error(`${answer.errors[0].extensions.code}: ${answer.errors[0].message}`);
    return { ...(answer.data?.ref as LongJobRef), position: answer.extensions?.position ?? '' };
  }

  /** A job with one item, started; gives its id. */
  async started(): Promise<string> {
    const { jobId } = await this.mutate('initHeld');
    await this.mutate(`appendHeld(jobId: "${jobId}", items: ["/a"])`);
    await this.mutate(`startHeld(jobId: "${jobId}")`);
    return jobId;
  }

  /** Stores a job as it is given. */
  async appear(job: LongJob): Promise<void> {
    await this.partition.send(appear, job, { caller: callerNamed('ann') });
  }

  /** Follows a job on a stream of its own; `from`: the id of the last event that was seen. */
  follow(args: string, fields = 'status itemsProcessed', from?: string): Promise<EventReader> {
    const query = `subscription { jobProgress(${args}) { ${fields} } }`;
    const resume: Record<string, string> = from === undefined ? {} : { 'Last-Event-ID': from };
    const headers = { ...signedIn, ...resume, Accept: 'text/event-stream' };
    return EventReader.open(`${this.url}?query=${encodeURIComponent(query)}`, { headers });
  }
}
