import { limitExceeded } from '../../shared/errors.js';
import type { EffectiveChild, EffectiveType } from '../type/effective-type.js';
import { RESIDUAL } from '../type/node-type.js';
import type { ChildFacts } from '../type/validate-node.js';
import type { Change } from './change.js';
import { type ContentNode, nodes } from './node.js';

/** Children that are looked at when the types of their parent change. */
const CHILDREN_MAX = 400;

/**
 * The children of a node whose types change, as far as its new types may not allow what the old ones did: a definition is gone, or a named one
 * has come. @throws LIMIT_EXCEEDED there are too many to be looked at
 */
export function retypedChildren(
  change: Change,
  node: ContentNode,
  before: EffectiveType,
  after: EffectiveType,
): readonly ChildFacts[] {
  const had = new Set(before.children.map(told));
  const has = new Set(after.children.map(told));
  const isGone = before.children.some((one) => !has.has(told(one)));
  const isNarrowed = after.children.some((one) => one.name !== RESIDUAL && !had.has(told(one)));
  if (!isGone && !isNarrowed) return [];
  const children = change.draft.find(nodes, 'name', [node.id], { limit: CHILDREN_MAX + 1 });
  if (children.length > CHILDREN_MAX)
    throw limitExceeded(
      `expected at most ${CHILDREN_MAX} children in ${change.nameOf(node)}, as its new types may not allow them, but it has more`,
    );
  return children.map(({ name, type, mixins }, i) => ({
    name,
    type,
    mixins,
    sameNamed: children[i - 1]?.name === name || children[i + 1]?.name === name,
  }));
}

const told = (child: EffectiveChild): string => JSON.stringify(child);
