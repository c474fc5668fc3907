import { join } from 'node:path';
import { type ContentInStore, contentInStore, reader } from './content-in-store.js';
import { folderNode, load } from './content-load.js';
import { contentReads } from './content-reads.js';
import { LoopWatch } from './loop-watch.js';
import { cpuEach, line, measure, percentile, perSecond, round, say, verdict } from './measure.js';
import { files, saves } from './saves.js';
import { type Times, timed, toldTimes } from './timed.js';

const FOLDERS = 10;
const FOLDERS_IN_FOLDER = 20;
const NODES_IN_FOLDER = 1_000;
const LARGE = 1_000_000;
const ORDERED = 100_000;
const REPEATED = 30;
const CALLERS = 64;
const VERSIONED_FOLDERS = 100;
const VERSIONED_IN_FOLDER = 99;
const CHECKINS = 7;

const PAGE_MS_MAX = 5;
const RENAME_MS_MAX = 5;
const CHECKIN_MS_MAX = 50;
const CHECKIN_DOCUMENTS_MAX = 50;

export interface ContentBench {
  /** How long each rate is measured. */
  readonly ms: number;
  /** How many children the large folder has: 1,000,000, or a tenth of it. */
  readonly isQuick: boolean;
}

/** The tree of nodes: 200,000 of them, a folder with 1,000,000 children, and what operations cost there. */
export async function contentBench(folder: string, { ms, isQuick }: ContentBench): Promise<void> {
  const watch = new LoopWatch();
  const written = { documents: 0 };
  const store = await contentInStore(join(folder, 'content'), {
    decided: watch.decided,
    followers: () => [
      {
        committed: ({ record }) => {
          written.documents += record.documents.length;
        },
      },
    ],
  });
  try {
    await createAll(store, isQuick ? LARGE / 10 : LARGE);
    await creates(store, ms, watch);
    await saves(store, ms);
    await files(store, ms);
    await contentReads(store);
    await pages(store);
    await createsBeside(store);
    watch.begin();
    // First what leaves nothing to be swept behind it.
    await versions(store, written);
    await structure(store);
    const { longest, decision } = watch.end();
    say(
      `  longest block of the event loop meanwhile ${round(longest.ms)} ms; longest decision '${decision?.type}', ${round(decision?.ms ?? 0)} ms`,
    );
  } finally {
    await store.close();
  }
}

/** A time in ms with its goal. */
const within = (what: string, times: Times, max: number, name = `≤ ${max} ms`): void =>
  line(what, toldTimes(times), verdict(times.median <= max, name));

async function createAll(store: ContentInStore, large: number): Promise<void> {
  const { partition } = store;
  for (const name of ['tree', 'large', 'empty']) await store.send('createFolder', { path: '/content/bench', name });
  await store.send('createNode', { path: '/content', name: 'ordered', nodeType: 'nt:unstructured' });
  const idOf = (path: string) => store.view(reader).at(path)?.id ?? '';
  const timedLoad = async (what: string, made: Parameters<typeof load>[1]) => {
    const begun = performance.now();
    const cpu = process.cpuUsage();
    const count = await load(partition, made);
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - begun) / 1_000;
    line(
      `${round(count)} nodes, ${what}`,
      `${round(count / seconds)} nodes/s, ${round((user + system) / count)} µs CPU each`,
    );
  };
  say('Loaded in commits of 500 nodes, with all indexes:');
  await timedLoad('a tree four levels deep', treeBelow(idOf('/content/bench/tree')));
  await timedLoad('all in one folder', childrenOf(idOf('/content/bench/large'), large, false));
  await timedLoad('all in one node that keeps their order', childrenOf(idOf('/content/ordered'), ORDERED, true));
}

function* treeBelow(id: string) {
  for (let i = 0; i < FOLDERS; i++) {
    const folder = folderNode(id, `f${i}`);
    yield folder;
    for (let j = 0; j < FOLDERS_IN_FOLDER; j++) {
      const inner = folderNode(folder.id, `g${j}`);
      yield inner;
      for (let k = 1; k < NODES_IN_FOLDER; k++) yield folderNode(inner.id, `n${k}`);
    }
  }
}

function* childrenOf(id: string, count: number, isOrdered: boolean) {
  for (let i = 0; i < count; i++) {
    const number = String(i).padStart(7, '0');
    yield folderNode(id, `child-${number}`, isOrdered ? `0000000${number}i` : null);
  }
}

async function creates(store: ContentInStore, ms: number, watch: LoopWatch): Promise<void> {
  say('createFolder, each a commit of its own, flushed before it is answered:');
  let made = 0;
  const work = () => store.send('createFolder', { path: '/content/bench/empty', name: `c${made++}` });
  for (const callers of [1, CALLERS]) {
    const result = await measure(work, ms, callers, () => watch.begin());
    const { longest } = watch.end();
    line(
      `${callers} caller${callers === 1 ? '' : 's'}`,
      `${round(perSecond(result))}/s, ${round(cpuEach(result))} µs CPU each (all threads), longest block ${round(longest.ms)} ms`,
    );
  }
}

async function pages(store: ContentInStore): Promise<void> {
  say('A page of 50 children through the reader thread, for a user:');
  for (const path of ['/content/bench/large', '/content/ordered']) {
    const id = store.view(reader).at(path)?.id ?? '';
    const ask = (after: string | null, count = false) => store.children(id, after, { caller: reader, count });
    within(`${path}, first`, await timed(REPEATED, () => ask(null)), PAGE_MS_MAX);
    let after = await middleOf(store, path, id);
    const walk = async () => {
      after = (await ask(after)).rows.at(-1)?.cursor ?? null;
    };
    within(`${path}, one after the other from the middle`, await timed(REPEATED, walk), PAGE_MS_MAX);
    line(`${path}, first with totalCount`, toldTimes(await timed(5, () => ask(null, true))));
  }
}

/** A cursor in the middle: that of the same place in a list of the parent's. */
async function middleOf(store: ContentInStore, path: string, id: string): Promise<string | null> {
  const first = await store.children(id, null, { caller: reader });
  const [hash = ''] = JSON.parse(Buffer.from(first.rows[0]?.cursor ?? '', 'base64url').toString()) as string[];
  const isOrdered = path === '/content/ordered';
  const number = String(isOrdered ? ORDERED / 2 : LARGE / 20).padStart(7, '0');
  const key = isOrdered ? [`0000000${number}i`, ''] : [`child-${number}`, ''];
  return Buffer.from(JSON.stringify([hash, ...key])).toString('base64url');
}

async function createsBeside(store: ContentInStore): Promise<void> {
  say('createFolder one after the other, in turns in the large folder and in a small one:');
  const taken = { large: [] as number[], small: [] as number[] };
  await store.send('createFolder', { path: '/content/bench', name: 'small' });
  for (let i = 0; i < 300; i++) {
    for (const name of ['large', 'small'] as const) {
      const begun = performance.now();
      await store.send('createFolder', { path: `/content/bench/${name}`, name: `x${i}` });
      taken[name].push(performance.now() - begun);
    }
  }
  const large = medianOf(taken.large);
  const small = medianOf(taken.small);
  line('median', `large ${round(large)}, small ${round(small)} ms`, verdict(large <= small * 1.2, 'as in a small one'));
}

async function versions(store: ContentInStore, written: { documents: number }): Promise<void> {
  const path = '/content/bench/versioned';
  await store.send('createFolder', { path: '/content/bench', name: 'versioned' });
  const id = store.view(reader).at(path)?.id ?? '';
  const count = await load(store.partition, versionedTree(id));
  await store.send('addMixin', { path, mixinType: 'mix:versionable' });
  say(`Versions of a tree of ${round(count)} nodes:`);
  const checkIn = async (): Promise<{ ms: number; documents: number }> => {
    const before = written.documents;
    const begun = performance.now();
    await store.send('checkin', { path });
    return { ms: performance.now() - begun, documents: written.documents - before };
  };
  const first = await checkIn();
  line('checkin, the first', `${round(first.ms)} ms, ${round(first.documents)} documents`);
  const later: { ms: number; documents: number }[] = [];
  for (let i = 0; i < CHECKINS; i++) {
    await store.send('checkout', { path });
    const value = { type: 'String', multiple: false, values: [`${i}`] };
    await store.send('setProperties', { path: `${path}/g${i}/n${i}`, properties: [{ name: 'changed', value }] });
    later.push(await checkIn());
  }
  const ms = medianOf(later.map((one) => one.ms));
  const documents = Math.max(...later.map((one) => one.documents));
  line('checkin after one change, median', `${round(ms)} ms`, verdict(ms <= CHECKIN_MS_MAX, `≤ ${CHECKIN_MS_MAX} ms`));
  line('', `${documents} documents`, verdict(documents <= CHECKIN_DOCUMENTS_MAX, `≤ ${CHECKIN_DOCUMENTS_MAX}`));
}

function* versionedTree(id: string) {
  for (let i = 0; i < VERSIONED_FOLDERS; i++) {
    const folder = folderNode(id, `g${i}`);
    yield folder;
    for (let k = 0; k < VERSIONED_IN_FOLDER; k++) yield folderNode(folder.id, `n${k}`);
  }
}

const medianOf = (times: number[]): number =>
  percentile(
    times.sort((a, b) => a - b),
    0.5,
  );

async function structure(store: ContentInStore): Promise<void> {
  const size = FOLDERS_IN_FOLDER * NODES_IN_FOLDER;
  say(`On a folder with ${round(size)} nodes below it:`);
  const tree = '/content/bench/tree';
  const flip = (i: number, a: string, b: string) => (i % 2 === 0 ? [a, b] : [b, a]);
  const rename = (i: number) => {
    const [from, name] = flip(i, 'f0', 'renamed');
    return store.send('renameNode', { path: `${tree}/${from}`, name });
  };
  within('renameNode', await timed(REPEATED, rename), RENAME_MS_MAX);
  const move = (i: number) => {
    const [from, to] = flip(i, `${tree}`, '/content/bench/empty');
    return store.send('moveNode', { sourcePath: `${from}/f1`, destPath: to });
  };
  within('moveNode', await timed(REPEATED, move), RENAME_MS_MAX);
  const entries = (i: number) => [{ principal: 'ann', privileges: ['jcr:read'], allow: i % 2 === 0 }];
  const restrict = (i: number) => store.send('setAccessControl', { path: `${tree}/f2`, entries: entries(i) });
  within('setAccessControl', await timed(REPEATED, restrict), RENAME_MS_MAX);
  const large = (i: number) =>
    store.send('renameNode', {
      path: `/content/bench/${flip(i, 'large', 'huge')[0]}`,
      name: flip(i, 'huge', 'large')[0],
    });
  within('renameNode of the large folder', await timed(REPEATED, large), RENAME_MS_MAX);
  line('deleteNode', toldTimes(await timed(3, (i) => store.send('deleteNode', { path: `${tree}/f${3 + i}` }))));
  const copy = () => store.send('copyNode', { sourcePath: `${tree}/f9`, destPath: '/content/bench/empty' });
  line('copyNode', toldTimes(await timed(1, copy)));
}
