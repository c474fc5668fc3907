import type { Caller } from '../../../../src/shared/caller.js';
import { mayRead } from '../model-rights.js';
import { type ModelProperty, pathOf, type World } from '../model-tree.js';
import { definitionOf, fitted, isA, mayHaveProperty, type Typed } from '../model-types.js';
import { someNode } from '../places.js';
import { type Chance, NOWHERE, type ReferenceTo, targetOf } from '../step.js';

/** A property as a step gives it; a value null: it is taken away. */
export interface Given {
  readonly name: string;
  readonly value: {
    readonly type: string;
    readonly multiple: boolean;
    readonly values: readonly (string | number | ReferenceTo)[];
  } | null;
}

const NAMES = ['p1', 'p2', 'jcr:title', 'link', 'weak'];
const ODD_NAMES = [
  'jcr:uuid',
  'jcr:createdBy',
  'jcr:lockOwner',
  'jcr:primaryType',
  'jcr:mimeType',
  'jcr:data',
  'no:prefix',
];

/** A few properties, each of another name. */
export const givenProperties = (chance: Chance): Given[] => {
  const { random } = chance;
  const names = random.chance(0.08) ? [random.pick(ODD_NAMES)] : random.some(NAMES);
  return names.map((name) => givenProperty(chance, name));
};

function givenProperty(chance: Chance, name: string): Given {
  const { random } = chance;
  if (random.chance(0.15)) return { name, value: null };
  const type = name === 'link' ? 'Reference' : name === 'weak' ? 'WeakReference' : someType(chance);
  const multiple = random.chance(0.2);
  const count = multiple ? random.below(3) : 1;
  return { name, value: { type, multiple, values: Array.from({ length: count }, () => someValue(chance, type)) } };
}

const someType = ({ random }: Chance): string => (random.chance(0.8) ? 'String' : 'Long');

function someValue(chance: Chance, type: string): string | number | ReferenceTo {
  const { random, world } = chance;
  if (type === 'Long') return random.below(5);
  if (type === 'String') return random.pick(['x', 'y', '']);
  if (random.chance(0.05)) return { $to: '/nowhere' };
  const targets = world.all().filter((node) => isA(node, 'mix:referenceable'));
  const isFit = targets.length > 0 && random.chance(0.85);
  return { $to: pathOf(isFit ? random.pick(targets) : someNode(chance)) };
}

/** The properties after what is given was set, and the names of those that could not be. */
export function settled(
  world: World,
  typed: Typed,
  before: ReadonlyMap<string, ModelProperty>,
  given: readonly Given[],
  caller: Caller,
): { readonly properties: Map<string, ModelProperty>; readonly errors: readonly string[] } {
  const properties = new Map(before);
  const wrong: string[] = [];
  for (const { name, value } of given) {
    const property = value === null ? null : propertyOf(world, value);
    if (name === 'no:prefix' || !areTargetsFit(world, value, caller)) wrong.push(name);
    else if (property === null) properties.delete(name);
    else properties.set(name, fitted(typed, name, property));
  }
  if (wrong.length > 0) return { properties, errors: wrong };
  const changed = given.map(({ name }) => name).filter((name) => !isSame(before.get(name), properties.get(name)));
  return { properties, errors: changed.filter((name) => !maySet(typed, name, properties.get(name))) };
}

function maySet(typed: Typed, name: string, property: ModelProperty | undefined): boolean {
  const definition = definitionOf(typed, name);
  if (definition?.isProtected === true) return false;
  if (property === undefined) return definition?.mandatory !== true;
  return mayHaveProperty(typed, name, property);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const propertyOf = (world: World, { type, multiple, values }: NonNullable<Given['value']>): ModelProperty => ({
  type,
  multiple,
  values: values.map((one) => (typeof one === 'object' ? { $id: targetOf(world, one)?.key ?? NOWHERE } : one)),
});

/** A REFERENCE leads to a referenceable node that the caller may read. */
const areTargetsFit = (world: World, value: Given['value'], caller: Caller): boolean =>
  value?.type !== 'Reference' ||
  value.values.every((one) => {
    const target = typeof one === 'object' ? targetOf(world, one) : undefined;
    return target !== undefined && mayRead(target, caller) && isA(target, 'mix:referenceable');
  });
