import assert from 'node:assert/strict';
import { ContentDeployer } from '../../../src/server/content-deployment/content-deployer.js';
import type { PartitionPort, Reader } from '../../../src/store/index.js';

describe('files that are compared with what is deployed of them', () => {
  it('are gone where they were there before, and not where they come to be deployed meanwhile', async () => {
    const records = [{ id: 'old', path: '/routes/old.yaml', hash: 'h' }];
    const [withdrawn, noted]: [string[], unknown[]] = [[], []];
    const partition = {
      ...{ id: 'p', workspace: 'web' },
      replica: {
        read: () => ({ get: () => undefined, find: () => [], range: (of: { name: string }) => inOrder(of.name) }),
      },
      send: async (_: unknown, input: { gone: readonly string[] }) => void noted.push(input.gone),
    } as unknown as PartitionPort;
    const inOrder = (name: string) => (name === 'contentDeployment' ? [...records] : []);
    const reader = {
      query: async () => {
        // The tree as it was looked at has neither file.
        records.push({ id: 'new', path: '/routes/new.yaml', hash: 'h' });
        return { answer: [] };
      },
    } as unknown as Reader;
    const kind = {
      ...{ name: 'route', engine: 'eip' as const, roots: ['/routes'], endings: ['.yaml'], byBytes: false },
      deploy: () => Promise.reject(new Error('nothing is deployed')),
      withdraw: async (_: unknown, nodeId: string) => void withdrawn.push(nodeId),
    };
    const deployer = new ContentDeployer({
      ...{ kinds: [kind], reader, partition: () => partition, isRunning: () => true, now: () => 0 },
      blobs: {} as never,
    });
    await deployer.deploy(partition);
    assert.deepEqual([withdrawn, noted], [['old'], [['old']]]);
  });
});
