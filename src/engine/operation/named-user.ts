import { missingArgument } from '../errors.js';

/** The id of a user that an argument names. @throws BAD_REQUEST (empty) */
export function namedUser(argument: string, userId: string | null | undefined): string {
  const trimmed = userId?.trim() ?? '';
  if (trimmed === '') throw missingArgument(argument, 'a user id');
  return trimmed;
}
