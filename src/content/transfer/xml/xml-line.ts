import { ServiceError } from '../../../shared/errors.js';

/** Does work for what stands in a line of XML: what it is refused with names the line. */
export function atLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw withLine(line, thrown);
  }
}

/** As {@link atLine}, for work that goes in steps. */
export function* stepsAtLine<T>(line: number, steps: Generator<void, T, void>): Generator<void, T, void> {
  try {
    return yield* steps;
  } catch (thrown) {
    throw withLine(line, thrown);
  }
}

function withLine(line: number, thrown: unknown): unknown {
  if (!(thrown instanceof ServiceError)) return thrown;
  const { code, message, info } = thrown;
  return new ServiceError(code, `line ${line}: ${message}`, {
    ...info,
    details: { ...(typeof info.details === 'object' ? info.details : {}), line },
  });
}
