import { type ContentNode, ContentView, smallChildren } from '../src/content/index.js';
import { Admission } from '../src/graphql/admission/admission.js';
import { OperationRunner } from '../src/graphql/execution/operation-runner.js';
import { formatError } from '../src/graphql/format-error.js';
import { BodyBudget } from '../src/graphql/http/memory-budget.js';
import {
  ApiContext,
  type ApiServices,
  apiResolvers,
  defaultLimits,
  makeSchema,
  readTypeDefs,
} from '../src/graphql/index.js';
import { systemClock } from '../src/shared/clock.js';
import { newId } from '../src/shared/ids.js';
import { systemTime } from '../src/shared/time.js';
import { type ContentInStore, reader } from './content-in-store.js';
import { folderNode, load } from './content-load.js';
import { cpuEach, line, measure, round, say, verdict } from './measure.js';

const NODE_MICROS_MAX = 30;
const PAGE_MICROS_MAX = 250;
/** How many folders with files there are: more than any cache holds nodes. */
const FOLDERS = 200;
const FILES = 50;
const READ_MS = 1_000;

const NODE = `query ($path: String!) { node(path: $path) { id name nodeType created createdBy
  properties { name propertyValue { ... on StringPropertyValue { value } ... on LongPropertyValue { value } } } } }`;
const page = (fields: string) =>
  `query ($path: String!) { children(path: $path, first: 50) { edges { node { ${fields} } } } }`;
const NAMES = page('id name path nodeType');
/** What the listing of a folder shows. */
const LISTING =
  page(`id name path nodeType created createdBy modified modifiedBy mimeType size hasChildren isLocked lockOwner
  isVersionable isCheckedOut isWritable properties { name propertyValue { ... on StringPropertyValue { value } } }`);

/** What reading costs: single nodes and pages of files, by the tree and by GraphQL, without HTTP. CPU of all threads. */
export async function contentReads(store: ContentInStore): Promise<void> {
  await fill(store);
  const api = apiOf(store);
  const folder = (i: number) => `/content/bench/files/f${i % FOLDERS}`;
  const path = (i: number) => `${folder(i)}/n${(i * 7) % FILES}/jcr:content`;
  const view = (i: number) => {
    const node = store.view(reader).at(path(i));
    if (node?.properties.title === undefined) throw new Error(`expected a node at ${path(i)}`);
  };
  say('Reading in process, CPU of all threads:');
  const told = async (what: string, work: (i: number) => unknown, max?: number) => {
    let i = 0;
    const micros = cpuEach(await measure(() => work(i++), READ_MS));
    line(what, `${round(micros)} µs`, max === undefined ? undefined : verdict(micros <= max, `≤ ${max} µs`));
  };
  await told('a node by its path, six levels deep, again and again', () => view(3), NODE_MICROS_MAX);
  await told(`the same of ${FOLDERS * FILES} nodes, one after the other`, view, NODE_MICROS_MAX);
  await told('as a GraphQL query with its properties', (i) => api(NODE, path(i % 20)));
  const ids = Array.from({ length: FOLDERS }, (_, i) => store.view(reader).at(folder(i))?.id ?? '');
  await told(
    'the first 50 children, with their documents',
    (i) => firstPage(store, ids[i % FOLDERS] ?? ''),
    PAGE_MICROS_MAX,
  );
  await told('the same from the reader, as longer ones come', (i) =>
    store.children(ids[i % FOLDERS] ?? '', null, { caller: reader }),
  );
  await told('50 children as a GraphQL query: names and paths', (i) => api(NAMES, folder(i)));
  await told('50 children as a listing shows them', (i) => api(LISTING, folder(i)));
}

function firstPage({ partition }: ContentInStore, id: string): void {
  const view = new ContentView(partition.replica.read(), reader, partition.replica.statements);
  const parent = view.get(id);
  const page = parent && smallChildren(view, parent, { first: FILES, after: null, count: false });
  if (page?.rows.length !== FILES) throw new Error('expected a page');
}

/** Folders with files, each with its content. */
async function fill(store: ContentInStore): Promise<void> {
  await store.send('createFolder', { path: '/content/bench', name: 'files' });
  const id = store.view(reader).at('/content/bench/files')?.id ?? '';
  await load(store.partition, files(id));
  await store.indexed();
}

function* files(id: string): Generator<ContentNode> {
  for (let i = 0; i < FOLDERS; i++) {
    const folder = folderNode(id, `f${i}`);
    yield folder;
    for (let k = 0; k < FILES; k++) {
      const file = { ...folderNode(folder.id, `n${k}`), type: 'nt:file' };
      yield file;
      yield { ...folderNode(file.id, 'jcr:content'), type: 'nt:resource', properties: CONTENT };
    }
  }
}

const CONTENT: ContentNode['properties'] = {
  'jcr:mimeType': { type: 'String', value: 'text/plain' },
  'jcr:lastModified': { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
  'jcr:lastModifiedBy': { type: 'String', value: 'admin' },
  title: { type: 'String', value: 'A title' },
  pages: { type: 'Long', value: '12' },
};

/** Asks a query of the whole API, as the server does behind HTTP; gives the answer's text. */
function apiOf({ partition, reader: lists }: ContentInStore): (query: string, path: string) => Promise<string> {
  const made = makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers });
  // What reads of the tree need.
  const services = {
    reader: lists,
    principals: { groupsOf: () => [], describe: () => undefined },
    now: () => systemClock.now(),
  } as unknown as ApiServices;
  const { mutationsMax, requestWaitMs: waitMs, requestsWaitingMax: waitingMax } = defaultLimits;
  const runner = new OperationRunner({
    ...made,
    limits: defaultLimits,
    timers: systemTime,
    admission: new Admission({ mutationsMax, waitMs, waitingMax }, systemTime),
    context: (facts: ConstructorParameters<typeof ApiContext>[0]) => new ApiContext(facts, services),
    formatError,
    mayIntrospect: () => true,
  });
  const bodies = new BodyBudget({ bytesMax: 1, perClientMax: 1 });
  return async (query, path) => {
    // A request comes in a turn of the event loop of its own.
    await new Promise((resolve) => setImmediate(resolve));
    const asked = { caller: reader, workspace: { partition }, requestId: newId(0), body: bodies.share(), address: '' };
    const runnable = runner.prepare({ query, variables: { path } } as never, asked);
    if (Array.isArray(runnable)) throw new Error(JSON.stringify(runnable));
    const answer = runner.newAnswer(asked);
    const text = JSON.stringify(await runner.execute(runnable, asked, answer, new AbortController()));
    answer.giveBack();
    if (text.includes('"errors"') || text.includes(':null}}')) throw new Error(text);
    return text;
  };
}
