import { busyWithBodies } from './transport-error.js';

/** Why something may not take more memory: its client has too much already, or all together have. */
type NoRoom = 'no_room_for_client' | 'no_room';

/** Bytes that all clients together, and each of them, may have in memory. */
class Budget {
  readonly #bytesMax: number;
  readonly #perClientMax: number;
  readonly #ofClients = new Map<string, number>();
  #taken = 0;

  constructor(bytesMax: number, perClientMax: number) {
    this.#bytesMax = bytesMax;
    this.#perClientMax = perClientMax;
  }

  /** `own`: what of it the same request or answer has already; one that is alone is taken however large it is. */
  take(client: string, bytes: number, own: number): NoRoom | undefined {
    const ofClient = this.#ofClients.get(client) ?? 0;
    if (this.#taken > own && this.#taken + bytes > this.#bytesMax) return 'no_room';
    if (ofClient > own && ofClient + bytes > this.#perClientMax) return 'no_room_for_client';
    this.#taken += bytes;
    this.#ofClients.set(client, ofClient + bytes);
    return undefined;
  }

  giveBack(client: string, bytes: number): void {
    this.#taken -= bytes;
    const left = (this.#ofClients.get(client) ?? 0) - bytes;
    if (left > 0) this.#ofClients.set(client, left);
    else this.#ofClients.delete(client);
  }
}

/** Bodies up to this are not counted: the number of connections bounds them, and they get through whatever else is going on. */
const UNCOUNTED_BODY_BYTES = 16_384;

/** How much of requests may be in memory at once. */
interface BodyBudgetLimits {
  /** Bytes of all bodies together. */
  readonly bytesMax: number;
  /** Bytes of the bodies of one client. */
  readonly perClientMax: number;
}

/** The budget of requests in memory. A body stays there, as text and as what was read from it, until its request is answered. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #budget: Budget;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
    this.#budget = new Budget(limits.bytesMax, limits.perClientMax);
  }

  share(): BodyShare {
    return new BodyShare(this.#budget, this.#limits);
  }
}

/** One request's part of the budget: it is given back when all work that needs the body has ended. */
export class BodyShare {
  readonly #budget: Budget;
  readonly #limits: BodyBudgetLimits;
  #client = '';
  #bytes = 0;
  #works = 0;

  constructor(budget: Budget, limits: BodyBudgetLimits) {
    this.#budget = budget;
    this.#limits = limits;
  }

  /** Whose bytes these are: `user:ann`, or `address:…` as long as nobody has signed in. Said before the first of them arrives. */
  belongsTo(client: string): void {
    this.#client = client;
  }

  /** That much of the body has arrived by now. @throws TransportError 503 too much is in memory already */
  arrived(bytes: number): void {
    if (bytes <= UNCOUNTED_BODY_BYTES) return;
    const { bytesMax, perClientMax } = this.#limits;
    const refusal = this.#budget.take(this.#client, bytes - this.#bytes, this.#bytes);
    if (refusal === 'no_room') throw busyWithBodies('requests', bytesMax);
    if (refusal !== undefined) throw busyWithBodies("one caller's requests", perClientMax);
    this.#bytes = bytes;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#works++;
    try {
      return await work();
    } finally {
      this.#works--;
      if (this.#works === 0) this.#giveBack();
    }
  }

  #giveBack(): void {
    if (this.#bytes > 0) this.#budget.giveBack(this.#client, this.#bytes);
    this.#bytes = 0;
  }
}

/** Answers up to this are not counted among all: objects bound them, and they get through whatever else is going on. */
export const UNCOUNTED_ANSWER_BYTES = 65_536;
/** What is taken of the budget at once while an answer grows. */
const STEP_BYTES = 1_048_576;

/** How large answers may be. */
interface AnswerLimits {
  /** Bytes of one. */
  readonly answerBytesMax: number;
  /** Bytes of all that are being made or sent, those up to 64 KiB left out. */
  readonly answersBytesMax: number;
  /** Bytes of those of one client. */
  readonly answersPerClientBytesMax: number;
}

/** Why an answer may not grow: it is too large by itself, its client has too many, or all together are too large. */
export type AnswerRefusal = 'too_large' | NoRoom;

/** How much of answers may be in memory at once. An answer is there from the first value that is found for it until its client has taken it. */
export class AnswerBudget {
  readonly #limits: AnswerLimits;
  readonly #budget: Budget;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
    this.#budget = new Budget(limits.answersBytesMax, limits.answersPerClientBytesMax);
  }

  /** `client`: whose answer it is: `ann`. */
  share(client: string): AnswerShare {
    return new AnswerShare(this.#budget, this.#limits, client);
  }
}

/** One answer's part of the budget. */
export class AnswerShare {
  readonly limits: AnswerLimits;
  readonly #budget: Budget;
  readonly #client: string;
  #bytes = 0;
  #read = 0;
  #covered = UNCOUNTED_ANSWER_BYTES;

  constructor(budget: Budget, limits: AnswerLimits, client: string) {
    this.#budget = budget;
    this.limits = limits;
    this.#client = client;
  }

  /** What was counted so far: about as many bytes as the answer has. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The answer grows by that much. */
  count(bytes: number): AnswerRefusal | undefined {
    this.#bytes += bytes;
    if (this.#bytes > this.limits.answerBytesMax) return 'too_large';
    return this.#cover(this.#bytes);
  }

  /** What may still be read for the answer. */
  get readBytesLeft(): number {
    return this.limits.answerBytesMax - this.#read;
  }

  /** So much was read for the answer. It is in memory until the answer is made of it, so the larger of both counts among all answers. */
  countRead(bytes: number): AnswerRefusal | undefined {
    this.#read += bytes;
    if (this.#read > this.limits.answerBytesMax) return 'too_large';
    return this.#cover(this.#read);
  }

  /** The answer has that many bytes: what was counted before was an estimate. */
  settle(bytes: number): AnswerRefusal | undefined {
    return bytes <= this.#bytes ? undefined : this.count(bytes - this.#bytes);
  }

  /** The client has the answer, or wants none any more. */
  giveBack(): void {
    this.#budget.giveBack(this.#client, this.#covered - UNCOUNTED_ANSWER_BYTES);
    this.#bytes = 0;
    this.#read = 0;
    this.#covered = UNCOUNTED_ANSWER_BYTES;
  }

  #cover(bytes: number): AnswerRefusal | undefined {
    if (bytes <= this.#covered) return undefined;
    const step = Math.ceil((bytes - this.#covered) / STEP_BYTES) * STEP_BYTES;
    const refusal = this.#budget.take(this.#client, step, this.#covered - UNCOUNTED_ANSWER_BYTES);
    if (refusal === undefined) this.#covered += step;
    return refusal;
  }
}
