import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadOptions, ThreadReply, ThreadRequest } from '../script/script-run.js';
import type { JqInput } from './jq.js';

/** One jq, compiled to WebAssembly: with at most 256 MB of memory. */
interface Jq {
  /** @throws Error with what jq says */
  raw(text: string, filter: string, flags: readonly string[]): Promise<string>;
}

/** jq leaks, and breaks when a few hundred filters have run: it is thrown away long before, and behind anything unusual. */
const RUNS_MAX = 20;
const REUSED_TEXT_MAX = 65_536;

/** The package's own loader keeps one for ever. */
const make = createRequire(import.meta.url)('jq-wasm/dist/build/jq.js') as () => Promise<Jq>;

// It reads its input byte by byte, and copies the rest each time: 100 kB would take a second.
const { slice } = Uint8Array.prototype;
Uint8Array.prototype.slice = function (this: Uint8Array<ArrayBuffer>, start?: number, end?: number) {
  return start === 1 && end === undefined ? this.subarray(1) : slice.call(this, start, end);
};

const port = parentPort;
if (port === null) throw new Error('the thread of jq is started by ScriptPool');

const { begun } = workerData as ThreadOptions;
const reply = (message: ThreadReply) => port.postMessage(message);
const answer = (result: object) => reply({ type: 'done', result: JSON.stringify(result), broken: false });

let present = await make();
let runs = 0;

port.on('message', async ({ source, input }: ThreadRequest) => {
  const { text, names } = JSON.parse(input) as JqInput;
  const flags = ['-c', ...Object.entries(names).flatMap(([name, value]) => ['--argjson', name, value])];
  Atomics.store(begun, 0, process.hrtime.bigint());
  let failed = true;
  try {
    answer({ output: await present.raw(text, source, flags) });
    failed = false;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    answer({ error: { kind: 'thrown', message: message.slice(0, 2_000) } });
  }
  if (!failed && ++runs < RUNS_MAX && text.length <= REUSED_TEXT_MAX) return;
  present = await make();
  runs = 0;
});
await present.raw('null', '.', []);
reply({ type: 'ready' });
