import { type ModelNode, pathOf, within } from './model-tree.js';
import { isOrdered } from './model-types.js';
import type { Chance } from './step.js';

/** Names of every length that UTF-8 has: sorted by bytes they are in another order than by UTF-16. */
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'é', '～', '𝒳'];

/** Above so many nodes none are made, and more are deleted. */
export const NODES_MAX = 60;

export const labOf = ({ world, lab }: Chance): ModelNode => world.at(lab) ?? world.root;

/** A node of the lab. */
export const someNode = (chance: Chance): ModelNode => chance.random.pick([...within(labOf(chance))]);

/** A node of the lab that may have children, mostly. */
export function someParent(chance: Chance): ModelNode {
  const node = someNode(chance);
  const isFit = node.type === 'nt:unstructured' || node.type === 'nt:folder';
  return isFit || chance.random.chance(0.1) ? node : (node.parent ?? node);
}

/** A node of the lab below its first one. */
export function innerNode(chance: Chance): ModelNode {
  const inner = [...within(labOf(chance))].slice(1);
  return inner.length > 0 ? chance.random.pick(inner) : labOf(chance);
}

/** The path of a node, now and then one where nothing is, or none at all. */
export function somePath(chance: Chance, node = someNode(chance)): string {
  const { random } = chance;
  const path = pathOf(node);
  if (!random.chance(0.04)) return path;
  return random.pick([`${path}/missing`, `${path}[7]`, '/', '/jcr:system', `${path.slice(1)}`, `${path}//x`]);
}

/** The path of what may be moved or removed without taking the lab away. */
export const innerPath = (chance: Chance): string => {
  const path = somePath(chance, innerNode(chance));
  return path === chance.lab ? `${path}/missing` : path;
};

export function someName({ random }: Chance): string {
  if (random.chance(0.03)) return random.pick(['jcr:content', 'a/b', '', 'no:prefix']);
  return random.pick(NAMES);
}

/** Whether the text is a name (as far as the steps make any up). */
export const isName = (text: string): boolean => /^[^/[\]:|*]+$/.test(text) || text === 'jcr:content';

/** Whether the text is a path of the form that the steps make up. */
export const isPath = (text: string): boolean => text.startsWith('/') && !/\/\/|\]\[/.test(text);

/** A parent whose children have an order, where there is one. */
export function orderedParent(chance: Chance): ModelNode {
  const found = [...within(labOf(chance))].filter((node) => isOrdered(node) && node.children.length > 1);
  return found.length > 0 ? chance.random.pick(found) : someNode(chance);
}

/** Whether no more nodes are wanted. */
export const isFull = (chance: Chance): boolean => [...within(labOf(chance))].length > NODES_MAX;
