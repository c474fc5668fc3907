import { type At, at } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Token } from './instance-state.js';
import type { Place, Way } from './prepared.js';
import type { Run } from './run.js';
import { holds } from './source.js';

const NONE: readonly Way[] = [];

/** The flows by which the token leaves. @throws EXECUTION_FAILED where there are some, but none is open */
export function waysOf(run: Run, token: Token, place: Place): readonly Way[] {
  const { ways, defaultWay } = place;
  const [first] = ways;
  if (first === undefined) return NONE;
  if (place.element.type === 'parallelGateway') return ways;
  if (ways.length === 1 && first.flow.condition === null) return ways;
  const where = at(run, token, place);
  const { type } = place.element;
  const chosen = type === 'exclusiveGateway' ? firstOf(run, where) : allOf(run, where);
  if (chosen.length > 0) return chosen;
  if (defaultWay !== null) return [defaultWay];
  if (run.isFormer && type !== 'exclusiveGateway' && type !== 'inclusiveGateway') return NONE;
  throw stuck(place);
}

/** BPMN 2.0 §13.4.2: the first flow, in document order, that has no condition, or one that holds; those behind it are not looked at. */
function firstOf(run: Run, where: At): readonly Way[] {
  for (const way of where.place.ways) {
    if (way !== where.place.defaultWay && isOpen(run, where, way)) return [way];
  }
  return NONE;
}

/** BPMN 2.0 §13.4.3 and §13.3.1: every flow that has no condition, or one that holds. */
const allOf = (run: Run, where: At): readonly Way[] =>
  where.place.ways.filter((way) => way !== where.place.defaultWay && isOpen(run, where, way));

const isOpen = (run: Run, where: At, { flow }: Way) => flow.condition === null || holds(run, where, flow.condition);

const stuck = (place: Place) =>
  executionFailed(place, {
    expected: 'an outgoing flow to take',
    cause: 'no condition holds and there is no default flow',
  });
