import { type GraphQLResolveInfo, valueFromASTUntyped } from 'graphql';
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

/** The arguments of a field as the client sent them: a point in time as its text, with its zone. Defaults are not among them. */
export function rawArguments(
  { fieldNodes }: GraphQLResolveInfo,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = fieldNodes[0]?.arguments ?? [];
  return Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, { ...variables })]));
}

/**
 * The arguments of a mutation that takes them as `input` or one by one; the latter lack the defaults of the former.
 * @throws BAD_REQUEST both forms, or a required argument is missing
 */
export function eitherForm<I extends object, K extends keyof I & string>(
  { input, ...flat }: { readonly input?: I | null | undefined } & { readonly [N in keyof I]?: I[N] | null | undefined },
  required: readonly K[],
): I {
  const given = Object.entries(flat).filter(([, value]) => value !== undefined && value !== null);
  if (input != null && given.length > 0)
    throw badRequest(`expected either 'input' or '${given[0]?.[0]}', but found both`, { reason: 'two_forms' });
  const chosen = input ?? (Object.fromEntries(given) as unknown as I);
  const missing = required.find((name) => chosen[name] === undefined || chosen[name] === null);
  if (missing === undefined) return chosen;
  throw badRequest(`expected 'input', or '${missing}' among the arguments, but found neither`, {
    reason: 'argument_missing',
    details: { argument: missing },
  });
}
