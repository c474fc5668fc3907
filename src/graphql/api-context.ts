import { GraphQLError, type GraphQLResolveInfo, Kind, responsePathAsArray } from 'graphql';
import { ContentView } from '../content/index.js';
import { type ActivityInstance, activityHistory, engineLists } from '../engine/index.js';
import type { Caller } from '../shared/caller.js';
import { ServiceError } from '../shared/errors.js';
import {
  type Aside,
  type Collection,
  type Document,
  damagedRow,
  earliestPosition,
  isDamaged,
  type Page,
  type PartitionPort,
  type ReaderQuery,
  type ReadLine,
  type State,
} from '../store/index.js';
import type { ApiServices, ApiWorkspace, RefusedModel } from './api-services.js';
import { Batch } from './batch.js';
import type { AnswerRoom, GraphqlContext, RequestFacts } from './context.js';
import { ExchangeNodes } from './eip/exchange-nodes.js';
import type { ApiEngine } from './execution/engine-guard.js';
import { requireReached } from './feed-iterator.js';
import { type ListQuery, type Path, RequestLists } from './request-lists.js';

/** How many documents one request reads of the tree: what it answers is bounded by the limit of its objects. */
const DOCUMENTS_MAX = 50_000;
const HISTORIES_MAX = 50;

/** One request on its way through the resolvers: reads what it may see, each thing once, and remembers what it changed. */
export class ApiContext implements GraphqlContext<ApiWorkspace> {
  readonly workspace: ApiWorkspace;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  readonly atLeast?: string;
  readonly after?: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ending: Pick<AbortController, 'signal'>;
  readonly aside: Aside;
  readonly gone?: () => AbortSignal;
  readonly room?: AnswerRoom;
  readonly address: string;
  readonly giveCookie?: (cookie: string) => void;
  readonly services: ApiServices;
  readonly #caller: Caller;
  #documents = new Map<string, Document | undefined>();
  /** What they are read from. */
  #found: State | undefined;
  #histories: Batch<string, ActivityInstance[]> | undefined;
  #lists: RequestLists | undefined;
  #systemLists: RequestLists | undefined;
  readonly #leftOut: GraphQLError[] = [];
  #content: ContentView | undefined;
  #exchanges: ExchangeNodes | undefined;
  #revision: number | undefined;
  /** That of the last commit in `system`, where another workspace is asked. */
  #systemRevision: number | undefined;
  readonly #committed = new Set<string>();
  readonly #refusedModels = new Map<string, RefusedModel>();
  readonly #openCopies = new Set<string>();
  readonly #mayBeShed: boolean;

  /** @throws BAD_REQUEST, RESYNC_REQUIRED (`atLeast` is no position, or of another history) */
  constructor(facts: RequestFacts<ApiWorkspace>, services: ApiServices) {
    this.#caller = facts.caller;
    this.workspace = facts.workspace;
    this.requestId = facts.requestId;
    this.variables = facts.variables;
    this.ending = facts.ending;
    this.aside = facts.aside ?? (() => {});
    if (facts.gone !== undefined) this.gone = facts.gone;
    this.address = facts.address ?? '';
    if (facts.giveCookie !== undefined) this.giveCookie = facts.giveCookie;
    this.#mayBeShed = facts.mayBeShed ?? false;
    if (facts.room !== undefined) this.room = facts.room;
    if (facts.idempotencyKey !== undefined) this.idempotencyKey = facts.idempotencyKey;
    if (facts.atLeast !== undefined) {
      requireReached([facts.workspace.partition.replica, services.system().replica], facts.atLeast);
      this.atLeast = facts.atLeast;
    }
    if (facts.after !== undefined) this.after = facts.after;
    this.services = services;
  }

  /** Who asks, with the rights of now. @throws UNAUTHORIZED when the user is disabled or gone */
  get caller(): Caller {
    return this.services.callerNow(this.#caller);
  }

  /** Whether the engine runs in the workspace that is asked. */
  isRunning(engine: ApiEngine): boolean {
    return this.services.isRunning(this.workspace.partition.id, engine);
  }

  /** When the caller's user was made, ms. */
  get userSince(): number {
    return this.services.identity.directory.user(this.#caller.userId)?.created ?? 0;
  }

  /** The durable state as it is now, whoever may see it. */
  get state(): State {
    return this.#stateOf();
  }

  #stateOf(readMax?: number): State {
    const { replica } = this.workspace.partition;
    const onRead = (characters: number) => this.room?.read(characters);
    const limits = { onRead, ...(readMax !== undefined && { readMax }) };
    return this.#revision === undefined ? replica.read(limits) : replica.readBack(limits);
  }

  /** The tree of nodes as the caller sees it. */
  get content(): ContentView {
    const reads = {
      prepare: (sql: string) => this.workspace.partition.replica.statements.prepare(sql),
      onRead: (characters: number) => this.room?.read(characters),
    };
    this.#content ??= new ContentView(this.#stateOf(DOCUMENTS_MAX), this.caller, reads, [this.exchanges]);
    return this.#content;
  }

  /** Exchanges of routes, as far as they show in that tree. */
  get exchanges(): ExchangeNodes {
    this.#exchanges ??= new ExchangeNodes(this.services.history, this.workspace.partition.id);
    return this.#exchanges;
  }

  /** That state, whoever may see it, each document read once per request: for what belongs to something that the caller sees. */
  readonly reading: Pick<State, 'get'> = { get: (collection, id) => this.#get(collection, id) };

  #get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const key = `${collection.name}/${id}`;
    if (!this.#documents.has(key)) {
      this.#found ??= this.#stateOf(Number.MAX_SAFE_INTEGER - 1);
      this.#documents.set(key, this.#found.get(collection, id));
    }
    return this.#documents.get(key) as T | undefined;
  }

  /** The document, if there is one that the caller may see; read once per request. */
  find<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const document = this.#get(collection, id);
    return document !== undefined && (collection.visible?.(this.caller, document) ?? true) ? document : undefined;
  }

  /** One page of a list. */
  async list(list: ListQuery): Promise<Page> {
    return this.shown(await this.#requestLists.list(list), list.path);
  }

  /** One page of a thing's relation. */
  async related(list: ListQuery): Promise<Page> {
    return this.shown(await this.#requestLists.related(list), list.path);
  }

  /** As {@link list}, of what `system` holds. */
  async listInSystem(list: ListQuery): Promise<Page> {
    this.#systemLists ??= this.#listsIn(this.services.system());
    return this.shown(await this.#systemLists.list(list), list.path);
  }

  get #requestLists(): RequestLists {
    this.#lists ??= this.#listsIn(this.workspace.partition);
    return this.#lists;
  }

  #listsIn({ id, replica }: PartitionPort): RequestLists {
    const { reader } = this.services;
    return new RequestLists({
      caller: this.caller,
      room: this.room,
      replica,
      readList: (list) => reader.list(id, list, { line: this.#line, room: this.room }),
      query: (lists) => this.query(engineLists, lists),
    });
  }

  /** The page; what is damaged of it is told at the path of its list, once. */
  shown<P extends Page>(page: P, path: Path): P {
    for (const { damage } of page.rows) {
      if (damage === undefined) continue;
      this.#tell(damagedRow(damage.what, damage.id), path);
    }
    return page;
  }

  /** What makes nodes of a list's documents: where that comes upon something damaged there is no node, and it is told at the list's path, once. */
  leavingOut<D, T>({ path }: GraphQLResolveInfo, nodeOf: (document: D) => T): (document: D) => T | undefined {
    const told = new Set<unknown>();
    return (document) => {
      try {
        return nodeOf(document);
      } catch (thrown) {
        if (!isDamaged(thrown)) throw thrown;
        if (!told.has(thrown.message)) this.#tell(thrown, responsePathAsArray(path));
        told.add(thrown.message);
        return undefined;
      }
    };
  }

  #tell(originalError: ServiceError, path: Path): void {
    this.#leftOut.push(new GraphQLError(originalError.message, { path, originalError }));
  }

  leftOut(): readonly GraphQLError[] {
    return this.#leftOut;
  }

  /** The activity instances of a process instance. */
  history(instanceId: string): Promise<ActivityInstance[]> {
    this.#histories ??= new Batch((instanceIds) => this.query(activityHistory, { instanceIds }), HISTORIES_MAX);
    return this.#histories.load(instanceId);
  }

  /** The answer of a query of the reader. */
  async query<A, R>(query: ReaderQuery<A, R>, args: A): Promise<R> {
    const { partition } = this.workspace;
    const { answer } = await this.services.reader.query(partition.id, query, args, this.caller, {
      line: this.#line,
      room: this.room,
    });
    return answer;
  }

  /** Where reads of this request wait: what a mutation reads back of what it did goes first and is refused nothing. */
  get #line(): ReadLine {
    if (this.#revision !== undefined) return 'readBack';
    return this.#mayBeShed ? 'query' : 'own';
  }

  /** Remembers the revision of a commit of this request. What was read before is read anew. */
  changed(revision: number): void {
    this.#revision = Math.max(this.#revision ?? 0, revision);
    this.#documents = new Map();
    this.#found = undefined;
    this.#content = undefined;
    this.#histories = undefined;
  }

  /** As {@link changed}, of a commit in `system`. */
  changedSystem(revision: number): void {
    if (this.workspace.partition.id === this.services.system().id) return this.changed(revision);
    this.#systemRevision = Math.max(this.#systemRevision ?? 0, revision);
  }

  /** Remembers that the root field above this place has committed. */
  committed({ key, prev }: GraphQLResolveInfo['path']): void {
    if (prev === undefined) this.#committed.add(String(key));
    else this.committed(prev);
  }

  hasCommitted(field: string): boolean {
    return this.#committed.has(field);
  }

  /** Remembers that a file of this request was stored and is not deployed. */
  refused(model: RefusedModel): void {
    this.#refusedModels.set(model.path, model);
  }

  /** Remembers that a copy of this request came without access control lists of its source. */
  copiedOpen(path: string): void {
    this.#openCopies.add(path);
  }

  told(): Readonly<Record<string, unknown>> {
    return {
      ...(this.#refusedModels.size > 0 && { refusedModels: [...this.#refusedModels.values()] }),
      ...(this.#openCopies.size > 0 && { copiesWithoutAccessControl: [...this.#openCopies] }),
    };
  }

  /** Whoever was refused what is not for everybody is in the audit log. */
  failed({ originalError, nodes }: GraphQLError): void {
    if (!(originalError instanceof ServiceError) || originalError.code !== 'FORBIDDEN') return;
    const [field] = nodes ?? [];
    const { resourceId } = originalError.info;
    this.services.audit.note(this.workspace.partition.id, {
      userId: this.#caller.userId,
      type: field?.kind === Kind.FIELD ? field.name.value : 'query',
      targets: resourceId === undefined ? [] : [resourceId],
      outcome: originalError.code,
    });
  }

  position(): string | undefined {
    const { feed } = this.workspace.partition.replica;
    if (this.#systemRevision === undefined)
      return this.#revision === undefined ? undefined : feed.position(this.#revision);
    const inSystem = this.services.system().replica.feed.position(this.#systemRevision);
    return earliestPosition([feed.position(this.#revision), inSystem]);
  }
}
