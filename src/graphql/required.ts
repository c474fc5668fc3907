import { ServiceError } from '../shared/errors.js';

/** The thing, which somebody else may have ended between the change and this look. @throws NOT_FOUND */
export function required<T>(thing: T | null | undefined, what: string, id: string): T {
  if (thing !== null && thing !== undefined) return thing;
  throw new ServiceError('NOT_FOUND', `expected a ${what} with id '${id}', but it is gone by now`, {
    reason: `${what.replaceAll(' ', '_')}_not_found`,
    resourceId: id,
  });
}
