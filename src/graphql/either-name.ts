import { badRequest } from '../shared/errors.js';

/**
 * An argument that had another name before, or another type: what it is given as, by either name; nothing where it is not given.
 * @throws BAD_REQUEST both are given
 */
export function eitherName<A extends object, N extends keyof A & string, O extends keyof A & string>(
  args: A,
  name: N,
  oldName: O,
): A[N] | A[O] {
  if (args[oldName] == null) return args[name];
  if (args[name] == null) return args[oldName];
  throw badRequest(`expected '${name}' alone, but found '${oldName}' beside it, which means the same`, {
    reason: 'two_names',
    details: { argument: oldName },
  });
}
