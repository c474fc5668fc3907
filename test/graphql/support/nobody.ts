import assert from 'node:assert/strict';
import type { ApiServices } from '../../../src/graphql/index.js';
import { Directory } from '../../../src/identity/index.js';
import { WorkspaceLifecycle, workspaceDomain } from '../../../src/workspace/index.js';

/** The identity of a server that knows nobody. */
export const nobody: ApiServices['identity'] = {
  directory: new Directory({ verify: async () => false }),
  hash: async (password) => password,
  knows: async () => false,
  sessions: { get: () => undefined, ofUser: () => [], renew: async () => '' },
  tokens: {
    newSecret: () => ({ secret: '', hash: '' }),
    limits: () => ({ now: 0, ageMax: 0, perUserMax: 0 }),
    get: () => undefined,
    ofUser: () => [],
  },
};

/** The operations on workspaces of a server that has none to be started or stopped. */
export const noWorkspaces = workspaceDomain(
  new WorkspaceLifecycle({
    open: () => assert.fail('there is no workspace'),
    close: () => assert.fail('there is no workspace'),
    remove: () => assert.fail('there is no workspace'),
  }),
).api;

/** The history of exchanges where no route has run. */
export const noHistory: ApiServices['history'] = {
  list: async () => ({ rows: [], isMore: false, total: 0 }),
  records: async () => ({ rows: [], isMore: false, total: 0 }),
  find: async () => null,
  routesBetween: async () => [],
  firstFrom: async () => null,
  follow: () => () => {},
  stats: async () => [],
  skipped: () => ({ completed: 0, failed: 0 }),
};
