import { busyWithBodies } from './transport-error.js';

/** Bodies up to this are not counted: the number of connections bounds them, and they get through whatever else is going on. */
const UNCOUNTED_BYTES = 16_384;

/** How much of requests may be in memory at once. */
export interface BodyBudgetLimits {
  /** Bytes of all bodies together. */
  readonly bytesMax: number;
  /** Bytes of the bodies of one client. */
  readonly perClientMax: number;
}

/** What of requests is in memory. A body stays there, as text and as what was read from it, until its request is answered. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #ofClients = new Map<string, number>();
  #bytes = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  share(): BodyShare {
    return new BodyShare(this);
  }

  /** `own`: what of it the same request holds already; one that is alone is taken whatever it has. @throws TransportError 503 */
  take(client: string, bytes: number, own: number): void {
    const { bytesMax, perClientMax } = this.#limits;
    const ofClient = this.#ofClients.get(client) ?? 0;
    if (this.#bytes > own && this.#bytes + bytes > bytesMax) throw busyWithBodies('requests', bytesMax);
    if (ofClient > own && ofClient + bytes > perClientMax) throw busyWithBodies("one caller's requests", perClientMax);
    this.#bytes += bytes;
    this.#ofClients.set(client, ofClient + bytes);
  }

  giveBack(client: string, bytes: number): void {
    this.#bytes -= bytes;
    const left = (this.#ofClients.get(client) ?? 0) - bytes;
    if (left > 0) this.#ofClients.set(client, left);
    else this.#ofClients.delete(client);
  }
}

/** One request's part of the budget: it is given back when all work that needs the body has ended. */
export class BodyShare {
  readonly #budget: BodyBudget;
  #client = '';
  #bytes = 0;
  #works = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** Whose bytes these are: `user:ann`, or `address:…` as long as nobody has signed in. Said before the first of them arrives. */
  belongsTo(client: string): void {
    this.#client = client;
  }

  /** That much of the body has arrived by now. @throws TransportError 503 too much is in memory already */
  arrived(bytes: number): void {
    if (bytes <= UNCOUNTED_BYTES) return;
    this.#budget.take(this.#client, bytes - this.#bytes, this.#bytes);
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
