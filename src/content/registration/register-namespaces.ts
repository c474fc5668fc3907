import { badRequest } from '../../shared/errors.js';
import type { Change } from '../tree/change.js';
import { ROOT_ID } from '../tree/node.js';
import { keepTypes, typeStamps } from '../tree/stored-types.js';
import { Types } from '../tree/types.js';

/**
 * Registers namespaces, for all that follows in the same commit too. @throws BAD_REQUEST the caller may not (jcr:nodeTypeManagement at the root),
 * ALREADY_EXISTS a prefix or URI is taken
 */
export function registerNamespaces(change: Change, added: Readonly<Record<string, string>>): void {
  if (Object.keys(added).length === 0) return;
  knowNamespaces(change, added);
  const known = change.draft.get(typeStamps, 'types')?.namespaces ?? {};
  const stamp = change.draft.ids.next();
  change.draft.put(typeStamps, { id: 'types', stamp, namespaces: { ...known, ...added } });
  keepTypes(stamp, change.types);
}

/** As {@link registerNamespaces}, without a write: for what is staged until it is published. @throws as that */
export function knowNamespaces(change: Change, added: Readonly<Record<string, string>>): void {
  const [first] = Object.entries(added);
  if (first === undefined) return;
  const root = change.tree.get(ROOT_ID);
  if (root === undefined || !change.access.has(root, 'jcr:nodeTypeManagement'))
    throw badRequest(
      `expected registered namespaces, but '${first[1]}' (prefix '${first[0]}') is not, and only administrators register them`,
      {
        reason: 'namespace_not_registered',
      },
    );
  let { namespaces } = change.types;
  for (const [prefix, uri] of Object.entries(added)) namespaces = namespaces.with(prefix, uri);
  change.types = new Types(change.types.registry, namespaces);
}
