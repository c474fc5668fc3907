import { RedisLogs } from '../../../src/store/log/redis-logs.js';
import { modelPorts } from '../../support/redis-model/model-ports.js';
import { RedisModel } from '../../support/redis-model/redis-model.js';
import { temporaryFolder } from '../../support/temporary.js';
import type { LogKit } from '../log-kit.js';

/** The Redis log, with a model of Redis in this process: whatever holds here and not on Redis, or the other way round, is a fault of the model. */
export const modelKit: LogKit = {
  name: 'the Redis log on a model of Redis',
  hasFiles: true,
  kills: 0,
  modelRuns: 10,
  async make() {
    const { path: folder, remove } = temporaryFolder();
    const soon = (work: () => void) => void setImmediate(work);
    const ports = modelPorts(new RedisModel({ now: Date.now, soon }), soon);
    const address = { at: { path: 'nowhere' }, username: undefined, password: undefined, database: 0 };
    return {
      folder,
      logs: () => new RedisLogs({ address, ports, dataFolder: folder }),
      child: { folder },
      remove: async () => remove(),
    };
  },
};
