import { LocalLogs } from '../../../src/store/log/local-logs.js';
import { temporaryFolder } from '../../support/temporary.js';
import type { LogKit } from '../log-kit.js';

/** The embedded log. */
export const localKit: LogKit = {
  name: 'the local log',
  hasFiles: true,
  kills: Number(process.env.MILLRACE_TEST_KILLS ?? 200),
  modelRuns: 30,
  async make() {
    const { path: folder, remove } = temporaryFolder();
    return { folder, logs: () => new LocalLogs(folder), child: { folder }, remove: async () => remove() };
  },
};
