import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { benchServer } from '../server.js';

const CREATE = 'mutation Create($input: CreateRouteInput!) { createRoute(input: $input) { id } }';
const LINE = `${'x'.repeat(199)}\n`;
const CHUNK_LINES = 10_000;

/** How a file went through a route in pieces. */
export interface LargeFile {
  readonly bytes: number;
  readonly ms: number;
  /** The most memory that the process had meanwhile, beyond what it had before. */
  readonly memoryBytes: number;
}

/** A file of so many bytes is split at its lines in groups of 1,000, each of which is appended to another file. */
export async function largeFile(folder: string, bytes: number): Promise<LargeFile> {
  const files = join(folder, 'files');
  mkdirSync(join(files, 'in'), { recursive: true });
  const written = await write(join(folder, 'files/large.tmp'), bytes);
  const server = await benchServer(join(folder, 'data'), { MILLRACE_FILE_ROOTS: files });
  try {
    const yaml = `- route:
    id: large
    from:
      uri: file:${files}/in?delete=true&readLock=none&fileName=large.txt&initialDelay=0&delay=100
      steps:
        - split:
            streaming: true
            tokenize: { token: "\\n", group: 1000 }
            steps:
              - to: file:${files}/out?fileName=large.txt&fileExist=Append&appendChars=\\n
`;
    await server.ask(CREATE, { routeId: 'large', yaml, autoStart: true });
    await pause(2_000);
    const before = memoryOf(server.pid);
    const begun = performance.now();
    renameSync(join(files, 'large.tmp'), join(files, 'in/large.txt'));
    let most = before;
    while (sizeOf(join(files, 'out/large.txt')) < written || sizeOf(join(files, 'in/large.txt')) > 0) {
      most = Math.max(most, memoryOf(server.pid));
      await pause(20);
    }
    return { bytes: written, ms: performance.now() - begun, memoryBytes: most - before };
  } finally {
    await server.end();
  }
}

async function write(path: string, bytes: number): Promise<number> {
  const file = createWriteStream(path);
  const chunk = LINE.repeat(CHUNK_LINES);
  let written = 0;
  for (; written < bytes; written += chunk.length) if (!file.write(chunk)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
  return written;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The memory of a process that is in the machine's, in bytes. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
