import { badRequest } from '../../../shared/errors.js';
import { mayAdminister } from '../../../shared/rights/roles.js';
import { complete } from '../../tree/add-node.js';
import type { Change } from '../../tree/change.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { requireTarget } from '../../tree/references.js';
import { HELD_BY_NODE } from '../../type/auto-created.js';
import { type EffectiveType, fitProperty } from '../../type/effective-type.js';
import { localNameOf, type NamespaceRegistry, prefixOf } from '../../value/names.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../../value/property.js';
import { checkValue, type ValueContext } from '../../value/value.js';
import type { LargeValue, XmlDocument, XmlNode, XmlProperty, XmlValue } from './xml-document.js';
import { atLine } from './xml-line.js';
import { decoded } from './xml-text.js';

/** What administrators may take over although the repository keeps it. */
const KEPT: ReadonlySet<string> = new Set(['jcr:created', 'jcr:createdBy']);
/** Who did something is told by administrators alone. */
const WHO: ReadonlySet<string> = new Set(['jcr:lastModifiedBy']);

/** A node of the XML, and what it has become. */
export interface Made {
  readonly xml: XmlNode;
  readonly id: string;
}

/** Where properties come from. */
interface Filling {
  readonly document: Pick<XmlDocument, 'view' | 'renamed'>;
  /** The identifiers that nodes have got, by those of the XML. */
  readonly idOf: ReadonlyMap<string, string>;
}

/** Gives a node that is in its place its properties, and what its types create by themselves. @throws ServiceError, with the line */
export function fillNode(change: Change, filling: Filling, { xml, id }: Made): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return; // a later one of the same identifier took its place
  const properties: Record<string, Property> = {};
  const exempt: string[] = [];
  for (const property of xml.properties) {
    const isProtected = protects(change, node, property);
    if (!isTaken(change, node, property, isProtected)) continue;
    if (isProtected) exempt.push(property.name);
    properties[property.name] = atLine(property.line, () => valueIn(change, filling, node, property));
  }
  change.exempt(id, exempt);
  atLine(xml.line, () => complete(change, change.put({ ...node, properties })));
}

/** Of whatever type it is; where another type is not protected, its value tells. */
function protects(change: Change, node: ContentNode, { name }: XmlProperty): boolean {
  const definitions = change.types.of(node).propertiesNamed(name);
  return definitions.length > 0 && definitions.every((definition) => definition.protected);
}

function isTaken(change: Change, node: ContentNode, { name }: XmlProperty, isProtected: boolean): boolean {
  if (HELD_BY_NODE.has(name)) return false;
  if (isProtected) return KEPT.has(name) && mayAdminister(change.caller);
  return !WHO.has(name) || !change.types.isA(node, 'mix:lastModified') || mayAdminister(change.caller);
}

function valueIn(change: Change, { document, idOf }: Filling, node: ContentNode, property: XmlProperty): Property {
  const context = new Valued(change, node, property.name);
  return referring(propertyOfXml(change.types.of(node), document, property, context), idOf);
}

/** Once all are in their places. @throws BAD_REQUEST the node is not as its types say, or refers to nothing, with the line */
export function requireSound(change: Change, { xml, id }: Made): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return;
  const lineOf = (item: string | null) => xml.properties.find(({ name }) => name === item)?.line ?? xml.line;
  const [problem] = change.types.problems(change, node, true);
  if (problem !== undefined) {
    const { item, rule, message } = problem;
    const details = { path: change.pathOf(node), item, rule };
    atLine(lineOf(item), () => {
      throw badRequest(message, { reason: rule, details });
    });
  }
  for (const [name, property] of Object.entries(node.properties)) {
    if (property.type !== 'Reference') continue;
    const holder = new Valued(change, node, name);
    atLine(lineOf(name), () => {
      for (const value of valuesOf(property)) requireTarget(change, String(value), holder);
    });
  }
}

/** The context of a property's values. */
class Valued {
  readonly namespaces: NamespaceRegistry;
  readonly #change: Change;
  readonly #node: ContentNode;
  readonly #name: string;

  constructor(change: Change, node: ContentNode, name: string) {
    this.namespaces = change.types.namespaces;
    this.#change = change;
    this.#node = node;
    this.#name = name;
  }

  /** Made for a refusal alone: a path takes its time. */
  get what(): string {
    return `property '${this.#name}' of '${this.#change.pathOf(this.#node)}'`;
  }
}

/**
 * A property of XML as the types of its node want it. Where XML tells no type or number of values, theirs hold: one value before a list, and text
 * where any type may be. @throws BAD_REQUEST a value is none of its type
 */
function propertyOfXml(
  effective: EffectiveType,
  document: Pick<XmlDocument, 'view' | 'renamed'>,
  property: XmlProperty,
  context: ValueContext,
): Property {
  const multiple = isList(effective, property);
  const type = property.type ?? typeOf(effective, property.name, multiple);
  const texts = document.view === 'SYSTEM' ? property.values : itemsOf(property.values, multiple);
  const values = texts.map((text) => storedValue(type, text, document, context));
  const [first] = values;
  if (multiple) return fitProperty(effective, property.name, { type, values }, context);
  if (first === undefined) throw badRequest(`expected ${context.what} to have a value`);
  return fitProperty(effective, property.name, { type, value: first }, context);
}

/** Whether it has a list of values. */
function isList(effective: EffectiveType, { name, multiple, values }: XmlProperty): boolean {
  if (multiple !== null) return multiple;
  if (values.length !== 1) return true;
  return effective.propertiesNamed(name).every((definition) => definition.multiple);
}

const typeOf = (effective: EffectiveType, name: string, multiple: boolean): PropertyType =>
  effective.propertiesNamed(name).find((definition) => definition.multiple === multiple)?.type ?? 'String';

/** The document view's values (JCR 2.0 §7.3.6). */
function itemsOf(values: readonly XmlValue[], multiple: boolean): readonly XmlValue[] {
  const [value] = values;
  if (typeof value !== 'string') return values;
  if (!multiple) return [decoded(value)];
  return value
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(decoded);
}

function storedValue(
  type: PropertyType,
  value: XmlValue,
  document: Pick<XmlDocument, 'view' | 'renamed'>,
  context: ValueContext,
): Value {
  if (typeof value !== 'string') return checkValue(type, largeOf(type, value), context);
  if (document.view === 'SYSTEM' || (type !== 'Name' && type !== 'Path')) return checkValue(type, value, context);
  const renamed = value
    .split('/')
    .map((step) => inRepository(step, document.renamed))
    .join('/');
  return checkValue(type, renamed, context);
}

const largeOf = (type: PropertyType, { text, bytes }: LargeValue) =>
  type === 'Binary' ? (bytes ?? 'no Base64') : text;

function inRepository(name: string, renamed: Readonly<Record<string, string>>): string {
  const prefix = renamed[prefixOf(name)];
  return prefix === undefined ? name : `${prefix}:${localNameOf(name)}`;
}

/** The property with identifiers of the import turned into those that its nodes have got. */
function referring(property: Property, idOf: ReadonlyMap<string, string>): Property {
  if (property.type !== 'Reference' && property.type !== 'WeakReference') return property;
  const mapped = (value: Value): Value => idOf.get(String(value)) ?? value;
  if (isMultiple(property)) return { ...property, values: property.values.map(mapped) };
  return { ...property, value: mapped(property.value) };
}
