import type { Item, OperatorToken, SimpleNode } from './node.js';
import { SyntaxProblem } from './syntax-error.js';

type Family = OperatorToken['family'];

const NAMES: Readonly<Record<Family, string>> = {
  unary: 'Unary operator',
  binary: 'Binary operator',
  ternary: 'Ternary operator',
  elvis: 'Other operator',
  chain: 'Chain operator',
  logical: 'Logical operator',
};

/** Joins values and the operators of one family between them, from left to right; the operators of other families stay. */
function joined(items: readonly Item[], family: Family, join: Join): Item[] {
  const done: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (item === undefined) break;
    if (item.kind !== 'operator' || item.family !== family) {
      done.push(item);
      continue;
    }
    const left = operand(done.pop(), item, 'left');
    const take = () => operand(items[++at], item, 'right');
    done.push(join(item, left, take, () => items[++at]));
  }
  return done;
}

type Join = (
  operator: OperatorToken,
  left: SimpleNode,
  take: () => SimpleNode,
  next: () => Item | undefined,
) => SimpleNode;

function operand(item: Item | undefined, operator: OperatorToken, side: string): SimpleNode {
  if (item !== undefined && item.kind !== 'operator') return item;
  throw new SyntaxProblem(operator.at, `${NAMES[operator.family]} ${operator.sign} has no ${side} hand side token`);
}

const unary: Join = ({ at, sign }, operandNode) => ({ kind: 'unary', at, sign, operand: operandNode });
const binary: Join = ({ at, sign }, left, take) => ({ kind: 'binary', at, sign, left, right: take() });
const elvis: Join = ({ at }, left, take) => ({ kind: 'elvis', at, left, right: take() });

const chain: Join = ({ at, sign }, left, take) => {
  const links = left.kind === 'chain' ? left.links : [left];
  const isNullSafe = left.kind === 'chain' ? left.isNullSafe : sign === '?~>';
  return { kind: 'chain', at, isNullSafe, links: [...links, take()] };
};

const ternary: Join = (operator, condition, take, next) => {
  const { at, sign } = operator;
  if (sign === ':') throw new SyntaxProblem(at, 'Ternary operator : has no ? before it');
  const yes = take();
  const colon = next();
  if (colon?.kind !== 'operator' || colon.sign !== ':')
    throw new SyntaxProblem(at, 'Ternary operator ? must be followed by :');
  return { kind: 'ternary', at, condition, yes, no: take() };
};

const logical: Join = ({ at, sign }, left, take) => {
  const right = take();
  for (const [node, side] of [
    [left, 'left'],
    [right, 'right'],
  ] as const) {
    if (node.kind === 'binary' || node.kind === 'logical') continue;
    throw new SyntaxProblem(
      at,
      `Logical operator ${sign} does not support ${side} hand side token: expected a comparison`,
    );
  }
  return { kind: 'logical', at, sign, left, right };
};

/** Nodes of a template, beside its texts. */
export const joinTemplate = (items: readonly Item[]): readonly SimpleNode[] =>
  nodesOf(joined(joined(joined(items, 'unary', unary), 'chain', chain), 'elvis', elvis));

/** Nodes of a predicate: there is no precedence but that of the families, in this order. */
export function joinPredicate(items: readonly Item[]): readonly SimpleNode[] {
  let all = joined(joined(items, 'unary', unary), 'chain', chain);
  all = joined(joined(all, 'binary', binary), 'ternary', ternary);
  return nodesOf(joined(joined(all, 'elvis', elvis), 'logical', logical));
}

const nodesOf = (items: readonly Item[]): readonly SimpleNode[] =>
  items.filter((item): item is SimpleNode => item.kind !== 'operator');
