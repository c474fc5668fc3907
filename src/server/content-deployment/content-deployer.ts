import { type ContentFile, contentFiles, NODE_CHANGED, type NodeChanged } from '../../content/index.js';
import { type Caller, systemCaller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import {
  type BlobStore,
  type Decision,
  type Domain,
  type JobType,
  jobs,
  type PartitionPort,
  type Reaction,
  type Reader,
  type State,
} from '../../store/index.js';
import type { EngineName } from '../../workspace/index.js';
import { type DeploymentKind, hashIn, hashOf, isNearAny, isWithin } from './deployment-kind.js';
import {
  comparedKinds,
  contentDeployments,
  type DeployedFile,
  type NoteDeployments,
  noteDeployments,
} from './deployment-record.js';
import { changerOf, changesIn, fileChanges, noteChange } from './file-changers.js';

const JOB_TYPE = 'deployContent';
/** How many waiting jobs are looked at, so that many changes in a row make one job. */
const WAITING_MAX = 20;

interface DeployerParts {
  readonly kinds: readonly DeploymentKind[];
  readonly reader: Reader;
  readonly blobs: BlobStore;
  /** The open partition of the id. */
  readonly partition: (id: string) => PartitionPort;
  /** Whether the engine runs in the partition: else nothing of its kinds is deployed there. */
  readonly isRunning: (partition: string, engine: EngineName) => boolean;
  readonly now: () => number;
}

/** What nobody looked at is deployed by whoever is known. */
const ALL: KnownChanger = { userId: null, paths: ['/'] };

/** A file that is stored and not deployed. */
type RefusedModel = Pick<DeployedFile, 'nodeId' | 'path'> & { readonly problem: string };

/** Who is known to have just changed what lies at or below some paths. */
interface KnownChanger {
  /** Null: nobody is known. */
  readonly userId: string | null;
  readonly paths: readonly string[];
}

/**
 * Deploys what lies as files below the watched roots: on any change at, above or below one, the files that are there now are compared, by hash,
 * with what was deployed from them. The same bytes never make a new version; bad ones leave the last good deployment in force.
 */
export class ContentDeployer {
  readonly #parts: DeployerParts;
  readonly #roots: readonly string[];
  /** Comparisons that go on, by partition. */
  readonly #comparing = new Map<string, Promise<unknown>>();
  /** What the log was told last, as an upload and the job that it makes look at the same bytes. */
  #told = '';

  constructor(parts: DeployerParts) {
    this.#parts = parts;
    this.#roots = parts.kinds.flatMap(({ roots }) => roots);
  }

  readonly #reaction: Reaction = {
    name: JOB_TYPE,
    types: [NODE_CHANGED],
    concerns: ({ data }) => isNear(data as NodeChanged, this.#roots),
    react: (state, { event, revision }) => {
      const changed = event.data as NodeChanged;
      // Who touches a file and leaves its bytes as they were is nobody to it: its routes would act as that user.
      if (isAsCompared(state, changed)) return { answer: null };
      const byChanger = this.#parts.kinds.some(({ byBytes, roots }) => !byBytes && isNear(changed, roots));
      return { ...toCompare(state), write: byChanger ? noteChange(state, changed, revision) : [] };
    },
    missed: toCompare,
  };

  readonly #jobType: JobType<NoteDeployments> = {
    type: JOB_TYPE,
    run: async ({ id, actor }, { partition }) => ({
      operation: noteDeployments,
      input: {
        ...(await this.#compare(this.#parts.partition(partition))),
        job: { jobId: id, attempt: actor.context.attempt },
      },
    }),
  };

  /** What it keeps, and what makes it look. */
  readonly domain: Domain = {
    collections: [contentDeployments, comparedKinds, fileChanges],
    operations: [noteDeployments],
    jobTypes: [this.#jobType],
    reactions: [this.#reaction],
  };

  /** Deploys, where the partition is opened, what nobody looked at while its engine was off. */
  async opened(partition: PartitionPort): Promise<void> {
    const state = partition.replica.read();
    const isLeft = this.#kindsOf(partition).some(({ name }) => state.get(comparedKinds, name) === undefined);
    if (isLeft) await this.deploy(partition, ALL);
  }

  /** Deploys what is there now, and resolves when that is done. `by`: who has just changed some of it. */
  async deploy(partition: PartitionPort, by?: KnownChanger): Promise<void> {
    const caller = systemCaller(partition.workspace);
    await partition.send(noteDeployments, await this.#compare(partition, by), { caller });
  }

  /**
   * The files at or below the paths that cannot be deployed: what is there is deployed now, so that it is known. Null: nothing is looked
   * for there. `caller`: who has just changed them.
   */
  refusedAt(
    partition: PartitionPort,
    paths: readonly string[],
    { userId }: Pick<Caller, 'userId'>,
  ): Promise<RefusedModel[]> | null {
    const roots = this.#kindsOf(partition).flatMap((kind) => kind.roots);
    const watched = paths.map(fileAt).filter((path) => isNearAny(path, roots));
    if (watched.length === 0) return null;
    return this.deploy(partition, { userId, paths: watched }).then(() => {
      return knownIn(partition).flatMap(({ id: nodeId, path, problem }) =>
        problem !== null && watched.some((above) => isWithin(path, above)) ? [{ nodeId, path, problem }] : [],
      );
    });
  }

  /** The kinds that are deployed in the partition. */
  #kindsOf({ id }: Pick<PartitionPort, 'id'>): readonly DeploymentKind[] {
    return this.#parts.kinds.filter(({ engine }) => this.#parts.isRunning(id, engine));
  }

  /** Behind the comparison that goes on: what one has read is deployed before another one reads. */
  #compare(partition: PartitionPort, by?: KnownChanger): Promise<NoteDeployments> {
    const before = this.#comparing.get(partition.id) ?? Promise.resolve();
    const done = before.catch(() => {}).then(() => this.#compared(partition, by));
    this.#comparing.set(partition.id, done);
    return done.finally(() => {
      if (this.#comparing.get(partition.id) === done) this.#comparing.delete(partition.id);
    });
  }

  async #compared(partition: PartitionPort, by?: KnownChanger): Promise<NoteDeployments> {
    const kinds = this.#kindsOf(partition);
    const changes = changesIn(partition.replica.read());
    const deployed: DeployedFile[] = [];
    const gone: string[] = [];
    for (const kind of kinds) {
      // Read before the files: what comes to be deployed meanwhile is not taken for gone.
      const known = knownIn(partition);
      const files = await this.#files(partition, kind);
      gone.push(...(await this.#withdrawn(partition, kind, { known, files })));
      for (const file of files) {
        const changer = changerOf(changes, file);
        const isBy = by?.paths.some((above) => isWithin(file.path, above)) === true;
        const one = await this.#deployed(partition, kind, file, {
          userId: isBy && !changer.isChanged ? by.userId : changer.userId,
          isChanged: changer.isChanged || isBy,
        });
        if (one !== null) deployed.push(one);
      }
    }
    const left = this.#parts.kinds.filter((kind) => !kinds.includes(kind));
    const looked = changes.filter(({ path }) => !left.some(({ roots }) => isNearAny(path, roots)));
    return {
      ...{ deployed, gone, changes: looked.map(({ id, revision }) => ({ id, revision })) },
      compared: kinds.map(({ name }) => name),
      left: left.map(({ name }) => name),
    };
  }

  async #files(partition: PartitionPort, { roots, endings }: DeploymentKind): Promise<ContentFile[]> {
    const query = { partition: partition.id, now: this.#parts.now(), roots, endings };
    const caller = systemCaller(partition.workspace);
    return (await this.#parts.reader.query(partition.id, contentFiles, query, caller)).answer;
  }

  /** Withdraws what was deployed of files that are gone; gives these. */
  async #withdrawn(
    partition: PartitionPort,
    kind: DeploymentKind,
    { known, files }: { readonly known: ReturnType<typeof knownIn>; readonly files: readonly ContentFile[] },
  ): Promise<string[]> {
    const there = new Set(files.map(({ nodeId }) => nodeId));
    const gone = known
      .filter(({ id, path }) => !there.has(id) && kind.roots.some((root) => isWithin(path, root)))
      .map(({ id }) => id);
    for (const id of gone) await kind.withdraw?.(partition, id);
    return gone;
  }

  /** What became of the file; null where it is as it was when it was looked at before. */
  async #deployed(
    partition: PartitionPort,
    kind: DeploymentKind,
    { nodeId, path, data }: ContentFile,
    { userId, isChanged }: { readonly userId: string | null; readonly isChanged: boolean },
  ): Promise<DeployedFile | null> {
    const hash = hashOf(data);
    const state = partition.replica.read();
    const known = state.get(contentDeployments, nodeId);
    const isSame = known?.hash === hash && known.path === path;
    if (kind.byBytes && known?.hash === hash) return isSame ? null : { ...known, nodeId, path };
    // Where nobody is known to have changed it, that is told in a moment, with who it was.
    if (!kind.byBytes && (!isChanged || isSame)) return null;
    const [twin] = kind.byBytes ? state.find(contentDeployments, 'hash', [hash], { limit: 1 }) : [];
    if (twin !== undefined) return { ...twin, nodeId, path };
    const content = await this.#text(data);
    const made = await this.#made(partition, kind, { nodeId, path, content, hash, userId });
    return made && { nodeId, path, hash, ...made };
  }

  async #text(data: ContentFile['data']): Promise<string> {
    if ('inline' in data) return Buffer.from(data.inline, 'base64').toString();
    return this.#parts.blobs.readText({ sha256: data.blob, size: data.size });
  }

  async #made(
    partition: PartitionPort,
    kind: DeploymentKind,
    file: Parameters<DeploymentKind['deploy']>[1],
  ): Promise<Pick<DeployedFile, 'deploymentId' | 'problem' | 'warnings'> | null> {
    try {
      const deployed = await kind.deploy(partition, file);
      return deployed && { ...deployed, problem: null };
    } catch (thrown) {
      // The file's own fault is shown with it; anything else is tried again.
      if (!(thrown instanceof ServiceError) || thrown.code === 'UNAVAILABLE') throw thrown;
      this.#tell(partition.workspace, file.path, thrown.message);
      return { deploymentId: null, problem: thrown.message };
    }
  }

  #tell(workspace: string, path: string, reason: string): void {
    const line = { workspace, path, reason };
    if (JSON.stringify(line) === this.#told) return;
    this.#told = JSON.stringify(line);
    log.warn(line, 'a model was not deployed');
  }
}

/** Makes the job that compares, unless one waits. */
function toCompare(state: State): Decision<null> {
  const waiting = state.find(jobs, 'queue', ['immediate'], { limit: WAITING_MAX });
  if (waiting.some(({ type }) => type === JOB_TYPE)) return { answer: null };
  const job = { id: state.ids.next(), type: JOB_TYPE, dueAt: state.now, immediate: true, exclusive: JOB_TYPE };
  return { jobs: [{ ...job, input: null }], answer: null };
}

/** Whether the file has the bytes and the path that it was compared with. */
function isAsCompared(state: State, { identifier, path }: NodeChanged): boolean {
  const known = state.get(contentDeployments, identifier);
  return known?.path === path && known.hash === hashIn(state, identifier);
}

/** How many files one comparison looks at, as far as they were deployed before. */
const KNOWN_MAX = 10_000;

/** What became of files that were looked at. */
const knownIn = ({ replica }: Pick<PartitionPort, 'replica'>) =>
  replica.read({ readMax: KNOWN_MAX }).range(contentDeployments, 'path', [''], KNOWN_MAX);

/** Whether the change was at, above or below one of the roots. */
const isNear = ({ path, sourcePath }: NodeChanged, roots: readonly string[]): boolean =>
  [path, sourcePath ?? path].some((at) => isNearAny(at, roots));

/** The file that the node is of. */
const fileAt = (path: string): string => path.replace(/\/jcr:content$/, '');
