import { badRequest } from '../../shared/errors.js';
import { binaryOfText } from '../value/binary-value.js';
import { builtInNamespaces } from '../value/names.js';
import type { PropertyType, Value } from '../value/property.js';
import { checkValue } from '../value/value.js';
import type { EffectiveProperty, EffectiveType } from './effective-type.js';
import type { ChildDefinition, NodeType, PropertyDefinition } from './node-type.js';
import { RESIDUAL, targetTypesOf } from './node-type.js';
import { PATTERN_EFFORT, patternOf } from './pattern.js';
import { constraintOf } from './value-constraint.js';

/** The registry that would hold the types, as far as the checks ask it. */
interface CheckedRegistry {
  get(name: string): NodeType | undefined;
  lineage(name: string): readonly string[];
  isA(name: string, supertype: string): boolean;
  effectiveOf(name: string): EffectiveType;
}

/** Whether the types may be registered (JCR 2.0 §3.7.6, §19.2). @throws BAD_REQUEST, CONFLICT */
export function checkTypes(registry: CheckedRegistry, types: readonly NodeType[]): void {
  for (const type of types) checkSupertypes(registry, type);
  checkAcyclic(registry, types);
  for (const type of types) {
    for (const property of type.properties) checkProperty(registry, type, property);
    checkPatterns(type);
    for (const child of type.children) checkChild(registry, type, child);
  }
  const created = new Map<string, readonly string[]>();
  for (const type of types) {
    const effective = registry.effectiveOf(type.name);
    created.set(type.name, createdBy(effective));
    checkPrimaryItem(type, effective);
    checkDefaultsSatisfy(type, effective.properties);
    for (const child of effective.children) checkDefaultType(registry, type, child);
  }
  checkAutoCreation(types, (name) => created.get(name) ?? createdBy(registry.effectiveOf(name)));
}

function checkSupertypes(registry: CheckedRegistry, type: NodeType): void {
  for (const name of type.supertypes) {
    const supertype = registry.get(name);
    if (supertype === undefined)
      throw badType(type.name, `to inherit from registered types, but there is no '${name}'`);
    if (type.mixin && !supertype.mixin) {
      throw badType(type.name, `to inherit from mixins, being one, but '${name}' is a primary type`);
    }
  }
}

function checkAcyclic(registry: CheckedRegistry, types: readonly NodeType[]): void {
  const supertypes = (name: string) => registry.get(name)?.supertypes ?? [];
  const found = cycle(types, supertypes);
  if (found !== null) throw badType(found.type, `not to inherit from itself, but found ${found.way}`);
}

/** The first way that leads back to where it has been; null: there is none. */
function cycle(types: readonly NodeType[], next: (name: string) => readonly string[]) {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path, name];
    if (done.has(name)) return null;
    for (const other of next(name)) {
      const found = visit(other, [...path, name]);
      if (found !== null) return found;
    }
    done.add(name);
    return null;
  };
  for (const type of types) {
    const found = visit(type.name, []);
    if (found !== null) return { type: type.name, way: found.join(' > ') };
  }
  return null;
}

function checkProperty(registry: CheckedRegistry, type: NodeType, property: PropertyDefinition): void {
  const { name, autoCreated, mandatory, multiple, defaultValues } = property;
  if (name === RESIDUAL && autoCreated) throw badType(type.name, 'to create by itself only properties with a name');
  if (name === RESIDUAL && mandatory) throw badType(type.name, 'to demand only properties with a name');
  if (!multiple && defaultValues.length > 1) {
    throw badType(
      type.name,
      `to give property '${name}' one default value, having one value, but found ${defaultValues.length}`,
    );
  }
  checkDefaults(type, property);
  checkConstraints(type, property);
  const missing = targetTypesOf(property).find((target) => registry.get(target) === undefined);
  if (missing !== undefined)
    throw badType(type.name, `to constrain property '${name}' to registered types, but there is no '${missing}'`);
  if (autoCreated && defaultValues.length === 0 && !property.protected && !isComputed(name)) {
    throw badType(type.name, `to give the autocreated property '${name}' a default value`);
  }
}

/** Names and paths are read with their namespaces before. */
function checkDefaults(type: NodeType, { name, type: valueType, defaultValues }: PropertyDefinition): void {
  if (valueType === null || valueType === 'Name' || valueType === 'Path' || valueType === 'Binary') return;
  const what = `the default of property '${name}' of node type '${type.name}'`;
  const isReference = valueType === 'Reference' || valueType === 'WeakReference';
  for (const text of defaultValues) {
    if (isReference && !UUID.test(text)) throw badRequest(`expected ${what} to be a UUID, but found '${text}'`);
    checkValue(valueType, text, { namespaces: builtInNamespaces, what });
  }
}

/** Whether there is such a node is asked when one of the type is made. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Asked of what the type declares, with what it takes over from the definitions that it redefines: they may leave it a default. What a reference
 * leads to is not known yet.
 */
function checkDefaultsSatisfy(type: NodeType, properties: readonly EffectiveProperty[]): void {
  const context = { targetIsA: () => true, effort: { left: PATTERN_EFFORT } };
  for (const { name, type: anyType, declaredBy, defaultValues, valueConstraints } of properties) {
    if (declaredBy !== type.name || valueConstraints.length === 0) continue;
    const valueType = anyType ?? 'String';
    const constraints = valueConstraints.flatMap((text) => constraintOf(valueType, text) ?? []);
    const broken = defaultValues.find(
      (text) => !constraints.some((holds) => holds(defaultValue(valueType, text), context)),
    );
    if (broken === undefined) continue;
    const wanted = valueConstraints.map((text) => `'${text}'`).join(' or ');
    throw badType(type.name, `to have the default '${broken}' of property '${name}' satisfy ${wanted}`);
  }
}

/** Of a default that has been checked. */
function defaultValue(type: PropertyType, text: string): Value {
  if (type === 'Name' || type === 'Path') return text;
  if (type === 'Binary') return binaryOfText(text);
  return checkValue(type, text, { namespaces: builtInNamespaces, what: 'a default' });
}

/** Constraints of a property of any type are read by the value's type when there is one. */
function checkConstraints(type: NodeType, { name, type: valueType, valueConstraints }: PropertyDefinition): void {
  if (valueType === null) return;
  const bad = valueConstraints.find((text) => constraintOf(valueType, text) === null);
  if (bad !== undefined) {
    const how = valueType === 'String' || valueType === 'URI' ? PATTERNS : "in JCR's notation";
    throw badType(type.name, `to constrain the ${valueType} property '${name}' ${how}, but found '${bad}'`);
  }
}

/** Other patterns could not be matched in a time that the text's length bounds. */
const PATTERNS = 'by a pattern without back references and look-around that is not too large';

/** How large the patterns of one type may be together, in their states: they are made ready when a node is first asked. */
const PATTERNS_SIZE_MAX = 20_000;

function checkPatterns(type: NodeType): void {
  const texts = type.properties
    .filter((property) => property.type === 'String' || property.type === 'URI' || property.type === null)
    .flatMap(({ valueConstraints }) => valueConstraints);
  let size = 0;
  for (const text of texts) {
    size += patternOf(text)?.size ?? 0;
    if (size > PATTERNS_SIZE_MAX)
      throw badType(type.name, `to have patterns of at most ${PATTERNS_SIZE_MAX} steps together, but they have more`);
  }
}

/** Properties that are computed when they are created: see `auto-created.ts`. */
const isComputed = (name: string) => name.startsWith('jcr:');

function checkChild(registry: CheckedRegistry, type: NodeType, child: ChildDefinition): void {
  const { name, autoCreated, mandatory, defaultType, requiredTypes } = child;
  if (name === RESIDUAL && autoCreated) throw badType(type.name, 'to create by itself only child nodes with a name');
  if (name === RESIDUAL && mandatory) throw badType(type.name, 'to demand only child nodes with a name');
  if (autoCreated && defaultType === null)
    throw badType(type.name, `to give the autocreated child node '${name}' a default type`);
  for (const required of requiredTypes) {
    if (registry.get(required) === undefined) {
      throw badType(type.name, `to require registered types of child node '${name}', but there is no '${required}'`);
    }
  }
}

/** Inherited definitions count too: a redefinition may demand more of a default that stays. */
function checkDefaultType(registry: CheckedRegistry, type: NodeType, child: ChildDefinition): void {
  const name = child.defaultType;
  if (name === null) return;
  const defaultType = registry.get(name);
  const what = `the default type of child node '${child.name}'`;
  if (defaultType === undefined) throw badType(type.name, `to have ${what} registered, but there is no '${name}'`);
  if (defaultType.mixin) throw badType(type.name, `to have a primary type as ${what}, but '${name}' is a mixin`);
  if (child.autoCreated && defaultType.abstract)
    throw badType(type.name, `to have ${what} concrete, but '${name}' is abstract`);
  const missing = child.requiredTypes.find((required) => !registry.isA(name, required));
  if (missing !== undefined) throw badType(type.name, `to have ${what} satisfy '${missing}', but '${name}' is none`);
}

/** The primary item needs a definition by name, or a residual one. */
function checkPrimaryItem(type: NodeType, effective: EffectiveType): void {
  const name = type.primaryItem;
  if (name === null || effective.propertiesNamed(name).length + effective.childrenNamed(name).length > 0) return;
  throw badType(type.name, `to define its primary item '${name}'`);
}

/** The types of the children that a node of the type is created with. */
const createdBy = ({ children }: EffectiveType): readonly string[] =>
  children.flatMap(({ autoCreated, defaultType }) => (autoCreated && defaultType !== null ? [defaultType] : []));

/** Creating a node must end: no autocreated child leads back to the type. */
function checkAutoCreation(types: readonly NodeType[], created: (name: string) => readonly string[]): void {
  const found = cycle(
    types.filter((type) => !type.mixin),
    created,
  );
  if (found !== null) throw badType(found.type, `not to create itself without end, but found ${found.way}`);
}

/** A type that can't be registered; the sentence goes on behind its name. */
const badType = (name: string, sentence: string) =>
  badRequest(`expected node type '${name}' ${sentence}`, { reason: 'invalid_node_type', resourceId: name });
