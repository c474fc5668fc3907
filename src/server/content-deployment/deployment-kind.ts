import { createHash } from 'node:crypto';
import { type BlobValue, bytesIn, ContentView, type InlineValue } from '../../content/index.js';
import { systemCaller } from '../../shared/caller.js';
import type { PartitionPort, State } from '../../store/index.js';
import type { EngineName } from '../../workspace/index.js';

/** A kind of files that are deployed from where they lie in the tree. */
export interface DeploymentKind {
  /** Names it in what is kept. */
  readonly name: string;
  /** The engine that it is for: where that is off, nothing of the kind is deployed. */
  readonly engine: EngineName;
  /** Below these, every file with one of the endings. */
  readonly roots: readonly string[];
  readonly endings: readonly string[];
  /** Whether its bytes alone say what a file is, wherever it lies and whoever put it there: the same ones are never deployed again. */
  readonly byBytes: boolean;
  /** Deploys the file; null: its bytes are others by now. @throws ServiceError with what is wrong in it, or with whoever wrote it */
  deploy(partition: PartitionPort, file: FileToDeploy): Promise<DeployedBytes | null>;
  /** Takes back what was deployed from the file, which is no more. Not given: that stays in force. */
  withdraw?(partition: PartitionPort, nodeId: string): Promise<void>;
}

export interface FileToDeploy {
  readonly nodeId: string;
  readonly path: string;
  readonly content: string;
  /** Of its bytes. */
  readonly hash: string;
  /** Who changed its bytes or its path; null: nobody knows, or it was several at once. */
  readonly userId: string | null;
}

/** Result of a deployment of a file. */
export interface DeployedBytes {
  /** Names what is in force of it. */
  readonly deploymentId: string;
  /** Each with its place. */
  readonly warnings: readonly string[];
}

/** SHA-256 of a file's bytes, in hex. */
export const hashOf = (data: BlobValue | InlineValue): string =>
  'blob' in data ? data.blob : createHash('sha256').update(data.inline, 'base64').digest('hex');

/** The hash of the bytes that the file has now; undefined: it has none. */
export function hashIn(state: State, nodeId: string): string | undefined {
  const view = new ContentView(state, systemCaller(''));
  const file = view.get(nodeId);
  const data = file && bytesIn(view.contentOf(file).properties['jcr:data']);
  return data && hashOf(data);
}

/** A warning as it is shown with a file. */
export const warningText = ({
  line,
  column,
  message,
}: {
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}): string => (line === null ? message : `line ${line}, column ${column}: ${message}`);

/** Whether what lies at or below the path may be a file below one of the roots. */
export const isNearAny = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => isWithin(path, root) || isWithin(root, path));

export const isWithin = (path: string, above: string): boolean =>
  above === '/' || path === above || path.startsWith(`${above}/`);
