import type { ModelNode, ModelProperty } from './model-tree.js';

/** A node type as far as the steps use it, told by hand from JCR 2.0 §3.7.10, §3.7.11 and the deviations that the documentation names. */
interface ModelType {
  readonly above?: readonly string[];
  readonly mixin?: true;
  readonly abstract?: true;
  /** Children have an order, and names may repeat. */
  readonly ordered?: true;
  /** Which children: `any`, files and folders, or just jcr:content. */
  readonly children?: 'any' | 'hierarchy' | 'content';
  /** Any property may be set. */
  readonly residual?: true;
  readonly properties?: Readonly<Record<string, ModelDefinition>>;
  readonly mandatoryChild?: string;
}

interface ModelDefinition {
  readonly type: string;
  readonly isProtected?: true;
  readonly mandatory?: true;
  readonly multiple?: true;
  /** What it is set to with the node. */
  readonly auto?: 'now' | 'user' | 'id';
}

const TYPES: Readonly<Record<string, ModelType>> = {
  'nt:base': {
    abstract: true,
    properties: {
      'jcr:primaryType': { type: 'Name', isProtected: true },
      'jcr:mixinTypes': { type: 'Name', isProtected: true, multiple: true },
    },
  },
  'nt:hierarchyNode': { abstract: true, above: ['nt:base', 'mix:created'] },
  'nt:folder': { above: ['nt:hierarchyNode'], children: 'hierarchy', residual: true },
  'nt:file': { above: ['nt:hierarchyNode'], children: 'content', mandatoryChild: 'jcr:content' },
  'nt:resource': {
    above: ['nt:base', 'mix:mimeType', 'mix:lastModified'],
    residual: true,
    properties: { 'jcr:data': { type: 'Binary', mandatory: true } },
  },
  'nt:unstructured': { above: ['nt:base'], children: 'any', ordered: true, residual: true },
  'mi:root': { above: ['nt:hierarchyNode'], children: 'any', residual: true },
  'mi:system': { above: ['nt:hierarchyNode'], children: 'any' },
  'mi:versionStorage': { above: ['nt:hierarchyNode'], children: 'any' },
  'mix:created': {
    mixin: true,
    properties: {
      'jcr:created': { type: 'Date', isProtected: true, auto: 'now' },
      'jcr:createdBy': { type: 'String', isProtected: true, auto: 'user' },
    },
  },
  'mix:lastModified': {
    mixin: true,
    properties: {
      'jcr:lastModified': { type: 'Date', auto: 'now' },
      'jcr:lastModifiedBy': { type: 'String', auto: 'user' },
    },
  },
  'mix:mimeType': {
    mixin: true,
    properties: { 'jcr:mimeType': { type: 'String' }, 'jcr:encoding': { type: 'String' } },
  },
  'mix:title': {
    mixin: true,
    properties: { 'jcr:title': { type: 'String' }, 'jcr:description': { type: 'String' } },
  },
  'mix:referenceable': {
    mixin: true,
    properties: { 'jcr:uuid': { type: 'String', isProtected: true, auto: 'id' } },
  },
  'mix:lockable': {
    mixin: true,
    properties: {
      'jcr:lockOwner': { type: 'String', isProtected: true },
      'jcr:lockIsDeep': { type: 'Boolean', isProtected: true },
    },
  },
  'mix:simpleVersionable': { mixin: true, properties: { 'jcr:isCheckedOut': { type: 'Boolean', isProtected: true } } },
  'mix:versionable': { mixin: true, above: ['mix:simpleVersionable', 'mix:referenceable'] },
  'mi:anyChildren': { mixin: true, children: 'any' },
  'mi:anyProperties': { mixin: true, residual: true },
};

export const typeNamed = (name: string): ModelType | undefined => TYPES[name];

export type Typed = Pick<ModelNode, 'type'> & { readonly mixins: readonly string[] };

/** The node's types with all above them. */
export function typesOf({ type, mixins }: Typed): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    found.add(name);
    for (const above of TYPES[name]?.above ?? []) add(above);
  };
  for (const name of [type, ...mixins]) add(name);
  return found;
}

export const isA = (node: Typed, type: string): boolean => typesOf(node).has(type);

const declared = (node: Typed): ModelType[] => [...typesOf(node)].flatMap((name) => TYPES[name] ?? []);

export const isOrdered = ({ type }: Typed): boolean => TYPES[type]?.ordered === true;

/** Whether names of children may repeat. */
export const mayRepeat = isOrdered;

export const mayHaveChild = (parent: Typed, name: string, child: Typed): boolean =>
  declared(parent).some(
    ({ children }) =>
      children === 'any' ||
      (children === 'hierarchy' && isA(child, 'nt:hierarchyNode')) ||
      (children === 'content' && name === 'jcr:content'),
  );

/** Whether a node can be made of these types at all. */
export const isConcrete = ({ type, mixins }: Typed): boolean =>
  TYPES[type] !== undefined &&
  TYPES[type]?.mixin === undefined &&
  TYPES[type]?.abstract === undefined &&
  mixins.every((mixin) => TYPES[mixin]?.mixin === true);

/** The definition that names the property. */
export const definitionOf = (node: Typed, property: string): ModelDefinition | undefined =>
  declared(node).flatMap(({ properties }) => properties?.[property] ?? [])[0];

export const isResidual = (node: Typed): boolean => declared(node).some(({ residual }) => residual === true);

/** Whether the types let the property be so. */
export function mayHaveProperty(
  node: Typed,
  name: string,
  { type, multiple }: { readonly type: string; readonly multiple: boolean },
): boolean {
  const definition = definitionOf(node, name);
  if (definition === undefined) return isResidual(node);
  return definition.type === type && (definition.multiple ?? false) === multiple;
}

/** The property as the types want it: where they name it with another type, its values are converted. */
export function fitted(node: Typed, name: string, property: ModelProperty): ModelProperty {
  const definition = definitionOf(node, name);
  if (definition === undefined || definition.type === property.type) return property;
  if ((definition.multiple ?? false) !== property.multiple) return property;
  return {
    ...property,
    type: definition.type,
    values: property.values.map((value) => converted(value, definition.type)),
  };
}

/** To the types that the named definitions have. */
function converted(value: unknown, type: string): unknown {
  const text = String(value);
  return type === 'Binary' ? { inline: Buffer.from(text).toString('base64'), size: Buffer.byteLength(text) } : text;
}

/** All named definitions of the node's types. */
export const definitionsOf = (node: Typed): [string, ModelDefinition][] =>
  declared(node).flatMap(({ properties }) => Object.entries(properties ?? {}));

export const mandatoryChildOf = (node: Typed): string | undefined =>
  declared(node).find(({ mandatoryChild }) => mandatoryChild !== undefined)?.mandatoryChild;

/** Whether the node has all that its types demand, and nothing that they do not allow. */
export const isSound = (node: ModelNode): boolean =>
  definitionsOf(node).every(([name, { mandatory }]) => mandatory !== true || node.properties.has(name)) &&
  [...node.properties].every(([name, property]) => mayHaveProperty(node, name, property)) &&
  node.children.every((child) => mayHaveChild(node, child.name, child)) &&
  (mandatoryChildOf(node) === undefined || node.children.some(({ name }) => name === mandatoryChildOf(node)));
