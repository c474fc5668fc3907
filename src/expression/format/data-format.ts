import type { Exchange } from '../exchange/exchange.js';

/** Turns values into bytes and back: `marshal`, `unmarshal`. What they give is an `Asked` where it must be waited for, and a stream where they were given one. */
export interface DataFormat {
  /** @throws ExchangeFailure */
  marshal(exchange: Exchange, value: unknown): unknown;
  /** @throws ExchangeFailure */
  unmarshal(exchange: Exchange, value: unknown): unknown;
}
