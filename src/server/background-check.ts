import { Scrubber, type Store } from '../store/index.js';
import type { Config } from './config.js';

/** When a start, with all that follows it, is over. */
const FIRST_MS = 10_000;

/** Compares all that is stored with its checksums, in the background; what is found is told by the store. */
export const backgroundCheck = ({ dataFolder, checkEveryMs }: Config, store: Store): Scrubber =>
  new Scrubber({
    dataFolder,
    partitions: () => store.partitions.map(({ id }) => id),
    found: (finding) => store.integrity.found(finding),
    firstMs: Math.min(FIRST_MS, checkEveryMs),
    everyMs: checkEveryMs,
  });
