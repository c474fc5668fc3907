import { csvLine } from '../../shared/csv.js';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { pause, systemTime, turn } from '../../shared/time.js';
import type { LongJobChanges, LongJobContext, LongJobFile, LongJobOutcome } from '../../store/index.js';
import { BATCH_PAGE, type BatchType } from './batch-type.js';

/** How far a batch is: kept with its job, so that a run that begins again goes on there. */
interface Progress {
  /** Where the last page of those that are looked for ended; null: there is no other page. Absent: none was looked for. */
  readonly after?: unknown;
  /** How many have been answered, and how many of them with a refusal. */
  readonly done: number;
  readonly failed: number;
  /** The first refusals: id and message. */
  readonly failures: readonly Failure[];
}

type Failure = readonly [id: string, message: string];

/** How many refusals are kept, and how many of these are told of with each progress. */
const FAILURES_MAX = 200;
const SAMPLES_MAX = 20;
/** How much of a message is kept, in characters. */
const MESSAGE_MAX = 200;
/** How long what does not take commands is left alone, ms. */
const AGAIN_MS = 200;
/** For how long commands are sent before others have the main thread, in ms. */
const SLICE_MS = 5;

/** A run of a batch: finds all that it is about, then sends each its command, page by page. */
export class BatchRun<P extends object> {
  readonly #batch: BatchType<P>;
  readonly #context: LongJobContext;
  readonly #parameters: P;
  #progress: Progress;

  constructor(batch: BatchType<P>, context: LongJobContext) {
    this.#batch = batch;
    this.#context = context;
    this.#parameters = context.parameters as P;
    this.#progress = (context.job.checkpoint as Progress | null) ?? { done: 0, failed: 0, failures: [] };
  }

  /** @throws BAD_REQUEST all of them were refused */
  async run(): Promise<LongJobOutcome> {
    await this.#find();
    await this.#sendAll();
    const { done, failed, failures } = this.#progress;
    this.#context.progress({ ...this.#told(), ...(failed > 0 && this.#report()) });
    if (failed > 0 && failed === done) throw new ServiceError('BAD_REQUEST', this.#summary() ?? '');
    return { result: { succeeded: done - failed, failed, failures } };
  }

  async #find(): Promise<void> {
    const { partition, signal, job } = this.#context;
    if (this.#batch.find === undefined) return;
    while (this.#progress.after !== null) {
      signal.throwIfAborted();
      const { after: behind = null } = this.#progress;
      const until = job.queued ?? job.created;
      const request = { after: behind, until, caller: this.#context.caller };
      const page = this.#batch.find(partition.replica.read(), this.#parameters, request);
      if (page === null) return;
      const { ids, after } = page;
      this.#progress = { ...this.#progress, after };
      await this.#context.add(ids, { checkpoint: this.#progress });
    }
  }

  /** Those behind what was done before. What had been sent last before the server died is sent again, and answered as it was then. */
  async #sendAll(): Promise<void> {
    let seen = 0;
    let page: string[] = [];
    for await (const id of this.#context.items) {
      if (seen++ < this.#progress.done) continue;
      page.push(id);
      if (page.length < BATCH_PAGE) continue;
      await this.#sendPage(page);
      page = [];
    }
    if (page.length > 0) await this.#sendPage(page);
  }

  async #sendPage(ids: readonly string[]): Promise<void> {
    const refusals = await this.#sendEach(ids);
    const failures = refusals.flatMap((message, at) => (message === null ? [] : [[ids[at] ?? '', message] as const]));
    const { done, failed } = this.#progress;
    this.#progress = {
      ...this.#progress,
      done: done + ids.length,
      failed: failed + failures.length,
      failures: [...this.#progress.failures, ...failures].slice(0, FAILURES_MAX),
    };
    this.#context.progress(this.#told());
  }

  /** Many are on their way together, but most are decided as they are sent: others have the main thread in between. @throws what ends the run */
  async #sendEach(ids: readonly string[]): Promise<readonly (string | null)[]> {
    const sent: Promise<string | null>[] = [];
    let until = systemTime.monotonic() + SLICE_MS;
    for (const id of ids) {
      if (systemTime.monotonic() > until) {
        await turn(systemTime);
        until = systemTime.monotonic() + SLICE_MS;
      }
      this.#context.signal.throwIfAborted();
      const one = this.#send(id);
      // Waited for below; until then nobody hears of its end.
      one.catch(() => {});
      sent.push(one);
    }
    return Promise.all(sent);
  }

  /** Gives why it was refused; null: it was not. @throws what ends the run */
  async #send(id: string): Promise<string | null> {
    const { partition, signal, job } = this.#context;
    const { operation, input } = this.#batch.command(id, this.#parameters);
    for (;;) {
      try {
        await partition.send(operation, input, { caller: this.#context.caller, commandId: `${job.id}/${id}` });
        return null;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof ServiceError)) {
          log.error({ err: thrown, jobId: job.id, id }, 'a command of a batch failed');
          return 'Internal error';
        }
        if (thrown.code !== 'UNAVAILABLE' && thrown.code !== 'RATE_LIMITED')
          return thrown.message.slice(0, MESSAGE_MAX);
        await pause(systemTime, AGAIN_MS);
      }
    }
  }

  #told(): LongJobChanges {
    const { done, failed, failures } = this.#progress;
    const summary = this.#summary();
    return {
      checkpoint: this.#progress,
      itemsProcessed: done,
      itemsError: failed,
      ...(summary !== null && {
        errorMessage: summary,
        errorSamples: failures.slice(0, SAMPLES_MAX).map(([id, message]) => `${id}\t${message}`),
      }),
    };
  }

  #summary(): string | null {
    const { done, failed, failures } = this.#progress;
    const [first] = failures;
    return first === undefined ? null : `${failed} of ${done} failed; the first, '${first[0]}': ${first[1]}`;
  }

  /** The kept refusals as a file. */
  #report(): LongJobChanges {
    const { job, partition } = this.#context;
    const lines = [['id', 'message'], ...this.#progress.failures].map(csvLine);
    const bytes = Buffer.from(`\u{FEFF}${lines.join('')}`);
    const data = { inline: bytes.toString('base64'), size: bytes.length };
    const report: LongJobFile = { kind: 'report', name: `${job.type}-failures.csv`, mimeType: 'text/csv', data };
    const downloadUrl = `/bin/download-archive.cgi/${encodeURIComponent(partition.workspace)}/${job.id}/report`;
    return { files: [report], downloadUrl };
  }
}
