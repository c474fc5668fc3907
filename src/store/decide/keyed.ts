import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { badRequest, type ErrorCode, ServiceError } from '../../shared/errors.js';
import type { Command } from '../decision.js';
import type { Replica } from '../replica.js';
import type { Done } from './accepted.js';

/** The kept outcome of a client's command: its input (hashed) and its answer or refusal. */
export interface Outcome {
  readonly input: string;
  readonly answer?: unknown;
  readonly refusal?: Pick<ServiceError, 'code' | 'message' | 'info'>;
}

/** Refusals that say nothing of the command: the same key may be tried again, when what stood in its way is mended. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'DATA_DAMAGED']);

/** Whether a refusal is an outcome. */
export const isFinal = (error: ServiceError): boolean => !PASSING.has(error.code);

/** The outcome of a command as the log keeps it. */
export const outcomeOf = (command: Command, outcome: Omit<Outcome, 'input'>): string =>
  JSON.stringify({ input: command.inputHash ?? '', ...outcome } satisfies Outcome);

/** Commands with a client's key: those on their way are joined, those that ended are answered again. */
export class KeyedCommands {
  readonly #replica: Replica;
  readonly #key: () => string;
  readonly #onTheWay = new Map<string, { input: string; done: Promise<Done> }>();

  /** `key`: of the hashes of inputs, which may hold what can be guessed, such as passwords. */
  constructor(replica: Replica, key: () => string) {
    this.#replica = replica;
    this.#key = key;
  }

  /** The kept or coming answer; else what `accept` gives for the command. @throws BAD_REQUEST when the key was used for another input */
  submit(command: Command, accept: (command: Command) => Promise<Done>): Promise<Done> {
    const input = hashOf(createHmac('sha256', this.#key()), command);
    const known = this.#onTheWay.get(command.id);
    if (known !== undefined) return known.input === input ? known.done : Promise.reject(otherInput());
    const stored = this.#replica.outcome(command.id);
    if (stored !== undefined) return this.#again(JSON.parse(stored) as Outcome, input, command);
    const done = accept({ ...command, inputHash: input });
    this.#onTheWay.set(command.id, { input, done });
    const forget = () => this.#onTheWay.delete(command.id);
    done.then(forget, forget);
    return done;
  }

  async #again(outcome: Outcome, input: string, command: Command): Promise<Done> {
    // A former version kept hashes without a key.
    if (outcome.input !== input && outcome.input !== hashOf(createHash('sha256'), command)) throw otherInput();
    if (outcome.refusal) throw new ServiceError(outcome.refusal.code, outcome.refusal.message, outcome.refusal.info);
    return { answer: outcome.answer, revision: this.#replica.revision() };
  }
}

const hashOf = (hash: Hash | Hmac, { type, input, compared = input }: Command): string =>
  hash.update(type).update(JSON.stringify(compared)).digest('base64url');

const otherInput = () =>
  badRequest('this idempotency key was used for another input', { reason: 'idempotency_key_reused' });
