import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import type { Transaction } from '../component/transaction.js';
import { type WorkspaceClient, workspaceOf } from '../component/workspace-client.js';
import { NODE_FAILURES, workspaceFailure } from '../component/workspace-failure.js';
import {
  after,
  afterTurn,
  attempt,
  type Outcome,
  type Step,
  untilReply,
  untilSignal,
  whenThrough,
} from '../flow/outcome.js';
import { refused, textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** How often a block is run whose nodes others change meanwhile. */
const RUNS_MAX = 10;

/**
 * `transacted`: its changes through `cms:` are one commit at the end of the block, and what it sends through `bpm:` goes with that; where it fails, or is rolled back, nothing of it is done. Where a node that
 * it has read was changed by then, the block is run again with the message that it began with. A block within a block is part of it.
 */
export const transacted: Pattern = (step, route) => {
  const policy = textOption(route, step, 'ref') ?? 'PROPAGATION_REQUIRED';
  if (policy !== 'PROPAGATION_REQUIRED')
    throw refused(step, `ref: expected PROPAGATION_REQUIRED, which is what a block is here, got ${policy}`);
  const block = route.unguarded().block(step.steps);
  const workspace = workspaceOf(route.context, 'transacted');
  const blocks = new Blocks(workspace, block, step.id);
  return (exchange) => (exchange.transaction === undefined ? blocks.run(exchange, savedOf(exchange)) : block(exchange));
};

/** Runs of one block. */
class Blocks {
  readonly #workspace: WorkspaceClient;
  readonly #block: Step;
  readonly #stepId: string;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(workspace: WorkspaceClient, block: Step, stepId: string) {
    this.#workspace = workspace;
    this.#block = block;
    this.#stepId = stepId;
  }

  /** `isInTurn`: no other one of the step runs again meanwhile. */
  run(exchange: Exchange, saved: Saved, runs = 1, isInTurn = false): Outcome {
    const transaction = this.#workspace.begin(exchange, this.#stepId);
    exchange.transaction = transaction;
    const end = () => {
      transaction.isOver = true;
      exchange.transaction = undefined;
    };
    return attempt(
      () =>
        after(this.#block(exchange), () => {
          end();
          return exchange.rollback === undefined ? this.#commit(exchange, transaction) : undefined;
        }),
      (thrown) => {
        end();
        if (runs >= RUNS_MAX || !isConflict(thrown)) throw thrown;
        restore(exchange, saved);
        const next = () => this.run(exchange, saved, runs + 1, true);
        return isInTurn ? afterTurn(next) : this.#inTurn(next);
      },
    );
  }

  /** Those that conflicted run again one after the other: all at once they would conflict with each other again. */
  #inTurn(work: () => Outcome): Outcome {
    if (this.#isBusy)
      return untilSignal(
        'transacted',
        (wake) => void this.#waiting.push(wake),
        () => this.#inTurn(work),
      );
    this.#isBusy = true;
    return whenThrough(
      () => afterTurn(work),
      () => {
        this.#isBusy = false;
        for (const wake of this.#waiting.splice(0)) wake();
      },
    );
  }

  #commit(exchange: Exchange, transaction: Transaction): Outcome {
    if (transaction.isEmpty) return undefined;
    const failed = (thrown: unknown) => {
      throw workspaceFailure(thrown, NODE_FAILURES);
    };
    const committed = this.#workspace.commit(transaction, exchange, this.#stepId).catch(failed);
    return untilReply(`transacted ${this.#stepId}`, committed, () => undefined);
  }
}

/** Somebody else has changed what the block rests on. */
const isConflict = (thrown: unknown): boolean =>
  thrown instanceof ExchangeFailure && (thrown.cause as { readonly code?: unknown } | undefined)?.code === 'CONFLICT';

type Saved = Pick<Exchange, 'body' | 'headers' | 'properties' | 'variables'>;

const savedOf = ({ body, headers, properties, variables }: Exchange): Saved => ({
  body,
  headers: headers.copy(),
  properties: new Map(properties),
  variables: new Map(variables),
});

function restore(exchange: Exchange, { body, headers, properties, variables }: Saved): void {
  exchange.body = body;
  exchange.headers = headers.copy();
  exchange.isStopped = false;
  exchange.isExhausted = false;
  exchange.exception = undefined;
  for (const [now, before] of [
    [exchange.properties, properties],
    [exchange.variables, variables],
  ] as const) {
    now.clear();
    for (const [name, value] of before) now.set(name, value);
  }
}
