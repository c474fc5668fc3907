import { ServiceError } from '../../shared/errors.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import type { NodeProblem } from '../type/validate-node.js';
import { isQualifiedName, qualifiedName } from '../value/name.js';
import type { Property } from '../value/property.js';
import { type GivenProperty, propertyOf } from './given-property.js';

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
    const isExempt = isExemptOf(change, holder, input);
    if (isExempt) change.requireUnlocked(holder);
    else change.requireChangeable(holder);
    const { changed, errors } = applied(change, holder, input);
    if (errors.length > 0) change.discard();
    else change.put(isExempt ? changed : change.types.touched(change, changed));
    return { nodeId: node.id, errors };
  },
);

/** Whether the node is checked in, but no version keeps any of the properties, so that they may change (JCR 2.0 §15.2.2). */
const isExemptOf = (change: Change, holder: ContentNode, { properties }: SetPropertiesInput): boolean =>
  change.checkedInOver(holder) !== undefined && properties.every((given) => isIgnored(change, holder, given));

function isIgnored(change: Change, holder: ContentNode, { name }: GivenProperty): boolean {
  // Whatever is no name is told of where the node may be changed.
  const isKnown = isQualifiedName(name, change.types.namespaces);
  const definitions = isKnown ? change.types.of(holder).propertiesNamed(name) : [];
  return definitions.length > 0 && definitions.every((one) => one.onParentVersion === 'IGNORE' && !one.protected);
}

/** The node with the properties, and all that is wrong with them. */
function applied(change: Change, holder: ContentNode, input: SetPropertiesInput) {
  const errors: PropertyProblem[] = [];
  const properties: Record<string, Property> = { ...holder.properties };
  for (const given of input.properties) {
    const problem = apply(change, holder, properties, given);
    if (problem !== null) errors.push({ propertyName: given.name, message: problem });
  }
  const changed = { ...holder, properties };
  for (const { item, message } of errors.length > 0 ? [] : problemsOf(change, changed))
    errors.push({ propertyName: item ?? '', message });
  return { changed, errors };
}

/** What later operations of the same commit may add is missed at its end. */
function problemsOf(change: Change, changed: ContentNode): readonly NodeProblem[] {
  const problems = change.types.problems(change, changed);
  return change.isPart ? problems.filter(({ rule }) => !rule.startsWith('mandatory_')) : problems;
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
    const place = { path: change.pathOf(holder), effective: change.types.of(holder) };
    const present = properties[name];
    const property = propertyOf(change, { ...given, name }, { ...place, ...(present && { present }) });
    if (property === null) delete properties[name];
    else properties[name] = property;
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.message;
    throw thrown;
  }
}
