import { badRequest, limitExceeded } from '../../shared/errors.js';
import { isSoundText, SOUND_TEXT } from '../../shared/sound-text.js';

/** The most characters of texts that callers give. */
const TEXT_LIMITS = {
  name: 255,
  /** Of a message or signal. */
  eventName: 4_000,
  /** As in Camunda. */
  annotation: 4_000,
  reason: 4_000,
  message: 16_384,
} as const;

/** The text; nothing for nothing. @throws LIMIT_EXCEEDED; BAD_REQUEST (NUL, halves of surrogate pairs) */
export function bounded(
  argument: string,
  text: string | null | undefined,
  kind: keyof typeof TEXT_LIMITS,
): string | null {
  if (text === null || text === undefined) return null;
  const max = TEXT_LIMITS[kind];
  if (text.length > max) throw tooLong(argument, text, max);
  if (isSoundText(text)) return text;
  throw badRequest(`expected ${SOUND_TEXT} as '${argument}', but there are some`, {
    reason: 'invalid_text',
    details: { argument },
  });
}

const tooLong = (argument: string, text: string, max: number) =>
  limitExceeded(`expected at most ${max} characters as '${argument}', but found ${text.length}`, {
    reason: 'argument_too_long',
    details: { argument },
  });
