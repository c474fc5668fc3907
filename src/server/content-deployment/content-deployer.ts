import { createHash } from 'node:crypto';
import { type ContentFile, contentFiles, NODE_CHANGED, type NodeChanged } from '../../content/index.js';
import { deployedResources, deployments, type Engine } from '../../engine/index.js';
import { systemCaller } from '../../shared/caller.js';
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
  type ReplicaSide,
  type State,
} from '../../store/index.js';
import { contentDeployments, type DeployedFile, type NoteDeployments, noteDeployments } from './deployment-record.js';

/** Below these, every model is deployed. */
const PROCESS_ROOTS = ['/etc/bpm/processes', '/content/WEB-INF/processes'];
const MODEL_ENDINGS = ['.bpmn', '.bpmn20.xml'];
const JOB_TYPE = 'deployContent';
/** How many waiting jobs are looked at, so that many changes in a row make one job. */
const WAITING_MAX = 20;

interface DeployerParts {
  readonly engine: Engine;
  readonly reader: Reader;
  readonly blobs: BlobStore;
  /** The open partition of the id. */
  readonly partition: (id: string) => PartitionPort;
  /** Whether the engine runs in the partition: else nothing is deployed there. */
  readonly isRunning: (partition: string) => boolean;
  readonly now: () => number;
}

/** A model that is stored and not deployed. */
type RefusedModel = Pick<DeployedFile, 'nodeId' | 'path'> & { readonly problem: string };

/**
 * Deploys what lies as files below the watched roots: on any change at, above or below one, the files that are there now are compared, by hash,
 * with what was deployed from them. The same bytes never make a new version; bad ones leave the last good deployment in force.
 */
export class ContentDeployer {
  readonly #parts: DeployerParts;
  /** What the log was told last, as an upload and the job that it makes look at the same bytes. */
  #told = '';

  constructor(parts: DeployerParts) {
    this.#parts = parts;
  }

  readonly #reaction: Reaction = {
    name: JOB_TYPE,
    types: [NODE_CHANGED],
    concerns: ({ data }) => isWatched(data as NodeChanged),
    react: toCompare,
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
    collections: [contentDeployments],
    operations: [noteDeployments],
    jobTypes: [this.#jobType],
    reactions: [this.#reaction],
  };

  /** Deploys what is there now, and resolves when that is done. */
  async deploy(partition: PartitionPort): Promise<void> {
    const caller = systemCaller(partition.workspace);
    await partition.send(noteDeployments, await this.#compare(partition), { caller });
  }

  /**
   * The models at or below the paths that cannot be deployed: what is there is deployed now, so that it is known. Null: no models are looked
   * for there.
   */
  refusedAt(partition: PartitionPort, paths: readonly string[]): Promise<RefusedModel[]> | null {
    const watched = paths.map(fileAt).filter((path) => PROCESS_ROOTS.some((root) => isNear(path, root)));
    if (watched.length === 0 || !this.#parts.isRunning(partition.id)) return null;
    return this.deploy(partition).then(() => {
      const known = partition.replica.read().range(contentDeployments, 'path', [''], KNOWN_MAX);
      return known.flatMap(({ id: nodeId, path, problem }) =>
        problem !== null && watched.some((above) => isWithin(path, above)) ? [{ nodeId, path, problem }] : [],
      );
    });
  }

  async #compare(partition: PartitionPort): Promise<NoteDeployments> {
    const query = { partition: partition.id, now: this.#parts.now(), roots: PROCESS_ROOTS, endings: MODEL_ENDINGS };
    const caller = systemCaller(partition.workspace);
    const { answer: files } = await this.#parts.reader.query(partition.id, contentFiles, query, caller);
    const deployed: DeployedFile[] = [];
    for (const file of files) {
      const one = await this.#deployed(partition, file);
      if (one !== null) deployed.push(one);
    }
    const there = new Set(files.map(({ nodeId }) => nodeId));
    const known = partition.replica.read().range(contentDeployments, 'path', [''], KNOWN_MAX);
    return { deployed, gone: known.map(({ id }) => id).filter((id) => !there.has(id)) };
  }

  /** What became of the file; null where its bytes are those that were looked at before. */
  async #deployed(partition: PartitionPort, { nodeId, path, data }: ContentFile): Promise<DeployedFile | null> {
    const hash = 'blob' in data ? data.blob : createHash('sha256').update(data.inline, 'base64').digest('hex');
    const known = partition.replica.read().get(contentDeployments, nodeId);
    if (known?.hash === hash) return known.path === path ? null : { ...known, nodeId, path };
    const [twin] = partition.replica.read().find(contentDeployments, 'hash', [hash], { limit: 1 });
    if (twin !== undefined) return { ...twin, nodeId, path };
    const content =
      'blob' in data
        ? await this.#parts.blobs.readText({ sha256: data.blob, size: data.size })
        : Buffer.from(data.inline, 'base64').toString();
    return { nodeId, path, hash, ...(await this.#made(partition, path, content)) };
  }

  #tell(workspace: string, path: string, reason: string): void {
    const line = { workspace, path, reason };
    if (JSON.stringify(line) === this.#told) return;
    this.#told = JSON.stringify(line);
    log.warn(line, 'a model was not deployed');
  }

  async #made(
    partition: PartitionPort,
    path: string,
    content: string,
  ): Promise<Pick<DeployedFile, 'deploymentId' | 'problem' | 'warnings'>> {
    const { deployProcess } = this.#parts.engine.api;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // Filtered, so that a comparison that is done again after a crash deploys nothing twice.
    const input = { name: path, source: path, resources: [{ name, content }], enableDuplicateFiltering: true };
    try {
      const caller = systemCaller(partition.workspace);
      const { answer: deploymentId } = await partition.send(deployProcess, input, { caller });
      return { deploymentId, problem: null, warnings: warningsOf(partition.replica, deploymentId) };
    } catch (thrown) {
      // The file's own fault is shown with it; anything else is tried again.
      if (!(thrown instanceof ServiceError) || thrown.code === 'UNAVAILABLE') throw thrown;
      this.#tell(partition.workspace, path, thrown.message);
      return { deploymentId: null, problem: thrown.message };
    }
  }
}

/** Makes the job that compares, unless one waits. */
function toCompare(state: State): Decision<null> {
  const waiting = state.find(jobs, 'queue', ['immediate'], { limit: WAITING_MAX });
  if (waiting.some(({ type }) => type === JOB_TYPE)) return { answer: null };
  const job = { id: state.ids.next(), type: JOB_TYPE, dueAt: state.now, immediate: true, exclusive: JOB_TYPE };
  return { jobs: [{ ...job, input: null }], answer: null };
}

/** What the deployment's files are warned of, each with its place. */
function warningsOf(replica: ReplicaSide, deploymentId: string): string[] {
  const state = replica.read();
  const deployment = state.get(deployments, deploymentId);
  const warnings =
    deployment === undefined ? [] : deployedResources(state, deployment).flatMap((it) => it.warnings ?? []);
  return warnings.map(({ line, column, message }) =>
    line === null ? message : `line ${line}, column ${column}: ${message}`,
  );
}

/** How many files one comparison looks at, as far as they were deployed before. */
const KNOWN_MAX = 900;

/** Whether the change was at, above or below a watched root. */
const isWatched = ({ path, sourcePath }: NodeChanged): boolean =>
  [path, sourcePath ?? path].some((at) => PROCESS_ROOTS.some((root) => isNear(at, root)));

/** The file that the node is of. */
const fileAt = (path: string): string => path.replace(/\/jcr:content$/, '');

/** Whether what lies at or below the path may be a model below the root. */
const isNear = (path: string, root: string): boolean => isWithin(path, root) || isWithin(root, path);

const isWithin = (path: string, above: string): boolean =>
  above === '/' || path === above || path.startsWith(`${above}/`);
