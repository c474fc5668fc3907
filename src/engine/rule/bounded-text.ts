import { limitExceeded } from '../../shared/errors.js';

/** The most characters of texts that callers give. */
export const TEXT_LIMITS = {
  name: 255,
  /** As in Camunda. */
  annotation: 4_000,
  reason: 4_000,
  message: 16_384,
} as const;

/** The text; nothing for nothing. @throws LIMIT_EXCEEDED */
export function bounded(
  argument: string,
  text: string | null | undefined,
  kind: keyof typeof TEXT_LIMITS,
): string | null {
  if (text === null || text === undefined) return null;
  const max = TEXT_LIMITS[kind];
  if (text.length <= max) return text;
  throw limitExceeded(`expected at most ${max} characters as '${argument}', but found ${text.length}`, {
    reason: 'argument_too_long',
    details: { argument },
  });
}
