import { ServiceError } from '../../shared/errors.js';
import { isMultiple, type Property } from '../value/property.js';
import type { EffectiveType } from './effective-type.js';
import type { OnParentVersion } from './node-type.js';

/**
 * The way in which a version keeps a child node: the whole subtree as it is, a reference to the child's own version history, a child as newly
 * created, or nothing.
 */
type ChildFreezing = 'copy' | 'history' | 'initial' | 'none';

/** A node that is checked in. */
interface FrozenFacts {
  /** For messages. */
  readonly path: string;
  readonly effective: EffectiveType;
  readonly properties: Readonly<Record<string, Property>>;
  /** What {@link autoCreated} would make: for INITIALIZE. */
  readonly initial: Readonly<Record<string, Property>>;
}

/** The properties that a version keeps (JCR 2.0 §3.13.9.1 to .6). @throws CONFLICT (there is one of ABORT) */
export function frozenProperties({ path, effective, properties, initial }: FrozenFacts): Record<string, Property> {
  const keep = (name: string, property: Property): Property | undefined => {
    const action = propertyAction(effective, name, property);
    if (action === 'ABORT') throw aborted(path, `property '${name}'`);
    if (action === 'INITIALIZE') return Object.hasOwn(initial, name) ? initial[name] : undefined;
    return action === 'IGNORE' ? undefined : property;
  };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const kept = keep(name, property);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** The way in which a version keeps the child. A versionable child under VERSION has a history of its own. @throws CONFLICT (ABORT) */
export function childFreezing(path: string, parent: EffectiveType, name: string, child: EffectiveType): ChildFreezing {
  const action = childAction(parent, name, child);
  if (action === 'ABORT') throw aborted(path, `child node '${name}'`);
  if (action === 'VERSION') return child.isA('mix:versionable') ? 'history' : 'copy';
  return CHILD_FREEZING[action];
}

/** The on-parent-version action of the property; COPY where no definition fits, so that nothing is lost. */
export const propertyAction = (effective: EffectiveType, name: string, property: Property): OnParentVersion =>
  effective.propertyDefinition(name, property.type, isMultiple(property))?.onParentVersion ?? 'COPY';

/** As {@link propertyAction}, of a child. */
export const childAction = (parent: EffectiveType, name: string, child: EffectiveType): OnParentVersion =>
  parent.childDefinition(name, child)?.onParentVersion ?? 'COPY';

const CHILD_FREEZING = {
  COPY: 'copy',
  COMPUTE: 'copy',
  INITIALIZE: 'initial',
  IGNORE: 'none',
} as const;

const aborted = (path: string, item: string) =>
  new ServiceError(
    'CONFLICT',
    `expected no item that forbids checking in '${path}', but its ${item} has the on-parent-version ABORT`,
    { reason: 'on_parent_version_abort' },
  );
