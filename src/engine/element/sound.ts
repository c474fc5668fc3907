import { isSoundText, SOUND_TEXT } from '../../shared/sound-text.js';
import { type At, evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import { textOf } from './native.js';
import type { Run } from './run.js';

/** The text that an expression gives, of what is found by it or shown. @throws EXECUTION_FAILED, also where it would not come back from the store as it is */
export const textAt = (run: Run, where: At, source: string | null | undefined): string | null =>
  source == null ? null : sound(where, source, textOf(evaluate(run, where, source)));

/** The text, which the expression gave. @throws EXECUTION_FAILED where it would not come back from the store as it is */
export function sound<T extends string | null>(where: At, source: string, text: T): T {
  if (text === null || isSoundText(text)) return text;
  throw executionFailed(where.place, {
    expected: `${SOUND_TEXT} from '${source}'`,
    expression: source,
    cause: `it gives ${JSON.stringify(text)}`,
  });
}
