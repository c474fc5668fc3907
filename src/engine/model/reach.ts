import type { Element, Flow } from './program.js';

/** Whether `element` is in a set of {@link reachSet}. */
export function canReach(set: string, element: number): boolean {
  const digit = set.charCodeAt(element >> 2);
  // Past the end of the text: not a number, so no bit is set.
  const nibble = digit > 57 ? digit - 87 : digit - 48;
  return ((nibble >> (element & 3)) & 1) === 1;
}

/** A set of elements as text: digit k (hex, small letters) holds elements 4k to 4k + 3, the lowest bit first; ends at the last element in it. */
export function reachSet(elements: Iterable<number>): string {
  const nibbles: number[] = [];
  for (const element of elements) {
    const at = element >> 2;
    nibbles[at] = (nibbles[at] ?? 0) | (1 << (element & 3));
  }
  return Array.from(nibbles, (nibble = 0) => nibble.toString(16)).join('');
}

/** How many hex digits the sets of one program may have together: 4,000 incoming flows of inclusive joins among 1,000 elements. */
const DIGITS_MAX = 1_000_000;

/**
 * The elements with the sets of their inclusive joins (see {@link Element.reachedFrom}). Null: the sets would be too large, which takes
 * thousands of joins.
 */
export function withReach(elements: readonly Element[], flows: readonly Flow[]): readonly Element[] | null {
  const joins = elements.filter(isJoin);
  const digits = joins.reduce((sum, join) => sum + (join.incoming.length * elements.length) / 4, 0);
  if (digits > DIGITS_MAX) return null;
  if (joins.length === 0) return elements;
  const children = childrenOf(elements);
  return elements.map((element, gateway) => {
    if (!isJoin(element)) return element;
    const reachedFrom = element.incoming.map((flow) =>
      reachSet(withinAll(backwards(flow, gateway, elements, flows), children)),
    );
    return { ...element, reachedFrom };
  });
}

const isJoin = ({ type, incoming, activationCondition }: Element): boolean =>
  (type === 'inclusiveGateway' && incoming.length > 1) || activationCondition !== undefined;

/** The elements of the gateway's scope from which a token can come to `flow`, against the flows, never through the gateway. */
function backwards(flow: number, gateway: number, elements: readonly Element[], flows: readonly Flow[]): Set<number> {
  const found = new Set<number>();
  const add = (index: number | null | undefined): void => {
    if (index != null && index !== gateway) found.add(index);
  };
  add(flows[flow]?.source);
  // A set yields what is added while it is walked.
  for (const index of found) {
    const element = elements[index];
    add(element?.attachedTo);
    for (const incoming of element?.incoming ?? []) add(flows[incoming]?.source);
  }
  return found;
}

/** A token inside of a sub-process comes wherever one in the sub-process comes. */
function withinAll(found: Set<number>, children: readonly (readonly number[])[]): Set<number> {
  for (const index of found) for (const child of children[index] ?? []) found.add(child);
  return found;
}

function childrenOf(elements: readonly Element[]): readonly (readonly number[])[] {
  const children: number[][] = elements.map(() => []);
  elements.forEach(({ parent }, index) => {
    children[parent]?.push(index);
  });
  return children;
}
