import { availableParallelism, loadavg } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { ApiData, ApiReply } from '../support/graphql-client.js';
import type { Arena } from './arena.js';

/** One mutation: sent under its key as often as needed, it happens once. */
export interface Call {
  readonly key: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A call that was answered for good. */
export interface Answered extends Call {
  readonly answer: unknown;
  /** When, by `performance.now()`. */
  readonly at: number;
}

/** How long things may take, ms, on a machine that does nothing else. */
export interface Limits {
  /** An answer of a server that runs, whatever it is: later is unanswered. */
  readonly answerMs: number;
  /** `UNAVAILABLE` while the log is away: later is too late. */
  readonly refusalMs: number;
  /** Until changes are made again when a fault is over. */
  readonly resumeMs: number;
  /** Until all is at its end when a fault is over. */
  readonly settleMs: number;
}

/** The round is given up: what had to come did not come. */
export class GivenUp extends Error {}

/** What was asked of the server and answered in a round, and what it did wrong. */
export class Ledger {
  readonly arena: Arena;
  readonly limits: Limits;
  readonly answered: Answered[] = [];
  readonly violations: string[] = [];
  /** Refusals that may pass, as UNAVAILABLE. */
  refused = 0;
  slowestMs = 0;
  /** How many callers have. */
  givenUp = 0;
  /** By when everything must be through; until the fault is over there is none. */
  deadline = Number.POSITIVE_INFINITY;

  constructor(arena: Arena, limits: Limits) {
    this.arena = arena;
    this.limits = limits;
  }

  /** Whether it took longer than it may: where more wants to run than there are processors, all takes longer. */
  isLate(tookMs: number, limitMs: number): boolean {
    return tookMs > limitMs * busyness();
  }

  wrong(what: string): void {
    if (this.violations.length < 50) this.violations.push(what.slice(0, 400));
  }

  /** Sends it until it is answered for good. @throws GivenUp when it is not by the deadline, or answered with what must not be */
  async call(call: Call): Promise<ApiData> {
    for (;;) {
      const reply = await this.#send(call);
      if (reply === undefined) {
        if (performance.now() > this.deadline)
          throw this.#givenUp(`standing still: ${call.key} is never answered for good`);
        await sleep(25);
        continue;
      }
      if (reply.errors !== undefined || reply.data == null)
        throw this.#givenUp(`${call.key} was refused: ${JSON.stringify(reply.errors ?? reply)}`);
      this.answered.push({ ...call, answer: reply.data, at: performance.now() });
      return reply.data;
    }
  }

  /** What a query gives; undefined where the server is gone, or refuses for a while. */
  async look(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<ApiData | undefined> {
    const reply = await this.#send({ key: '', query, variables });
    if (reply?.errors !== undefined) throw this.#givenUp(`a query was refused: ${JSON.stringify(reply.errors)}`);
    return reply?.data ?? undefined;
  }

  /** Sends an answered call again: it must be answered alike. */
  async again({ answer, ...call }: Answered): Promise<void> {
    const reply = await this.#send(call);
    if (reply === undefined) throw this.#givenUp(`${call.key}, sent again, was not answered`);
    if (!isDeepStrictEqual(reply.data, answer))
      this.wrong(
        `lost or changed: ${call.key} was answered ${JSON.stringify(answer)}, and again ${JSON.stringify(reply)}`,
      );
  }

  #givenUp(what: string): GivenUp {
    this.wrong(what);
    return new GivenUp(what);
  }

  /** Undefined: it may be sent again. */
  async #send({ key, query, variables }: Call): Promise<ApiReply | undefined> {
    const { arena, limits } = this;
    const begun = performance.now();
    const wasRunning = arena.isRunning;
    try {
      const { url, headers } = arena.client();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables, ...(key !== '' && { extensions: { idempotencyKey: key } }) }),
        signal: AbortSignal.timeout(Math.ceil(limits.answerMs * busyness())),
      });
      const reply = (await response.json()) as ApiReply;
      const tookMs = performance.now() - begun;
      this.slowestMs = Math.max(this.slowestMs, tookMs);
      const code = reply.errors?.[0]?.extensions?.code ?? '';
      const mayPass = [429, 503].includes(response.status) || ['UNAVAILABLE', 'RATE_LIMITED'].includes(code);
      if (!mayPass) return reply;
      this.refused++;
      if (this.isLate(tookMs, limits.refusalMs))
        this.wrong(`late: ${key || 'a query'} was refused after ${Math.round(tookMs)} ms`);
      return undefined;
    } catch (thrown) {
      const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
      if (isLate && wasRunning && arena.isRunning)
        this.wrong(`unanswered: ${key || query} within ${limits.answerMs} ms`);
      return undefined;
    }
  }
}

/** How many programs want each processor, by the average of the last minute; at least 1. */
export const busyness = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
