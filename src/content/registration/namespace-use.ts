import { badRequest, ServiceError } from '../../shared/errors.js';
import type { ContentNode } from '../tree/node.js';
import type { Types } from '../tree/types.js';
import { BUILT_IN_NAMESPACES } from '../value/namespaces.js';
import { valuesOf } from '../value/property.js';

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

/** `where`: what uses it. */
export const namespaceInUse = (prefix: string, where: string): ServiceError =>
  new ServiceError('CONFLICT', `expected nothing to be named by the prefix '${prefix}', but ${where} is`, {
    reason: 'namespace_in_use',
    resourceId: prefix,
  });
