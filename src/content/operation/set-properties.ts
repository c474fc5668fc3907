import { ServiceError } from '../../shared/errors.js';
import { qualifiedName } from '../model/name.js';
import type { ContentNode } from '../model/node.js';
import type { Property } from '../model/property.js';
import type { Change } from '../rule/change.js';
import { contentOperation, type ExpectedVersion } from '../rule/content-operation.js';
import { fitProperty } from '../rule/fit-property.js';
import { type GivenProperty, propertyOf } from '../rule/set-property.js';
import type { NodeProblem } from '../rule/validate-node.js';

export interface SetPropertiesInput extends ExpectedVersion {
  readonly path: string;
  readonly properties: readonly GivenProperty[];
}

/** What is wrong with a property. */
export interface PropertyProblem {
  readonly propertyName: string;
  readonly message: string;
}

export interface SetPropertiesAnswer {
  readonly nodeId: string;
  /** With any, nothing was changed. */
  readonly errors: readonly PropertyProblem[];
}

export const setProperties = contentOperation(
  'setProperties',
  (change, input: SetPropertiesInput): SetPropertiesAnswer => {
    const node = change.at(input.path);
    change.requireVersion(node, input.expectedVersion);
    const holder = change.contentOf(node);
    change.require(holder, 'jcr:modifyProperties');
    change.requireChangeable(holder);
    const errors: PropertyProblem[] = [];
    const properties: Record<string, Property> = { ...holder.properties };
    for (const given of input.properties) {
      const problem = apply(change, holder, properties, given);
      if (problem !== null) errors.push({ propertyName: given.name, message: problem });
    }
    const changed = { ...holder, properties };
    for (const { item, message } of errors.length > 0 ? [] : problemsOf(change, changed))
      errors.push({ propertyName: item ?? '', message });
    if (errors.length > 0) change.discard();
    else change.put(change.types.touched(change, changed));
    return { nodeId: node.id, errors };
  },
);

/** What later operations of the same commit may add is missed at its end. */
function problemsOf(change: Change, changed: ContentNode): readonly NodeProblem[] {
  const problems = change.types.problems(change, changed);
  return change.isPart ? problems.filter(({ rule }) => !rule.startsWith('mandatory_')) : problems;
}

/** As the types of the node define it. @throws BAD_REQUEST a value cannot be converted */
function fitted(change: Change, holder: ContentNode, name: string, property: Property): Property {
  const what = `property '${name}' of '${change.pathOf(holder)}'`;
  return fitProperty(change.types.of(holder), name, property, { namespaces: change.types.namespaces, what });
}

/** Sets or deletes one property; null, or what is wrong. */
function apply(
  change: Change,
  holder: ContentNode,
  properties: Record<string, Property>,
  given: GivenProperty,
): string | null {
  try {
    const name = qualifiedName(given.name, change.types.namespaces, 'property');
    const property = propertyOf(change, { ...given, name }, change.pathOf(holder), properties[name]);
    if (property === null) delete properties[name];
    else properties[name] = fitted(change, holder, name, property);
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.message;
    throw thrown;
  }
}
