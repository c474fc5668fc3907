import { type ExecutionResult, GraphQLError } from 'graphql';
import { isDamaged } from '../../store/index.js';

type Path = readonly (string | number)[];

/** Whether something damaged stood below an object of a list, so that the list as a whole may have become null. */
export const hasTakenList = ({ errors }: ExecutionResult): boolean =>
  errors?.some((error) => isOfDamage(error) && error.path?.some((key) => typeof key === 'number') === true) === true;

const isOfDamage = ({ originalError }: GraphQLError): boolean => isDamaged(originalError);

/**
 * The result of an execution in which objects of lists may be null, as one in which they may not: those below which something is damaged are
 * left out, and that is told at their list's path, once for each damaged thing. Undefined where anything else made one of them null.
 */
export function withoutDamaged(result: ExecutionResult): ExecutionResult | undefined {
  const placed = (result.errors ?? []).map((error) => ({ error, at: listAt(result.data, error.path ?? []) }));
  if (placed.some(({ error, at }) => at !== undefined && !isOfDamage(error))) return undefined;
  const told = new Map<string, GraphQLError>();
  for (const { error, at } of placed) {
    const shown = at === undefined ? error : moved(error, at.path);
    told.set(`${shown.path?.join('.')} ${shown.message}`, shown);
  }
  for (const list of new Set(placed.flatMap(({ at }) => (at === undefined ? [] : [at.list]))))
    list.splice(0, list.length, ...list.filter((item) => item !== null));
  return { ...result, errors: [...told.values()] };
}

const moved = ({ message, originalError, nodes }: GraphQLError, path: Path): GraphQLError =>
  new GraphQLError(message, { path, ...(originalError && { originalError }), ...(nodes && { nodes }) });

/** The list in which the path ends at null, with its own path. */
function listAt(data: unknown, path: Path): { readonly list: unknown[]; readonly path: Path } | undefined {
  let value = data;
  for (const [depth, key] of path.entries()) {
    const next = (value as Readonly<Record<string | number, unknown>>)[key];
    if (next === null && Array.isArray(value)) return { list: value, path: path.slice(0, depth) };
    if (next === null || next === undefined) return undefined;
    value = next;
  }
  return undefined;
}
