import {
  type BlobDamage,
  blobFile,
  type FileBlobStore,
  type Finding,
  Scrubber,
  type Store,
} from '../../store/index.js';
import type { Config } from '../settings/config.js';

/** When a start, with all that follows it, is over. */
const FIRST_MS = 10_000;

/** Compares all that is stored with its checksums, in the background; what is found is told by the store. */
export const backgroundCheck = ({ dataFolder, checkEveryMs }: Config, store: Store, blobs: FileBlobStore): Scrubber =>
  new Scrubber({
    dataFolder,
    partitions: () => store.partitions.map(({ id }) => id),
    found: (finding) => found(finding, store, blobs),
    firstMs: Math.min(FIRST_MS, checkEveryMs),
    everyMs: checkEveryMs,
  });

function found(finding: Finding, store: Store, blobs: FileBlobStore): void {
  // A damaged blob is not given out any more, and tells of itself.
  if (finding.what === 'blob' && finding.id !== null) blobs.distrust(finding.id, finding.problem);
  else store.integrity.found(finding);
}

/** A blob was met with that is damaged, or is whole again. */
export function tellOfBlob({ integrity }: Store, { sha256, problem }: BlobDamage): void {
  const blob = { file: blobFile(sha256), what: 'blob', id: sha256 };
  if (problem === null) integrity.mended(blob);
  else integrity.found({ ...blob, problem });
}
