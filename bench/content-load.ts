import { type ContentNode, nodes } from '../src/content/index.js';
import { systemCaller } from '../src/shared/caller.js';
import { newId } from '../src/shared/ids.js';
import { operation, type Partition, put } from '../src/store/index.js';

/** Puts nodes into the tree as they are: 500 in a commit, without rules and events. */
export const loadNodes = operation('loadNodes', (state, given: readonly ContentNode[]) => ({
  write: given.map((node) => put(nodes, { ...node, version: state.revision })),
  answer: null,
}));

const NODES_PER_COMMIT = 500;
const COMMITS_AT_ONCE = 4;

/** A folder as its creation leaves it, of about 300 bytes. */
export const folderNode = (parent: string, name: string, order: string | null = null): ContentNode => ({
  id: newId(Date.now()),
  parent,
  name,
  order,
  ...(order !== null && { sns: true }),
  type: 'nt:folder',
  mixins: [],
  properties: {
    'jcr:created': { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
    'jcr:createdBy': { type: 'String', value: 'admin' },
  },
  version: 0,
});

/** Loads what is made; gives how many there were. */
export async function load(partition: Partition, made: Iterable<ContentNode>): Promise<number> {
  const caller = systemCaller(partition.workspace);
  const underWay = new Set<Promise<unknown>>();
  let count = 0;
  let group: ContentNode[] = [];
  const send = async () => {
    if (underWay.size >= COMMITS_AT_ONCE) await Promise.race(underWay);
    const sent: Promise<unknown> = partition.send(loadNodes, group, { caller }).finally(() => underWay.delete(sent));
    underWay.add(sent);
    group = [];
  };
  for (const node of made) {
    count++;
    if (group.push(node) === NODES_PER_COMMIT) await send();
  }
  if (group.length > 0) await send();
  await Promise.all(underWay);
  return count;
}
