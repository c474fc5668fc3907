import { fileURLToPath } from 'node:url';
import type { ContentNode } from '../../src/content/index.js';
import { systemCaller } from '../../src/shared/caller.js';
import { contentStore, plant } from './content-store.js';

/** Checks a tree of 1,001 nodes in, `/content/big`, and kills itself behind the n-th commit of what it stages. Arguments: folder, n. */
if (process.argv[1] !== fileURLToPath(import.meta.url)) throw new Error('expected to be run as a program of its own');
const [folder = '', killAt = ''] = process.argv.slice(2);
let staged = 0;
const store = await contentStore({
  folder,
  committed: ({ command }) => {
    if (command.type !== 'stageFrozen') return;
    staged++;
    if (staged === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
});
const { createNode, addVersionControl } = store.content.nodes;
const made = await store.run(createNode, { path: '/content', name: 'big', nodeType: 'nt:unstructured' });
for (let from = 0; from < 1_000; from += 250) {
  const planted = Array.from(
    { length: 250 },
    (_, at): ContentNode => ({
      id: `n${from + at}`,
      parent: made.nodeId,
      name: `n${from + at}`,
      order: String(from + at).padStart(4, '0'),
      sns: true,
      type: 'nt:unstructured',
      mixins: [],
      properties: {},
      version: 0,
    }),
  );
  await store.partition.send(plant, planted, { caller: systemCaller('test') });
}
await store.run(addVersionControl, { path: '/content/big' });
await store.close();
