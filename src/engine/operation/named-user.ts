import { missingArgument } from '../errors.js';
import { bounded } from '../rule/bounded-text.js';

/** The id of a user that an argument names. @throws BAD_REQUEST (empty) */
export function namedUser(argument: string, userId: string | null | undefined): string {
  const trimmed = bounded(argument, userId, 'name')?.trim() ?? '';
  if (trimmed === '') throw missingArgument(argument, 'a user id');
  return trimmed;
}
