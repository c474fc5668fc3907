import { createHash, randomBytes } from 'node:crypto';
import { cpuEach, line, measure, perSecond, round, say, verdict } from './measure.js';
import { openLoop } from './open-loop.js';
import { type BenchServer, benchServer } from './server.js';
import { starting } from './start-over-http.js';

const CREATE = 'mutation ($input: [ContentOperation!]!) { contentTransaction(operations: $input) { results { ok } } }';
const CREATE_NODE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';
const CREATE_FOLDER = 'mutation ($input: CreateFolderInput!) { createFolder(input: $input) { id } }';
const INITIATE =
  'mutation ($input: InitiateMultipartUploadInput) { initiateMultipartUpload(input: $input) { uploadId } }';
const APPEND =
  'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { uploadId } }';
const CREATE_FILE = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { id size } }';
const COMPLETE =
  'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { id size } }';

const STARTS_PER_SECOND = 200;
const NODES_PER_SECOND = 1_000;
const NODES_PER_TRANSACTION = 50;
const START_P99_MS_MAX = 50;
const MEGABYTE = 1_048_576;
const UPLOADERS = 4;

/** What creating nodes does to processes, and how fast files come in: a server in a process of its own, over HTTP. */
export async function contentOverHttp(folder: string, ms: number): Promise<void> {
  const server = await benchServer(folder);
  try {
    const start = await starting(server);
    await openLoop(start, STARTS_PER_SECOND, 2);
    say(`startProcess over HTTP at ${STARTS_PER_SECOND}/s for ${ms / 1_000} s:`);
    await startsBeside(server, start, ms, null);
    await startsBeside(server, start, ms, NODES_PER_TRANSACTION);
    await startsBeside(server, start, ms, 1);
    await saves(server, ms / 4);
    await uploads(server, ms / 2);
  } finally {
    await server.end();
  }
}

/** `atOnce`: how many nodes one call creates beside; null: none are created. */
async function startsBeside(
  server: BenchServer,
  start: () => Promise<unknown>,
  ms: number,
  atOnce: number | null,
): Promise<void> {
  const seconds = ms / 1_000;
  const name = `beside-${atOnce}`;
  await server.ask(CREATE_FOLDER, { path: '/content', name });
  let made = 0;
  const create = () => {
    const input = () => ({ path: `/content/${name}`, name: `n${made++}` });
    if (atOnce === 1) return server.ask(CREATE_FOLDER, input());
    return server.ask(
      CREATE,
      Array.from({ length: atOnce ?? 0 }, () => ({ createFolder: input() })),
    );
  };
  server.watchLoop();
  const cpu = server.cpu()?.all ?? 0;
  const [starts, creates] = await Promise.all([
    openLoop(start, STARTS_PER_SECOND, seconds),
    atOnce === null ? null : openLoop(create, NODES_PER_SECOND / atOnce, seconds),
  ]);
  const busy = ((server.cpu()?.all ?? 0) - cpu) / (ms * 1_000);
  const { longestMs, p99Ms } = await server.loop();
  const beside =
    atOnce === null
      ? 'nothing beside'
      : `${NODES_PER_SECOND} nodes/s beside, ${atOnce} in a ${atOnce === 1 ? 'mutation' : 'contentTransaction'}`;
  line(
    beside,
    `p50 ${round(starts.p50)}, p99 ${round(starts.p99)}, max ${round(starts.max)} ms, ${starts.failed} failed`,
    verdict(starts.failed === 0 && starts.p99 <= START_P99_MS_MAX, `p99 ≤ ${START_P99_MS_MAX} ms`),
  );
  if (creates !== null)
    line('', `creating: p50 ${round(creates.p50)}, p99 ${round(creates.p99)} ms, ${creates.failed} failed`);
  line(
    '',
    `longest block of the server's event loop ${round(longestMs)} ms (p99 ${round(p99Ms)}); ${round(busy)} CPUs busy`,
  );
}

/** What the server takes for a node of a transaction, with one caller. */
async function saves(server: BenchServer, ms: number): Promise<void> {
  await server.ask(CREATE_NODE, { path: '/content', name: 'saved', nodeType: 'nt:unstructured' });
  let made = 0;
  const node = () => {
    const values = { title: { stringValue: 'a title' }, count: { longValue: 1 } };
    const properties = Object.entries(values).map(([name, value]) => ({ name, value }));
    return { createNode: { path: '/content/saved', name: `n${made++}`, nodeType: 'nt:unstructured', properties } };
  };
  const save = () => server.ask(CREATE, Array.from({ length: NODES_PER_TRANSACTION }, node));
  await measure(save, ms / 2);
  const [cpu, before] = [server.cpu()?.all ?? 0, made];
  await measure(save, ms);
  const each = ((server.cpu()?.all ?? 0) - cpu) / (made - before);
  line(
    `createNode, ${NODES_PER_TRANSACTION} in a contentTransaction, one caller`,
    `server's CPU ${round(each)} µs a node`,
  );
}

async function uploads(server: BenchServer, ms: number): Promise<void> {
  say(`Files of 1 MB, Base64 in JSON, over HTTP, ${UPLOADERS} callers:`);
  await server.ask(CREATE_FOLDER, { path: '/content', name: 'uploads' });
  const place = (name: string) => ({ path: '/content/uploads', name, mimeType: 'text/plain' });
  await files(server, ms, 'an upload of one chunk with its SHA-256', async (name) => {
    const { initiateMultipartUpload } = (await server.ask(INITIATE, {})) as {
      initiateMultipartUpload: { uploadId: string };
    };
    const { uploadId } = initiateMultipartUpload;
    const bytes = randomBytes(MEGABYTE);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await server.ask(APPEND, { uploadId, data: bytes.toString('base64'), sha256 });
    await server.ask(COMPLETE, { uploadId, ...place(name) });
  });
  await files(server, ms, 'createFile', (name) =>
    server.ask(CREATE_FILE, { ...place(name), content: randomBytes(MEGABYTE).toString('base64') }),
  );
}

async function files(
  server: BenchServer,
  ms: number,
  what: string,
  make: (name: string) => Promise<unknown>,
): Promise<void> {
  let made = 0;
  const begin = () => server.watchLoop();
  const cpu = server.cpu()?.all ?? 0;
  const result = await measure(() => make(`${what}-${made++}`), ms, UPLOADERS, begin);
  const { longestMs } = await server.loop();
  const each = ((server.cpu()?.all ?? 0) - cpu) / made;
  const rate = perSecond(result);
  line(
    what,
    `${round(rate)}/s; server's CPU ${round(each / 1_000)} ms each, this client's ${round(cpuEach(result) / 1_000)} ms; longest block ${round(longestMs)} ms`,
  );
}
