import { ExchangeFailure } from '../../../expression/routes.js';

/** So many things at a time; who comes when all are taken waits in line. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves with what gives the slot back, which may be called more than once. @throws ExchangeFailure `ConnectionRequestTimeoutException` after `timeoutMs`; 0: never */
  async take(timeoutMs: number): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(timeoutMs);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#line.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #turn(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const late = () => {
        this.#line.splice(this.#line.indexOf(turn), 1);
        reject(tooLate(timeoutMs));
      };
      const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
      this.#line.push(turn);
    });
  }
}

const tooLate = (timeoutMs: number) =>
  new ExchangeFailure(
    'org.apache.hc.core5.http.ConnectionRequestTimeoutException',
    `Timeout deadline: ${timeoutMs} MILLISECONDS, and no connection was free`,
  );
