import { type ActorOf, collection, type Document } from '../../store/index.js';
import type { uploadMachine } from './upload-machine.js';

/** An upload on its way. Its bytes are staged beside the blobs under its id; only as many of them count as are named here. */
export interface Upload extends Document {
  /** Whoever began it; nobody else may touch it. */
  readonly owner: string;
  /** bytes */
  readonly size: number;
  /** How many pieces it came in so far. */
  readonly chunks: number;
  /** When it is given up, unless another chunk comes. ms, domain clock. */
  readonly expires: number;
  /** SHA-256 of the blob that its bytes were made; null: they were not, or a chunk came since. */
  readonly blob: string | null;
  readonly actor: ActorOf<typeof uploadMachine>;
}

/** Open uploads; one that ends is removed in the same commit. */
export const uploads = collection<Upload>({
  name: 'upload',
  columns: { owner: (it) => it.owner, expires: (it) => it.expires },
  multi: { blob: (it) => (it.blob === null ? [] : [it.blob]) },
  indexes: { owner: { columns: ['owner', 'expires'] }, expires: { columns: ['expires'] } },
  visible: (caller, it) => it.owner === caller.userId,
});
