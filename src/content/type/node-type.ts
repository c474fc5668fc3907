import type { PropertyType } from '../value/property.js';

/** Treatment of an item by a check-in (JCR 2.0 §3.13.9, §15.3.3). */
export const ON_PARENT_VERSION = ['COPY', 'VERSION', 'INITIALIZE', 'COMPUTE', 'IGNORE', 'ABORT'] as const;
export type OnParentVersion = (typeof ON_PARENT_VERSION)[number];

/** The comparisons that queries may make with a property (JCR 2.0 §3.7.3.3). */
export const QUERY_OPERATORS = ['=', '<>', '<', '<=', '>', '>=', 'LIKE'] as const;
export type QueryOperator = (typeof QUERY_OPERATORS)[number];

/** The name of a residual definition: every item that no other definition names (JCR 2.0 §3.7.2.1). */
export const RESIDUAL = '*';

export interface ItemDefinition {
  /** With its prefix, or {@link RESIDUAL}. */
  readonly name: string;
  readonly autoCreated: boolean;
  readonly mandatory: boolean;
  readonly protected: boolean;
  readonly onParentVersion: OnParentVersion;
}

export interface PropertyDefinition extends ItemDefinition {
  /** Null: any type (UNDEFINED). */
  readonly type: PropertyType | null;
  readonly multiple: boolean;
  /** In the type's text form; for what is created by itself. */
  readonly defaultValues: readonly string[];
  /** A value must satisfy one of them (JCR 2.0 §3.7.3.6); none: every value does. */
  readonly valueConstraints: readonly string[];
  readonly queryOperators: readonly QueryOperator[];
  readonly fullTextSearchable: boolean;
  readonly queryOrderable: boolean;
}

export interface ChildDefinition extends ItemDefinition {
  /** A child must be of each of them. */
  readonly requiredTypes: readonly string[];
  /** The type of a child added without one; null: a type must be given. */
  readonly defaultType: string | null;
  readonly sameNameSiblings: boolean;
}

/** A node type as declared (JCR 2.0 §3.7), in plain JSON; names are qualified. */
export interface NodeType {
  readonly name: string;
  /** As declared; a primary type without one follows nt:base all the same. */
  readonly supertypes: readonly string[];
  readonly abstract: boolean;
  readonly mixin: boolean;
  /** Children keep an order that clients may change. */
  readonly orderable: boolean;
  readonly queryable: boolean;
  readonly primaryItem: string | null;
  readonly properties: readonly PropertyDefinition[];
  readonly children: readonly ChildDefinition[];
}

/** A definition with CND's defaults (JCR 2.0 §25.2.3) for what is not given. */
export const propertyDefinition = (
  given: Partial<PropertyDefinition> & { readonly name: string },
): PropertyDefinition => ({
  type: 'String',
  autoCreated: false,
  mandatory: false,
  protected: false,
  onParentVersion: 'COPY',
  multiple: false,
  defaultValues: [],
  valueConstraints: [],
  queryOperators: QUERY_OPERATORS,
  fullTextSearchable: true,
  queryOrderable: true,
  ...given,
});

/** A definition of child nodes, with CND's defaults for what is not given. */
export const childDefinition = (given: Partial<ChildDefinition> & { readonly name: string }): ChildDefinition => ({
  requiredTypes: ['nt:base'],
  defaultType: null,
  autoCreated: false,
  mandatory: false,
  protected: false,
  onParentVersion: 'COPY',
  sameNameSiblings: false,
  ...given,
});

/** A node type, with CND's defaults for what is not given. */
export const nodeType = (given: Partial<NodeType> & { readonly name: string }): NodeType => ({
  supertypes: [],
  abstract: false,
  mixin: false,
  orderable: false,
  queryable: true,
  primaryItem: null,
  properties: [],
  children: [],
  ...given,
});

/** The types that a reference may lead to; none: any. */
export const targetTypesOf = ({ type, valueConstraints }: PropertyDefinition): readonly string[] =>
  type === 'Reference' || type === 'WeakReference' ? valueConstraints : [];
