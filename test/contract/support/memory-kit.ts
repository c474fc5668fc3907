import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { temporaryFolder } from '../../support/temporary.js';
import type { LogKit } from '../log-kit.js';

/** The log of tests and benches: the same tables in memory. */
export const memoryKit: LogKit = {
  name: 'the memory log',
  hasFiles: false,
  kills: 0,
  modelRuns: 150,
  async make() {
    // Blobs and records of its server are files all the same.
    const { path: folder, remove } = temporaryFolder();
    return { folder, logs: () => new MemoryLogs(), child: { folder }, remove: async () => remove() };
  },
};
