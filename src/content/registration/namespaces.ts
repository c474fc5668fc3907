import { badRequest, ServiceError } from '../../shared/errors.js';
import { type Operation, operation } from '../../store/documents.js';
import { Change } from '../tree/change.js';
import { type ContentNode, ROOT_ID } from '../tree/node.js';
import { keepTypes, typeStamps } from '../tree/stored-types.js';
import { Types } from '../tree/types.js';
import { BUILT_IN_NAMESPACES } from '../value/names.js';
import { valuesOf } from '../value/property.js';

interface RegisterNamespaceInput {
  readonly prefix: string;
  readonly uri: string;
}

/**
 * Registers a namespace alone; one that is there already stays as it is. The answer: its prefix.
 * @throws FORBIDDEN; BAD_REQUEST prefix or URI are none; ALREADY_EXISTS either is taken; LIMIT_EXCEEDED
 */
export const registerNamespace: Operation<RegisterNamespaceInput, string> = operation(
  'registerNamespace',
  (state, { prefix, uri }: RegisterNamespaceInput, { caller, answers }) => {
    const change = new Change(state, caller, answers);
    requireTypeManagement(change);
    if (change.types.namespaces.uriOf(prefix) !== uri) registerNamespaces(change, { [prefix]: uri });
    return change.decision(prefix);
  },
);

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

/** Requires that the caller may register node types and namespaces. @throws FORBIDDEN */
export function requireTypeManagement(change: Change): void {
  const root = change.tree.get(ROOT_ID);
  if (root !== undefined) change.require(root, 'jcr:nodeTypeManagement');
}

/** The namespaces without the prefix, by prefix; built-in ones left out. @throws BAD_REQUEST unknown, built in; CONFLICT a node type needs it */
export function withoutNamespace({ registry, namespaces }: Types, prefix: string): Record<string, string> {
  if (namespaces.uriOf(prefix) === undefined)
    throw badRequest(`expected the prefix of a registered namespace, but there is no '${prefix}'`, {
      reason: 'unknown_namespace',
    });
  if (Object.hasOwn(BUILT_IN_NAMESPACES, prefix))
    throw badRequest(`expected a namespace of your own, but '${prefix}' is built in and stays`, {
      reason: 'built_in_namespace',
    });
  const needing = registry.all().find((type) => textsOf(prefix).some((text) => JSON.stringify(type).includes(text)));
  if (needing !== undefined) throw namespaceInUse(prefix, `node type '${needing.name}'`);
  return Object.fromEntries(
    namespaces.entries().filter(([it]) => it !== prefix && !Object.hasOwn(BUILT_IN_NAMESPACES, it)),
  );
}

/** How names of the prefix begin in the JSON of what has them: alone, or as a step of a path. */
export const textsOf = (prefix: string): readonly string[] => [`"${prefix}:`, `/${prefix}:`];

/** Whether the node, a property of it or a value of type Name or Path is called by the prefix. */
export function usesPrefix({ name, properties }: Pick<ContentNode, 'name' | 'properties'>, prefix: string): boolean {
  const isOfPrefix = (text: string) => text.startsWith(`${prefix}:`);
  return (
    isOfPrefix(name) ||
    Object.entries(properties).some(
      ([key, property]) =>
        isOfPrefix(key) ||
        ((property.type === 'Name' || property.type === 'Path') &&
          valuesOf(property).some((value) => String(value).split('/').some(isOfPrefix))),
    )
  );
}

/** The refusal to take a prefix away that is in use. `where`: what uses it, as a noun. */
export const namespaceInUse = (prefix: string, where: string): ServiceError =>
  new ServiceError('CONFLICT', `expected nothing to be named by the prefix '${prefix}', but ${where} is`, {
    reason: 'namespace_in_use',
    resourceId: prefix,
  });
