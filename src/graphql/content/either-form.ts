import { badRequest } from '../../shared/errors.js';

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
