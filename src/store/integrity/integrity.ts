import type { ServiceError } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { damagedStored } from '../../shared/metrics.js';
import type { Finding } from '../damage.js';
import type { Loss } from '../log/logs.js';
import type { LogWarning } from '../log/redis-durability.js';

/** How many findings are remembered; there is a line in the log for each of these. */
const FINDINGS_MAX = 1_000;

/** All that is known to be lost or damaged of what a server stores. Nothing of it ends the server. */
export class Integrity {
  readonly #losses: Loss[] = [];
  readonly #findings = new Map<string, Finding>();
  readonly #stop = damagedStored.observe((report) => report(this.#findings.size));

  get losses(): readonly Loss[] {
    return this.#losses;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  /** None of it keeps the server from its work. */
  get warnings(): readonly LogWarning[] {
    const damaged = this.#findings.size;
    return [...this.#losses.map(() => LOST), ...(damaged === 0 ? [] : [damagedWarning(damaged)])];
  }

  /** The log was opened with less than it had. */
  lost(loss: Loss): void {
    this.#losses.push(loss);
  }

  /** Told once each, however often it is met with. */
  found(finding: Finding): void {
    const key = JSON.stringify([finding.file, finding.what, finding.id]);
    if (this.#findings.has(key) || this.#findings.size >= FINDINGS_MAX) return;
    this.#findings.set(key, finding);
    serverLog.error(finding, 'something that is stored is damaged');
  }

  /** It is whole again. */
  mended({ file, what, id }: Omit<Finding, 'problem'>): void {
    this.#findings.delete(JSON.stringify([file, what, id]));
  }

  /** Nothing is kept of the partition any more. */
  forget(partition: string): void {
    for (const [key, { file }] of this.#findings) if (file.startsWith(`${partition}/`)) this.#findings.delete(key);
  }

  /** A read met with it. */
  met(partition: string, damage: ServiceError): void {
    const { what = 'file' } = (damage.info.details ?? {}) as { what?: string };
    this.found({ file: `${partition}/log.db`, what, id: damage.info.resourceId ?? null, problem: damage.message });
  }

  close(): void {
    this.#stop();
  }
}

const LOST: LogWarning = {
  reason: 'commits_lost',
  message:
    'a log was found with less than was durable before this start: positions in its events are not valid any more',
  isUnready: false,
};

const damagedWarning = (count: number): LogWarning => ({
  reason: 'data_damaged',
  message: `${count} ${count === 1 ? 'thing that is stored is' : 'things that are stored are'} damaged, and refused to whoever asks for them`,
  isUnready: false,
});
