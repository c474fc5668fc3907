import type { ExecutionContext } from './context.js';
import type { GraphqlResult } from './operation-runner.js';

/** How it is said. */
const STAYS = 'what was changed stays changed';

/** What failed when its change had been made already says so: whoever tried again would make it twice. */
export function afterCommit(result: GraphqlResult, context: ExecutionContext): GraphqlResult {
  if (context.hasCommitted === undefined || result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    const [field] = error.path ?? [];
    if (field === undefined || context.hasCommitted?.(String(field)) !== true) return error;
    const message = error.message.endsWith(STAYS) ? error.message : `${error.message}; ${STAYS}`;
    return { ...error, message, extensions: { ...error.extensions, committed: true } };
  });
  return { ...result, errors };
}
