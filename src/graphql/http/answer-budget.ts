/** Answers up to this are not counted among all: objects bound them, and they get through whatever else is going on. */
export const UNCOUNTED_ANSWER_BYTES = 65_536;
/** What is taken of the budget at once while an answer grows. */
const STEP_BYTES = 1_048_576;

/** How large answers may be. */
export interface AnswerLimits {
  /** Bytes of one. */
  readonly answerBytesMax: number;
  /** Bytes of all that are being made or sent, those up to 64 KiB left out. */
  readonly answersBytesMax: number;
  /** Bytes of those of one client. */
  readonly answersPerClientBytesMax: number;
}

/** Why an answer may not grow: it is too large by itself, its client has too many, or all together are too large. */
export type AnswerRefusal = 'too_large' | 'no_room_for_client' | 'no_room';

/** How much of answers may be in memory at once. An answer is there from the first value that is found for it until its client has taken it. */
export class AnswerBudget {
  readonly limits: AnswerLimits;
  readonly #ofClients = new Map<string, number>();
  #taken = 0;

  constructor(limits: AnswerLimits) {
    this.limits = limits;
  }

  /** `client`: whose answer it is: `ann`. */
  share(client: string): AnswerShare {
    return new AnswerShare(this, client);
  }

  /** `own`: what of it the same answer has already; one that is alone is taken however large it is. */
  take(client: string, bytes: number, own: number): AnswerRefusal | undefined {
    const { answersBytesMax, answersPerClientBytesMax } = this.limits;
    const ofClient = this.#ofClients.get(client) ?? 0;
    if (this.#taken > own && this.#taken + bytes > answersBytesMax) return 'no_room';
    if (ofClient > own && ofClient + bytes > answersPerClientBytesMax) return 'no_room_for_client';
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

/** One answer's part of the budget. */
export class AnswerShare {
  readonly #budget: AnswerBudget;
  readonly #client: string;
  #bytes = 0;
  #read = 0;
  #covered = UNCOUNTED_ANSWER_BYTES;

  constructor(budget: AnswerBudget, client: string) {
    this.#budget = budget;
    this.#client = client;
  }

  /** What was counted so far: about as many bytes as the answer has. */
  get bytes(): number {
    return this.#bytes;
  }

  get limits(): AnswerLimits {
    return this.#budget.limits;
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
