import { ServiceError } from '../../shared/errors.js';
import type { ContentNode } from '../tree/node.js';
import { breaksNodes, breaksType } from '../type/type-changes.js';
import type { TypeRegistry } from '../type/type-registry.js';

/** Node types before and after a registration. */
export interface ChangedTypes {
  readonly before: TypeRegistry;
  readonly after: TypeRegistry;
  /** The types that are gone or say something else now, those that inherit from one included. */
  readonly affected: ReadonlySet<string>;
}

/**
 * The type because of which a node of these types would not stay what it is: gone, or demanding more than before; null: there is none. What is
 * more than the sum of its parts, as two types that only together define an item in two ways, is found too.
 */
export function spoiledBy(
  { before, after, affected }: ChangedTypes,
  { type, mixins }: Pick<ContentNode, 'type' | 'mixins'>,
): string | null {
  const used = [type, ...mixins].filter((name) => affected.has(name));
  const [first] = used;
  if (first === undefined) return null;
  const lost = used.find(
    (name) => after.get(name) === undefined || breaksType(before.require(name), after.require(name)),
  );
  if (lost !== undefined) return lost;
  try {
    const effective = { before: before.effective(type, mixins), after: after.effective(type, mixins) };
    return breaksNodes({ ...effective, isA: (one, supertype) => after.isA(one, supertype) }) ? first : null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return first; // they do not fit together any longer
    throw thrown;
  }
}

/** `where`: the node's path, or words for a node that the caller may not read. */
export const typeInUse = ({ after }: ChangedTypes, name: string, where: string): ServiceError => {
  const change = after.get(name) === undefined ? 'is to go' : 'is to demand more than before';
  return new ServiceError('CONFLICT', `expected no node to be of type '${name}', which ${change}, but ${where} is`, {
    reason: 'node_type_in_use',
    resourceId: name,
  });
};
