import type { NodeType, PropertyDefinition } from './node-type.js';
import { neededType } from './type-errors.js';

/** @throws CONFLICT one that stays names one that is to go */
export function requireUnneeded(gone: ReadonlySet<string>, staying: readonly NodeType[]): void {
  for (const type of staying) {
    const need = needsOf(type).find(({ name }) => gone.has(name));
    if (need !== undefined) throw neededType(need.name, type.name, need.how);
  }
}

/** A type that another one names. */
interface Need {
  readonly name: string;
  /** Behind the name of the other one. */
  readonly how: string;
}

const needsOf = ({ supertypes, properties, children }: NodeType): readonly Need[] => [
  ...supertypes.map((name) => ({ name, how: 'inherits from it' })),
  ...children.flatMap((child) => [
    ...child.requiredTypes.map((name) => ({ name, how: `requires it of child node '${child.name}'` })),
    ...(child.defaultType === null
      ? []
      : [{ name: child.defaultType, how: `has it as the default type of child node '${child.name}'` }]),
  ]),
  ...properties.flatMap((property) =>
    targetTypesOf(property).map((name) => ({ name, how: `constrains property '${property.name}' to it` })),
  ),
];

/** The types that a reference may lead to; none: any. */
export const targetTypesOf = ({ type, valueConstraints }: PropertyDefinition): readonly string[] =>
  type === 'Reference' || type === 'WeakReference' ? valueConstraints : [];
