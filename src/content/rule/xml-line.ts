import { ServiceError } from '../../shared/errors.js';

/** Does work for what stands in a line of XML: what it is refused with names the line. */
export function atLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, message, info } = thrown;
    throw new ServiceError(code, `line ${line}: ${message}`, {
      ...info,
      details: { ...(typeof info.details === 'object' ? info.details : {}), line },
    });
  }
}
