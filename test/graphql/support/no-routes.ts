import { createEip } from '../../../src/eip/index.js';
import type { ApiServices } from '../../../src/graphql/index.js';
import { operation } from '../../../src/store/index.js';

const nothing = () => Promise.reject(new Error('expected no call about routes'));
const { api } = createEip({ readRoutes: nothing, backoff: { attempts: 1, delayMs: 1, delayMaxMs: 1 }, drainMs: 1 });

/** The routes of a server that has none. */
export const noRoutes: ApiServices['eip'] = {
  api,
  editor: {
    operation: operation('editRouteFile', () => ({ answer: [] })),
    created: nothing,
    updated: nothing,
    rolledBack: nothing,
    fromTemplate: nothing,
    deleted: nothing,
  },
  read: nothing,
  settled: () => Promise.resolve(),
  components: [],
  reset: async () => {},
  trace: async () => {},
  counters: () => {
    throw new Error('there are no routes');
  },
  trials: () => {
    throw new Error('there are no routes');
  },
};
