import { refusal } from '../refusal.js';

/** The longest text that a principal is shown by. */
const TEXT_MAX = 1_000;

/** The text as it is kept. @throws INVALID_INPUT it is too long */
export function requireText(text: string, field: string): string {
  if (text.length <= TEXT_MAX) return text;
  throw refusal(
    'INVALID_INPUT',
    `expected at most ${TEXT_MAX} characters in '${field}', but found ${text.length}`,
    field,
  );
}
