import { statfs } from 'node:fs/promises';
import type { Warning } from '../http/readiness.js';

interface DiskThreshold {
  readonly reason: string;
  /** With less than so many bytes free it is reached. */
  readonly bytes: number;
}

/** It is left again with so many times as much: what comes and goes around it is told once. */
const LEFT_FACTOR = 1.25;

/** Room on the disk of a folder, in bytes, for users without privileges. */
export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Watches how much room the disk of the data folder has. */
export class DiskRoom {
  readonly #room: () => Promise<number>;
  readonly #thresholds: readonly DiskThreshold[];
  #reached: readonly DiskThreshold[] = [];

  constructor(room: () => Promise<number>, { lowBytes, criticalBytes }: { lowBytes: number; criticalBytes: number }) {
    this.#room = room;
    this.#thresholds = [
      { reason: 'disk_low', bytes: lowBytes },
      { reason: 'disk_critical', bytes: criticalBytes },
    ];
  }

  /** What is wrong with it, as it was found. */
  get problems(): readonly Warning[] {
    return this.#reached.map(({ reason, bytes }) => ({
      reason,
      message: `less than ${inMb(bytes)} MB are free on the disk of the data folder; without room no change can be made`,
    }));
  }

  async look(): Promise<void> {
    const free = await this.#room();
    const isReached = (one: DiskThreshold) =>
      free < (this.#reached.includes(one) ? one.bytes * LEFT_FACTOR : one.bytes);
    this.#reached = this.#thresholds.filter(isReached);
  }
}

const inMb = (bytes: number): string => (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 0 });
