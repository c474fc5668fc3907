import { type Exchange, settled } from '../../expression/routes.js';
import { isCaught } from '../error/failures.js';
import { after, evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { ElementModel, OptionValue, StepModel } from '../model/route-model.js';
import { taken, takeResult } from './branch.js';
import { DefinedBean } from './defined-bean.js';
import { booleanOption, namesOption, numberOption, refused, requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { textOf } from './value.js';

/** One of its steps for each exchange: in turn, by chance, by weight, the same for the same key, another one where one fails; or all of them (topic). */
export const loadBalance: Pattern = (step, route) => {
  const kinds = Object.keys(BALANCERS).filter((kind) => step.options[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw refused(step, `expected one of ${Object.keys(BALANCERS).join(', ')}`);
  if (step.steps.length === 0) throw refused(step, 'expected steps to balance between');
  return (BALANCERS[kind] as Balancer)(step, route, elementOf(step, kind));
};

type Balancer = (step: StepModel, route: RouteCompiler, element: ElementModel) => Step;

/** The balancer as an element: its expressions are those of the step behind its name. */
function elementOf(step: StepModel, kind: string): ElementModel {
  const written: OptionValue = step.options[kind] ?? null;
  const isMap = typeof written === 'object' && written !== null && !Array.isArray(written);
  const own = Object.entries(step.expressions).filter(([name]) => name.startsWith(`${kind}.`));
  return {
    kind,
    at: step.at,
    options: isMap ? (written as ElementModel['options']) : {},
    expressions: Object.fromEntries(own.map(([name, expression]) => [name.slice(kind.length + 1), expression])),
  };
}

const stepsOf = (step: StepModel, route: RouteCompiler) => step.steps.map((it) => route.block([it]));

const roundRobin: Balancer = (step, route) => {
  const steps = stepsOf(step, route);
  const next = turns(steps.length);
  return (exchange) => steps[next()]?.(exchange);
};

/** 0, 1, … and again from 0. */
function turns(count: number): () => number {
  let last = -1;
  return () => {
    last = (last + 1) % count;
    return last;
  };
}

const random: Balancer = (step, route) => {
  const steps = stepsOf(step, route);
  return (exchange) => steps[Math.floor(exchange.context.random() * steps.length)]?.(exchange);
};

/** How many keys are remembered. */
const MOST_KEYS = 10_000;

/** The same step for the same key: in turn for keys that are new. */
const sticky: Balancer = (step, route, element) => {
  const steps = stepsOf(step, route);
  const expression = route.expression(element, 'correlationExpression');
  const chosen = new Map<string, number>();
  const next = turns(steps.length);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const key = textOf(value) ?? '';
      const at = chosen.get(key) ?? next();
      const [oldest] = chosen.size >= MOST_KEYS ? chosen.keys() : [];
      if (oldest !== undefined) chosen.delete(oldest);
      chosen.set(key, at);
      return steps[at]?.(exchange);
    });
};

/** A copy to each. The exchange goes on as it was, unless one fails. */
const topic: Balancer = (step, route) => {
  const steps = stepsOf(step, route);
  const from = (exchange: Exchange, first: number): Outcome => {
    const [current] = steps.slice(first, first + 1);
    if (current === undefined) return undefined;
    const copy = exchange.copy();
    return after(taken(copy, current), () =>
      copy.exception === undefined ? from(exchange, first + 1) : takeResult(exchange, copy),
    );
  };
  return (exchange) => from(exchange, 0);
};

/** As often as the ratio says: in turn, or by chance. */
const weighted: Balancer = (step, route, element) => {
  const steps = stepsOf(step, route);
  const delimiter = textOption(route, element, 'distributionRatioDelimiter') ?? ',';
  const ratio = requiredText(route, element, 'distributionRatio')
    .split(delimiter)
    .map((it) => Number(it.trim()));
  if (
    ratio.length !== steps.length ||
    !ratio.every((it) => Number.isInteger(it) && it >= 0) ||
    !ratio.some((it) => it > 0)
  )
    throw refused(step, `expected distributionRatio to be ${steps.length} whole numbers, one for each step`);
  const isInTurn = booleanOption(route, element, 'roundRobin', false);
  let left = [...ratio];
  let last = -1;
  const choose = ({ context }: Exchange) => {
    if (left.every((it) => it === 0)) {
      left = [...ratio];
      last = -1;
    }
    last = isInTurn ? nextWithRest(left, last) : byChance(left, context.random());
    left[last] = (left[last] ?? 1) - 1;
    return last;
  };
  return (exchange) => steps[choose(exchange)]?.(exchange);
};

function nextWithRest(left: readonly number[], last: number): number {
  let at = (last + 1) % left.length;
  while (left[at] === 0) at = (at + 1) % left.length;
  return at;
}

function byChance(left: readonly number[], chance: number): number {
  const sum = left.reduce((one, other) => one + other, 0);
  let rest = Math.floor(chance * sum);
  return left.findIndex((it) => {
    rest -= it;
    return rest < 0;
  });
}

/** The next step with a copy where one fails (with one of the exceptions that are named). */
const failover: Balancer = (step, route, element) => {
  const steps = stepsOf(step, route);
  const exceptions = namesOption(route, element, 'exception');
  const isInTurn = booleanOption(route, element, 'roundRobin', false);
  const isSticky = booleanOption(route, element, 'sticky', false);
  const most = numberOption(route, element, 'maximumFailoverAttempts') ?? -1;
  const isFailedOver = ({ exception }: Exchange) =>
    exception !== undefined && (exceptions.length === 0 || isCaught(exception, exceptions));
  const next = turns(steps.length);
  let lastGood = 0;
  const begin = () => (isSticky ? lastGood : isInTurn ? next() : 0);
  const sent = (exchange: Exchange, at: number, attempts: number): Outcome => {
    const copy = exchange.copy();
    const goOn = (): Outcome => {
      const following = isInTurn ? (at + 1) % steps.length : at + 1;
      const isOver = following >= steps.length || (most > -1 && attempts >= most);
      if (isFailedOver(copy) && !isOver) return sent(exchange, following, attempts + 1);
      if (!isFailedOver(copy)) lastGood = at;
      return takeResult(exchange, copy);
    };
    return after(taken(copy, steps[at] as Step), goOn);
  };
  return (exchange) => sent(exchange, begin(), 0);
};

/** A balancer that is a bean: one of Camel's, or a function of the exchange and the number of steps that gives which, from 0. */
const custom: Balancer = (step, route, element) => {
  const name = requiredText(route, element, 'ref');
  const bean = route.context.bean(name);
  if (bean instanceof DefinedBean && bean.of === 'loadBalancer') {
    const options = bean.options as ElementModel['options'];
    return (BALANCERS[bean.kind] as Balancer)(step, route, { ...element, kind: bean.kind, options });
  }
  if (typeof bean !== 'function') throw refused(step, `customLoadBalancer: there is no bean ${name} that is one`);
  const steps = stepsOf(step, route);
  return (exchange) =>
    evaluated(settled(bean(exchange, steps.length)), (at) => {
      const chosen = steps[Number(at)];
      if (chosen !== undefined) return chosen(exchange);
      throw refused(step, `expected ${name} to give a number from 0 to ${steps.length - 1}, got ${String(at)}`);
    });
};

const BALANCERS: Readonly<Record<string, Balancer>> = {
  roundRobinLoadBalancer: roundRobin,
  randomLoadBalancer: random,
  stickyLoadBalancer: sticky,
  topicLoadBalancer: topic,
  weightedLoadBalancer: weighted,
  failoverLoadBalancer: failover,
  customLoadBalancer: custom,
};
