import { badRequest } from '../../shared/errors.js';

/**
 * Compares bytes with the hash that the caller gave of them, where one was given. `what`: names the bytes in the sentence.
 * @throws BAD_REQUEST when it is no SHA-256 in hex, or another's
 */
export function requireSha256(what: string, given: string | null | undefined, found: string): void {
  if (given === null || given === undefined) return;
  if (!/^[0-9a-f]{64}$/i.test(given)) {
    throw badRequest(`expected 64 hexadecimal digits as 'sha256' of ${what}, but found another text`, {
      reason: 'argument_invalid',
      details: { argument: 'sha256' },
    });
  }
  if (given.toLowerCase() === found) return;
  throw badRequest(`expected ${what} to have the SHA-256 ${given.toLowerCase()}, but it has ${found}`, {
    reason: 'sha256_differs',
    details: { sha256: found },
  });
}
