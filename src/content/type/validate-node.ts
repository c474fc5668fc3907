import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../value/property.js';
import type { EffectiveChild, EffectiveProperty, EffectiveType } from './effective-type.js';
import { type Effort, PATTERN_EFFORT } from './pattern.js';
import type { TypeRegistry } from './type-registry.js';
import { type Constraint, constraintOf, type TargetIsA } from './value-constraint.js';

/** The rule of node types that an item breaks. */
type NodeRule =
  | 'abstract_type'
  | 'repository_type'
  | 'mandatory_property'
  | 'mandatory_child'
  | 'undefined_property'
  | 'property_type'
  | 'property_multiplicity'
  | 'value_constraint'
  | 'protected_property'
  | 'protected_child'
  | 'child_type'
  | 'same_name_siblings';

export interface NodeProblem {
  /** The property or child; null: the node itself. */
  readonly item: string | null;
  readonly rule: NodeRule;
  readonly message: string;
}

/** A child that the write adds, or whose type it changes. */
export interface ChildFacts {
  readonly name: string;
  readonly type: string;
  readonly mixins?: readonly string[];
  /** Whether the node has another child of the name. */
  readonly sameNamed: boolean;
}

/** A node as it would be after a write, as far as types look at it. */
export interface NodeFacts {
  /** For messages. */
  readonly path: string;
  readonly type: string;
  readonly mixins: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
  /** What they were before the write: a removed one was what its type made it. Not given: none is known. */
  readonly before?: Readonly<Record<string, Property>>;
  /** The properties that the caller set or removed; not given: all. Only these count as touched where they are protected. */
  readonly changed?: readonly string[];
  /** The node is new or its types change: properties that did not change are checked too. Default: false. */
  readonly typesChanged?: boolean;
  /** Whether there is a child of the name after the write. Not given: mandatory children are not looked for. */
  readonly hasChild?: (name: string) => boolean;
  readonly added?: readonly ChildFacts[];
  readonly removed?: readonly Pick<ChildFacts, 'name' | 'type' | 'mixins'>[];
  /** The repository itself writes: protected items may change, and abstract types be used. Default: false. */
  readonly protectedAllowed?: boolean;
  /** For constraints of references. Not given: they are taken as satisfied. */
  readonly targetIsA?: TargetIsA;
}

/**
 * Problems of a node that is not as its types say (JCR 2.0 §3.7.2 to §3.7.4); empty: nothing. Protected items that are missing are the repository's
 * matter, no problem of the caller. @throws BAD_REQUEST (a type is unknown or of the wrong kind), CONFLICT (the types do not fit together)
 */
export function validateNode(registry: TypeRegistry, facts: NodeFacts): readonly NodeProblem[] {
  const problems: NodeProblem[] = [];
  const check = checkOf(registry, facts, problems);
  if (facts.protectedAllowed !== true && registry.require(facts.type).abstract) {
    const message = `expected '${facts.path}' to have a concrete type, but '${facts.type}' is abstract`;
    check.report(null, 'abstract_type', message);
  }
  checkMandatory(check);
  checkProperties(check);
  for (const child of facts.added ?? []) checkAdded(check, child);
  for (const child of facts.removed ?? []) checkRemoved(check, child);
  return problems;
}

/** Problems of adding a child to a node. @throws as {@link validateNode} */
export function addedProblems(registry: TypeRegistry, facts: NodeFacts, child: ChildFacts): readonly NodeProblem[] {
  const problems: NodeProblem[] = [];
  checkAdded(checkOf(registry, facts, problems), child);
  return problems;
}

/** The mixin of users, groups and roles, and of all that is above them: operations of identity alone make and change such nodes. */
export const IDENTITY = 'mi:identity';

/** Types whose nodes say what the repository itself keeps: whoever made one would say what is not so. */
const REPOSITORY_TYPES = [
  'nt:version',
  'nt:versionHistory',
  'nt:versionLabels',
  'nt:frozenNode',
  'nt:versionedChild',
  'nt:nodeType',
  'nt:propertyDefinition',
  'nt:childNodeDefinition',
  'mi:root',
  'mi:system',
  'mi:versionStorage',
  IDENTITY,
] as const;

/** Why nobody makes a node of the type but the repository itself; undefined: everybody may. */
export function repositoryType(effective: EffectiveType): string | undefined {
  const type = REPOSITORY_TYPES.find((one) => effective.isA(one));
  return type && `nodes of '${type}' are made by the repository alone`;
}

interface Check {
  readonly registry: TypeRegistry;
  readonly facts: NodeFacts;
  readonly effective: EffectiveType;
  readonly report: (item: string | null, rule: NodeRule, message: string) => void;
  readonly effort: Effort;
}

const checkOf = (registry: TypeRegistry, facts: NodeFacts, problems: NodeProblem[]): Check => ({
  registry,
  facts,
  effective: registry.effective(facts.type, facts.mixins),
  report: (item, rule, message) => problems.push({ item, rule, message }),
  effort: { left: PATTERN_EFFORT },
});

function checkMandatory({ facts, effective, report }: Check): void {
  for (const { name, declaredBy } of effective.mandatoryProperties) {
    if (Object.hasOwn(facts.properties, name)) continue;
    report(
      name,
      'mandatory_property',
      `expected '${facts.path}' to have property '${name}', which '${declaredBy}' demands`,
    );
  }
  if (facts.hasChild === undefined) return;
  for (const { name, declaredBy } of effective.mandatoryChildren) {
    if (facts.hasChild(name)) continue;
    report(
      name,
      'mandatory_child',
      `expected '${facts.path}' to have child node '${name}', which '${declaredBy}' demands`,
    );
  }
}

function checkProperties(check: Check): void {
  const { changed, typesChanged, properties } = check.facts;
  const all = Object.keys(properties);
  const touched = changed ?? all;
  for (const name of touched) checkProperty(check, name, true);
  if (typesChanged !== true) return;
  const done = new Set(touched);
  for (const name of all) if (!done.has(name)) checkProperty(check, name, false);
}

function checkProperty(check: Check, name: string, touched: boolean): void {
  const { facts, effective, report } = check;
  const property = Object.hasOwn(facts.properties, name) ? facts.properties[name] : undefined;
  if (property === undefined) return checkRemovedProperty(check, name);
  const definition = effective.propertyDefinition(name, property.type, isMultiple(property));
  if (definition === undefined) return reportUndefined(check, name, property);
  if (touched && definition.protected && facts.protectedAllowed !== true) {
    report(name, 'protected_property', protectedProperty(check, definition, name));
  }
  if (definition.valueConstraints.length > 0) checkConstraints(check, name, property, definition);
}

function checkRemovedProperty(check: Check, name: string): void {
  const { facts, effective, report } = check;
  const definition = effective.governing(name, facts.before?.[name]).find((named) => named.protected);
  if (definition === undefined || facts.protectedAllowed === true) return;
  report(name, 'protected_property', protectedProperty(check, definition, name));
}

const protectedProperty = ({ facts, effective }: Check, { declaredBy }: EffectiveProperty, name: string): string =>
  `${protectedMessage(facts.path, `property '${name}'`, declaredBy)}${writable(effective, name)}`;

/** What else may be written of the properties that JCR names, for who has named such a one. */
function writable({ properties }: EffectiveType, name: string): string {
  if (!name.startsWith('jcr:')) return '';
  const names = properties.filter((property) => property.name.startsWith('jcr:') && !property.protected);
  if (names.length === 0) return '';
  return ` (of jcr:… it may have ${[...new Set(names.map((property) => property.name))].sort().join(', ')})`;
}

const protectedMessage = (path: string, item: string, type: string) =>
  `expected ${item} of '${path}' to be left alone: '${type}' protects it, so only the repository changes it`;

/** Why no definition fits. */
function reportUndefined({ facts, effective, report }: Check, name: string, property: Property): void {
  const definitions = effective.propertiesNamed(name);
  const multiple = isMultiple(property);
  const ofNumber = definitions.filter((definition) => definition.multiple === multiple);
  if (definitions.length === 0) {
    const types = [facts.type, ...facts.mixins].join("', '");
    return report(
      name,
      'undefined_property',
      `expected a property that the types of '${facts.path}' define, but '${types}' know no '${name}'${writable(effective, name)}`,
    );
  }
  if (ofNumber.length === 0) {
    const [wanted, found] = multiple ? ['one value', 'a list'] : ['a list of values', 'one value'];
    return report(
      name,
      'property_multiplicity',
      `expected property '${name}' of '${facts.path}' to have ${wanted}, as '${declarers(definitions)}' says, but found ${found}`,
    );
  }
  const types = [...new Set(ofNumber.map(({ type }) => type))].join(' or ');
  return report(
    name,
    'property_type',
    `expected property '${name}' of '${facts.path}' to be ${types}, as '${declarers(ofNumber)}' says, but found ${property.type}`,
  );
}

const declarers = (definitions: readonly EffectiveProperty[]) =>
  [...new Set(definitions.map(({ declaredBy }) => declaredBy))].join("', '");

function checkConstraints(check: Check, name: string, property: Property, definition: EffectiveProperty): void {
  const { facts, report, effort } = check;
  const constraints = constraintsOf(definition, property.type);
  const context = { targetIsA: facts.targetIsA ?? (() => true), effort };
  const broken = valuesOf(property).find((value) => !constraints.some((holds) => holds(value, context)));
  if (broken === undefined) return;
  report(
    name,
    'value_constraint',
    `expected property '${name}' of '${facts.path}' to satisfy ${shownConstraints(definition)} of '${definition.declaredBy}', but found ${shownValue(broken)}`,
  );
}

const shownConstraints = ({ valueConstraints }: EffectiveProperty) =>
  `${valueConstraints.length > 1 ? 'one of ' : ''}${valueConstraints.map((text) => `'${text}'`).join(', ')}`;

const shownValue = (value: Value) =>
  typeof value === 'object' ? `${value.size} bytes` : `'${String(value).slice(0, 100)}'`;

const READY = new WeakMap<EffectiveProperty, Map<PropertyType, readonly Constraint[]>>();

/** Made ready once for each definition; what means nothing for the type never holds. */
function constraintsOf(definition: EffectiveProperty, type: PropertyType): readonly Constraint[] {
  const byType = READY.get(definition) ?? new Map<PropertyType, readonly Constraint[]>();
  const known = byType.get(type);
  if (known !== undefined) return known;
  const ready = definition.valueConstraints.flatMap((text) => constraintOf(type, text) ?? []);
  READY.set(definition, byType.set(type, ready));
  return ready;
}

function checkAdded(check: Check, child: ChildFacts): void {
  const { registry, facts, effective, report } = check;
  const childType = registry.effective(child.type, child.mixins);
  const definition = effective.childDefinition(child.name, childType);
  if (definition === undefined) return report(child.name, 'child_type', childTypeMessage(check, child));
  if (definition.protected && facts.protectedAllowed !== true) {
    report(
      child.name,
      'protected_child',
      protectedMessage(facts.path, `child node '${child.name}'`, definition.declaredBy),
    );
  }
  if (child.sameNamed && !definition.sameNameSiblings) {
    report(
      child.name,
      'same_name_siblings',
      `expected '${facts.path}' to have one child node '${child.name}', as '${definition.declaredBy}' says, but there is one already`,
    );
  }
}

function childTypeMessage({ facts, effective }: Check, child: ChildFacts): string {
  const definitions = effective.childrenNamed(child.name);
  if (definitions.length === 0) {
    return `expected a child node that '${facts.type}' allows below '${facts.path}', but it knows none of the name '${child.name}'`;
  }
  const wanted = definitions.map(requirement).join(', or ');
  return `expected child node '${child.name}' of '${facts.path}' to be ${wanted}, but found '${child.type}'`;
}

const requirement = ({ requiredTypes, declaredBy }: EffectiveChild) =>
  `'${requiredTypes.join("' and '")}' (by '${declaredBy}')`;

function checkRemoved(
  { registry, facts, effective, report }: Check,
  child: Pick<ChildFacts, 'name' | 'type' | 'mixins'>,
): void {
  if (facts.protectedAllowed === true) return;
  const definition = effective.childDefinition(child.name, registry.effective(child.type, child.mixins));
  if (definition?.protected !== true) return;
  report(
    child.name,
    'protected_child',
    protectedMessage(facts.path, `child node '${child.name}'`, definition.declaredBy),
  );
}
