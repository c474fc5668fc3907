import type { Exchange } from '../exchange/exchange.js';

/** A bean whose methods are not functions here: they are called by their names. */
export abstract class ForeignBean {
  /**
   * `method`: `undefined`: its only one. `given`: what its parameters are given; `undefined`: each by its name. Gives the value, or an `Asked`.
   * @throws ExchangeFailure
   */
  abstract call(method: string | undefined, given: readonly unknown[] | undefined, exchange: Exchange): unknown;
}
