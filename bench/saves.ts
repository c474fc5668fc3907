import { admin, type ContentInStore } from './content-in-store.js';
import { cpuEach, measure, perSecond, round, say, verdict } from './measure.js';

const NODES = 50;
const CALLERS = 64;
const CPU_MICROS_MAX = 80;

/** What a node costs that is created: by itself, and as one of 50 in a commit, each with two properties. */
export async function saves(store: ContentInStore, ms: number): Promise<void> {
  const path = '/content/saved';
  await store.send('createNode', { path: '/content', name: 'saved', nodeType: 'nt:unstructured' });
  let made = 0;
  const properties = [
    { name: 'title', value: { type: 'String', multiple: false, values: ['a title'] } },
    { name: 'count', value: { type: 'Long', multiple: false, values: [1] } },
  ];
  const node = () => ({ path, name: `n${made++}`, nodeType: 'nt:unstructured', properties });
  const folder = () => ({ path: '/content/bench/empty', name: `s${made++}` });
  const together = (field: string, input: () => unknown) => () =>
    store.partition.send(
      store.content.api.contentTransaction,
      Array.from({ length: NODES }, () => ({ field, input: input() })),
      { caller: admin },
    );
  say(`Nodes created, alone with ${CALLERS} callers, and ${NODES} in a contentTransaction of one caller:`);
  const told = async (what: string, work: () => Promise<unknown>, callers: number, nodes: number) => {
    const result = await measure(work, ms, callers);
    const cpu = cpuEach(result) / nodes;
    const rate = `${round(perSecond(result) * nodes)}/s`.padStart(10);
    const goal = nodes === 1 ? '' : ` ${verdict(cpu <= CPU_MICROS_MAX, `≤ ${CPU_MICROS_MAX} µs`)}`;
    say(`  ${what.padEnd(58)} ${round(cpu)} µs CPU each (all threads), ${rate}${goal}`);
  };
  await told('createNode', () => store.send('createNode', node()), CALLERS, 1);
  await told(`createNode, ${NODES} together`, together('createNode', node), 1, NODES);
  await told(`createFolder, ${NODES} together`, together('createFolder', folder), 1, NODES);
}

const FILE_BYTES = 1_048_576;
const FILE_CALLERS = 4;
const FILES_PER_SECOND_MIN = 250;

/** Files with other bytes each, written and flushed before the node is made, as `createFile` does it once a request has been read. */
export async function files(store: ContentInStore, ms: number): Promise<void> {
  await store.send('createFolder', { path: '/content', name: 'files' });
  let made = 0;
  const file = async () => {
    const n = made++;
    const bytes = Buffer.alloc(FILE_BYTES, n % 251);
    bytes.writeDoubleLE(n);
    const { sha256, size } = await store.blobs.write(bytes);
    await store.send('createFile', { path: '/content/files', name: `f${n}.bin`, content: { blob: sha256, size } });
  };
  const result = await measure(file, ms, FILE_CALLERS);
  const rate = round(perSecond(result));
  const goal = verdict(perSecond(result) >= FILES_PER_SECOND_MIN, `≥ ${FILES_PER_SECOND_MIN}/s on an idle machine`);
  say(`Files of 1 MB, in process, ${FILE_CALLERS} callers:`);
  say(
    `  createFile, its bytes flushed before                       ${rate}/s, ${round(cpuEach(result))} µs CPU each ${goal}`,
  );
}
