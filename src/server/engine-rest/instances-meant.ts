import { badRequest } from '../../shared/errors.js';
import type { Document } from '../../store/index.js';
import { idsFound, type ListedResource } from './list-route.js';
import { type Json, objectIn, type RestCall, textsIn } from './rest-call.js';

/** How many instances a batch is begun with, and how many one request goes through by itself. */
const MEANT_MAX = 10_000;
const AT_ONCE_MAX = 1_000;

/** Where a request says which it means, and whether a batch goes through them. */
interface Meaning<D extends Document> {
  readonly field: string;
  readonly list: ListedResource<D>;
  readonly isBatch: boolean;
}

/** Those that a request names by `processInstanceIds`, and those that the query in one of its fields finds; each once. @throws BAD_REQUEST (none, or too many) */
export async function idsMeant<D extends Document>(
  call: RestCall,
  json: Json,
  { field, list, isBatch }: Meaning<D>,
): Promise<readonly string[]> {
  const query = objectIn(json, field);
  const found = query === undefined ? [] : await idsFound(list, call.about(query), MEANT_MAX + 1);
  const ids = [...new Set([...(textsIn(json, 'processInstanceIds') ?? []), ...found])];
  if (ids.length === 0)
    throw badRequest(`expected process instances by 'processInstanceIds' or '${field}', but found none`, {
      reason: 'argument_missing',
    });
  const max = isBatch ? MEANT_MAX : AT_ONCE_MAX;
  if (ids.length <= max) return ids;
  throw badRequest(`expected at most ${max} process instances, but found more${isBatch ? '' : ': begin a batch'}`);
}
