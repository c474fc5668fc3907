import { closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The newest commit of a partition, as it is known outside of its `log.db`. */
export interface Head {
  readonly epoch: string;
  readonly revision: number;
  readonly commitId: string;
}

/** All of it, so that each write takes the place of the one before. */
const BYTES = 256;

/** Where the head of a `log.db` is kept. */
const headPath = (logPath: string): string => join(dirname(logPath), 'head');

/**
 * Writes the head behind each group, without waiting for the disk: it is never ahead of what is durable, and whatever takes commits from the
 * log without taking it back, too, is found out. After a power cut it may be an older one, which says less, or half of one, which says nothing.
 */
export class HeadFile {
  readonly #folder: string;
  #file: number | null;

  constructor(logPath: string) {
    this.#folder = dirname(logPath);
    this.#file = openSync(headPath(logPath), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** A disk that takes no more writes is the log's to tell: the head stays an older one. */
  write(head: Head): void {
    try {
      if (this.#file !== null) writeSync(this.#file, textOf(head), 0);
    } catch {}
  }

  /** Makes it durable that there is a head. */
  sync(): void {
    if (this.#file === null) return;
    fsyncSync(this.#file);
    const folder = openSync(this.#folder, constants.O_RDONLY | constants.O_DIRECTORY);
    fsyncSync(folder);
    closeSync(folder);
  }

  /** Once: the number is another file's as soon as it is free. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** The head; undefined where there is none that can be read. */
export function readHead(logPath: string): Head | undefined {
  try {
    const [line = ''] = readFileSync(headPath(logPath), 'utf8').split('\n');
    const [, sum, text = ''] = /^(\d+) (.*?) *$/.exec(line) ?? [];
    return crc32(text) === Number(sum) ? (JSON.parse(text) as Head) : undefined;
  } catch {
    return undefined;
  }
}

export const hasHead = (logPath: string): boolean => existsSync(headPath(logPath));

export const removeHead = (logPath: string): void => rmSync(headPath(logPath), { force: true });

function textOf({ epoch, revision, commitId }: Head): string {
  const text = JSON.stringify({ epoch, revision, commitId });
  return `${`${crc32(text)} ${text}`.padEnd(BYTES - 1)}\n`;
}
