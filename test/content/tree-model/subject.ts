import { join } from 'node:path';
import { type Content, type ContentNode, ContentView, type LargeWork, nodes } from '../../../src/content/index.js';
import { versionHistories, versions } from '../../../src/content/version/version.js';
import { type Caller, type Cause, systemCaller } from '../../../src/shared/caller.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import type { AnyOperation } from '../../../src/store/decision.js';
import {
  documentOf,
  PageRoom,
  type Partition,
  type QueryAnswer,
  type ReaderQuery,
  Store,
  tableOf,
} from '../../../src/store/index.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Logs, OpenedLog } from '../../../src/store/log/logs.js';
import { MemoryLog } from '../../../src/store/log/memory-logs.js';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import type { TableShape } from '../../../src/store/log/schema.js';
import { Replica } from '../../../src/store/replica.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { CachedStatements } from '../../../src/store/statements.js';
import { plant } from '../../support/content-store.js';
import { testContent } from '../../support/test-content.js';

export const BEGUN = Date.UTC(2026, 0, 1);
const PARTITION = 'test';
/** As many as one commit writes. */
const PLANTED_MAX = 500;

/** A log with its database at hand. */
class SeenLogs implements Logs {
  database: Database | undefined;
  readonly #folder: string | null;

  constructor(folder: string | null) {
    this.#folder = folder;
  }

  async open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog> {
    if (this.#folder !== null) {
      const opened = await new LocalLogs(this.#folder).open(partition, shapes);
      this.database = openDatabase(join(this.#folder, partition, 'log.db'), { readOnly: true });
      return opened;
    }
    this.database = openReplicaFile(':memory:', shapes);
    return { log: new MemoryLog(this.database, shapes), replica: new Replica(this.database) };
  }

  async remove(partition: string): Promise<void> {
    if (this.#folder !== null) await new LocalLogs(this.#folder).remove(partition);
  }
}

export interface SubjectOptions {
  /** Where blobs are. */
  readonly scratch: string;
  /** Where the log is; null: in memory. */
  readonly folder: string | null;
  /** Done when the reader has answered a question of large work, before anybody hears of it. */
  readonly answered?: (query: string) => Promise<void> | void;
}

/** Another name of the workspace, from which large work takes it for another one. */
export const ABROAD = 'abroad';

/** The repository as the steps use it: a store with the content in it, without HTTP, and with readers on the same thread. */
export class Subject {
  readonly #options: SubjectOptions;
  readonly #clock = new VirtualClock(BEGUN);
  #opened: Opened | undefined;
  /** What large work is made ready by. */
  readonly work: LargeWork = {
    partitionOf: (workspace) => (workspace === ABROAD ? PARTITION : undefined),
    plan: async (_, query, args, caller) => {
      const { answer } = this.query(query, args, caller);
      await this.#options.answered?.(query.name);
      return answer;
    },
    send: async (_, operation, input) =>
      (await this.partition.send(operation, input, { caller: systemCaller(PARTITION) })).answer,
  };

  constructor(options: SubjectOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { scratch, folder } = this.#options;
    const logs = new SeenLogs(folder);
    const reader = {
      query: async <A, R>(_: string, query: ReaderQuery<A, R>, args: A, caller: Caller) =>
        this.query(query, args, caller),
    };
    const { content } = await testContent(scratch, {}, reader, this.work);
    const store = new Store({
      ...content,
      operations: [...content.operations, plant],
      longJobs: { types: content.longJobTypes },
      folder,
      logs,
      reactions: [],
      clock: this.#clock,
      jobSlots: 1,
      callerOf: (userId: string, workspace: string, cause: Cause) => ({ ...systemCaller(workspace, cause), userId }),
    });
    const partition = await store.open(PARTITION, PARTITION);
    if (logs.database === undefined) throw new Error('expected the log to be open');
    const ofNodes = Object.entries(content.nodes).map(([field, { operation }]): [string, AnyOperation] => [
      field,
      operation,
    ]);
    const operations = new Map<string, AnyOperation>([...ofNodes, ...Object.entries(content.api)]);
    this.#opened = { store, partition, content, operations, log: new CachedStatements(logs.database) };
    await this.partition.send(content.jobs.ensureStandardTree, null, { caller: systemCaller(PARTITION) });
  }

  /** As a server that ends and begins again. */
  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  async close(): Promise<void> {
    const { folder } = this.#options;
    await this.#at.store.close(0);
    if (folder !== null) this.#at.log.close();
    this.#opened = undefined;
  }

  get #at(): Opened {
    if (this.#opened === undefined) throw new Error('expected the repository to be open');
    return this.#opened;
  }

  get partition(): Partition {
    return this.#at.partition;
  }

  wait(ms: number): void {
    this.#clock.set(this.#clock.now() + ms);
  }

  get now(): number {
    return this.#clock.now();
  }

  /** Does an operation. Rejects with its refusal. */
  async send(name: string, input: unknown, caller: Caller): Promise<unknown> {
    const operation = this.#at.operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation '${name}'`);
    return (await this.partition.send(operation, input, { caller })).answer;
  }

  /** Makes nodes as they are given, whatever the rules say. */
  async plant(...planted: readonly ContentNode[]): Promise<void> {
    for (let from = 0; from < planted.length; from += PLANTED_MAX)
      await this.partition.send(plant, planted.slice(from, from + PLANTED_MAX), { caller: systemCaller(PARTITION) });
  }

  /** The tree as the caller sees it now. */
  view(caller: Caller): ContentView {
    return new ContentView(this.partition.replica.read(), caller);
  }

  /** The same, with what is small read at once. */
  quickView(caller: Caller): ContentView {
    return new ContentView(this.partition.replica.read(), caller, this.partition.replica.statements);
  }

  /** What the reader's thread would answer. */
  query<A, R>(query: ReaderQuery<A, R>, args: A, caller: Caller): QueryAnswer<R> {
    const { log, partition } = this.#at;
    const revision = partition.replica.read().revision - 1;
    const context = { log, index: null, caller, revision, indexRevision: null, room: new PageRoom() };
    return { answer: query.run(context, args), revision, indexRevision: null };
  }

  /** The names of the node's versions by their numbers, the root version's the first. */
  versionNamesOf(nodeId: string): readonly string[] {
    return this.partition.replica
      .read()
      .find(versions, 'number', [nodeId])
      .map(({ name }) => name);
  }

  /** The number of the version that has the label. */
  labelsOf(nodeId: string): ReadonlyMap<string, number> {
    const state = this.partition.replica.read();
    const labels = state.get(versionHistories, nodeId)?.labels ?? {};
    return new Map(Object.entries(labels).map(([label, id]) => [label, state.get(versions, id)?.number ?? -1]));
  }

  /** All nodes as they are stored. */
  stored(): ContentNode[] {
    const rows = this.#at.log.prepare(`SELECT id, body FROM ${tableOf(nodes)}`).all();
    return rows.map(({ id, body }) => documentOf(nodes, { id: String(id), body: String(body) }));
  }
}

interface Opened {
  readonly store: Store;
  readonly partition: Partition;
  readonly content: Content;
  /** By the fields and the names that steps call them by. */
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly log: CachedStatements;
}
