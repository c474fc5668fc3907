import type { NamespaceRegistry } from '../value/names.js';
import type { Property, Value } from '../value/property.js';
import { checkValue } from '../value/value.js';
import type { EffectiveProperty } from './effective-type.js';
import type { TypeRegistry } from './type-registry.js';

/** Context of properties that are computed. */
export interface CreationContext {
  readonly userId: string;
  /** A stored date: {@link dateOfInstant}. */
  readonly now: string;
  /** The node's identifier. */
  readonly id: string;
  readonly namespaces: NamespaceRegistry;
}

export interface AutoCreated {
  readonly properties: Readonly<Record<string, Property>>;
  readonly children: readonly { readonly name: string; readonly type: string }[];
}

/** Told by the node's own fields, never stored as properties. */
export const HELD_BY_NODE: ReadonlySet<string> = new Set(['jcr:primaryType', 'jcr:mixinTypes', 'jcr:isCheckedOut']);

/**
 * All that comes into being with a node of the types, or with a mixin added to it (JCR 2.0 §3.7.2.3): computed properties, defaults, and child
 * nodes of their default type. What the node has already is left out by the caller. What only the repository's other parts can tell
 * (`jcr:versionableUuid`, …) is not made. @throws BAD_REQUEST, CONFLICT
 */
export function autoCreated(
  registry: TypeRegistry,
  type: string,
  mixins: readonly string[],
  context: CreationContext,
): AutoCreated {
  const effective = registry.effective(type, mixins);
  const properties = new Map<string, Property>();
  for (const definition of effective.properties) {
    if (!definition.autoCreated || HELD_BY_NODE.has(definition.name)) continue;
    const property = computed(definition, context) ?? defaultOf(definition, context.namespaces);
    if (property !== null && !properties.has(definition.name)) properties.set(definition.name, property);
  }
  const children = effective.children.flatMap(({ name, autoCreated: created, defaultType }) =>
    created && defaultType !== null ? [{ name, type: defaultType }] : [],
  );
  return { properties: Object.fromEntries(properties), children };
}

function computed({ name }: EffectiveProperty, context: Computing): Property | null {
  const value = COMPUTED.get(name);
  return value ? { type: value.type, value: value.of(context) } : null;
}

type Computing = Omit<CreationContext, 'namespaces'>;

interface Computed {
  readonly type: 'Date' | 'String';
  readonly of: (context: Computing) => Value;
}

const now: Computed = { type: 'Date', of: (context) => context.now };
const user: Computed = { type: 'String', of: (context) => context.userId };

const COMPUTED: ReadonlyMap<string, Computed> = new Map<string, Computed>([
  ['jcr:created', now],
  ['jcr:createdBy', user],
  ['jcr:lastModified', now],
  ['jcr:lastModifiedBy', user],
  ['jcr:uuid', { type: 'String', of: ({ id }) => id }],
  ['jcr:etag', { type: 'String', of: (context) => `"${context.id}-${context.now}"` }],
]);

function defaultOf(definition: EffectiveProperty, namespaces: NamespaceRegistry): Property | null {
  const { name, multiple, defaultValues } = definition;
  const type = definition.type ?? 'String';
  const what = `the default of '${name}' by '${definition.declaredBy}'`;
  const values = defaultValues.map((text) =>
    checkValue(type, type === 'Binary' ? Buffer.from(text).toString('base64') : text, { namespaces, what }),
  );
  const [first] = values;
  if (first === undefined) return null;
  return multiple ? { type, values } : { type, value: first };
}
