import { Asked, type Exchange } from '../../expression/routes.js';
import type { Flow } from '../flow/flow.js';
import { after, afterTurn, evaluated, type Outcome } from '../flow/outcome.js';
import {
  asStopped,
  type Branches,
  finish,
  type GatherOptions,
  isEnding,
  type Made,
  sent,
  shareFailure,
} from './branches.js';
import { Gathering } from './side-by-side.js';

/** Sends the branches, and gives the exchange what the strategy makes of their results. */
export function gather(exchange: Exchange, branches: Branches, options: GatherOptions, flow: Flow): Outcome {
  if (options.isParallel || options.timeout > 0) return new Gathering(exchange, branches, options, flow).outcome();
  return oneByOne(new InTurn(exchange, branches, options, flow));
}

/** Branches that follow one another, as far as they are through. */
class InTurn implements Made {
  readonly exchange: Exchange;
  readonly branches: Branches;
  readonly options: GatherOptions;
  readonly flow: Flow;
  result: Exchange | undefined;
  done = 0;
  failed = 0;

  constructor(exchange: Exchange, branches: Branches, options: GatherOptions, flow: Flow) {
    this.exchange = exchange;
    this.branches = branches;
    this.options = options;
    this.flow = flow;
  }
}

function oneByOne(run: InTurn): Outcome {
  const { branches } = run;
  for (;;) {
    const asked = branches.ready?.();
    if (asked !== undefined) return evaluated(asked, () => oneByOne(run));
    const branch = branches.next();
    if (branch === undefined) return finish(run);
    const outcome = sent(branch, branches.step, run.options);
    if (outcome !== undefined) return after(outcome, () => goOn(run, add(run, branch)));
    const added = add(run, branch);
    if (added !== undefined) return goOn(run, added);
    if (run.done % 16 === 0 && run.flow.isLate()) return afterTurn(() => oneByOne(run));
  }
}

const goOn = (run: InTurn, added: Outcome | typeof END): Outcome =>
  added === END ? finish(run) : after(added, () => oneByOne(run));

const END = 'end';

/** The result of a branch. `END`: no further one is sent. */
function add(run: InTurn, branch: Exchange): Outcome | typeof END {
  const { options } = run;
  const index = run.done++;
  if (isEnding(branch, options) || isTooMany(run, branch)) {
    run.result = asStopped(branch, index);
    return END;
  }
  const made = options.strategy.aggregate(run.result, branch, run.exchange);
  if (made instanceof Asked)
    return evaluated(made, (it) => {
      keep(run, branch, it as Exchange | undefined);
      return undefined;
    });
  keep(run, branch, made);
  return undefined;
}

/** Failures that are not too many are put up with. */
function isTooMany(run: InTurn, branch: Exchange): boolean {
  const { isTooMany: judge } = run.options;
  if (judge === undefined || branch.exception === undefined) return false;
  run.failed++;
  if (judge(run.failed, run.done)) return true;
  branch.exception = undefined;
  return false;
}

function keep(run: InTurn, branch: Exchange, made: Exchange | undefined): void {
  run.result = made;
  if (run.options.isUnitShared && made !== undefined) shareFailure(made, branch);
}
