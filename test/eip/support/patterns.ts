import { untilInstant, Waiting } from '../../../src/eip/flow/outcome.js';
import type { Pattern } from '../../../src/eip/pattern/pattern.js';
import { ExchangeFailure } from '../../../src/expression/routes.js';

/** Steps for tests of components alone: what waits, and what fails. */
export const TEST_PATTERNS: Readonly<Record<string, Pattern>> = {
  /** Waits `ms`: the consumer with it, or (`frees`) by itself. */
  pause:
    ({ options: { ms, frees } }, { context }) =>
    () => {
      const at = context.now() + Number(ms);
      if (frees !== true) return untilInstant(at, () => undefined);
      return new Waiting({ kind: 'instant', at, frees: true }, () => undefined);
    },
  property:
    ({ options: { name, value } }) =>
    (exchange) => {
      exchange.properties.set(String(name), value);
      return undefined;
    },
  fail:
    ({ options: { message = 'failed' } }) =>
    () => {
      throw new ExchangeFailure('java.io.IOException', String(message));
    },
};
