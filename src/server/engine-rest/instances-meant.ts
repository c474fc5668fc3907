import { badRequest } from '../../shared/errors.js';
import type { Document } from '../../store/index.js';
import { idsFound, type ListedResource } from './list-route.js';
import { type Json, objectIn, type RestCall, textsIn } from './rest-call.js';

/** How many instances one request means. */
const MEANT_MAX = 10_000;

/** Those that a request names by `processInstanceIds`, and those that the query in one of its fields finds; each once. @throws BAD_REQUEST (none, or too many) */
export async function idsMeant<D extends Document>(
  call: RestCall,
  json: Json,
  { field, list }: { readonly field: string; readonly list: ListedResource<D> },
): Promise<readonly string[]> {
  const query = objectIn(json, field);
  const found = query === undefined ? [] : await idsFound(list, call.about(query), MEANT_MAX + 1);
  const ids = [...new Set([...(textsIn(json, 'processInstanceIds') ?? []), ...found])];
  if (ids.length === 0)
    throw badRequest(`expected process instances by 'processInstanceIds' or '${field}', but found none`, {
      reason: 'argument_missing',
    });
  if (ids.length <= MEANT_MAX) return ids;
  throw badRequest(`expected at most ${MEANT_MAX} process instances at once, but found more`);
}
