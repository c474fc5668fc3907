import type { ServerResponse } from 'node:http';
import type { Caller } from '../../shared/caller.js';
import type { Timers } from '../../shared/time.js';
import { annotateSpan } from '../../shared/trace.js';
import type { RunnableOperation } from '../execution/executor.js';
import type { Asked, GraphqlResult, OperationRunner } from '../execution/operation-runner.js';
import type { UnderWay } from '../execution/under-way.js';
import { textOfEvent } from '../http/answer.js';
import type { StreamLimits } from '../limits.js';
import { EventConnection } from './event-connection.js';
import { completeFrame, nextFrame } from './frame-log.js';
import { ownerOf, type StreamRegistry } from './stream-registry.js';
import { type DeliveryOptions, type ResultSink, SubscriptionRun } from './subscription-run.js';

/** Parts and limits of event streams, in either mode. */
export interface StreamOptions<W> extends DeliveryOptions<W> {
  readonly registry: StreamRegistry;
  readonly underWay: UnderWay;
  readonly limits: StreamLimits;
  readonly timers: Timers;
  /** The caller with the groups and roles of this moment. @throws UNAUTHORIZED when the user is disabled or gone */
  readonly callerNow: (caller: Caller) => Caller;
}

/** The operation of a connection in distinct connections mode, or the result that says why there is none. */
type DistinctWork = RunnableOperation | GraphqlResult;

/**
 * Distinct connections mode: the response carries the results of one operation and then ends. Each event's `id` is its position.
 * @throws TransportError 429
 */
export function serveDistinct<W>(
  response: ServerResponse,
  work: DistinctWork,
  asked: Asked<W>,
  options: StreamOptions<W>,
): void {
  const { runner, registry, limits, timers } = options;
  const abandoned = new AbortController();
  let run: SubscriptionRun<W> | undefined;
  const slot = {
    owner: ownerOf(asked.caller, asked.address),
    workspace: asked.caller.workspace,
    isIdle: false,
    look: () => connection.look(),
    drop: () => connection.end('session'),
  };
  registry.add(slot);
  annotateSpan({ 'app.sse.mode': 'distinct' }); // of the request: its span ends as soon as the stream is open
  const connection = new EventConnection(response, {
    limits,
    timers,
    stillValid: () => options.stillValid(asked.caller),
    expiresAt: asked.caller.proof?.expiresAt,
    heartbeatId: () => run?.position,
    onClose: () => {
      registry.remove(slot);
      abandoned.abort();
      run?.stop();
    },
  });
  const sink: ResultSink = {
    ready: () => connection.whenFree(),
    next: (result, position) => connection.send(nextFrame(result, position)),
    complete: () => {
      connection.send(completeFrame());
      connection.finish();
    },
    fail: () => connection.end('server'),
  };
  if (!('operation' in work)) {
    sink.next(JSON.stringify(work));
    sink.complete();
  } else if (work.operation.type === 'subscription') {
    run = new SubscriptionRun(options, work, asked, sink);
    void run.run();
  } else void options.underWay.during(slot.workspace, () => streamOperation(runner, work, asked, sink, abandoned));
}

/** Executes a query or mutation and hands on its result as an event. What has no room now is an error of the operation. Never rejects. */
export async function streamOperation<W>(
  runner: OperationRunner<W>,
  work: RunnableOperation,
  asked: Asked<W>,
  sink: Pick<ResultSink, 'ready' | 'next' | 'complete'>,
  control: AbortController,
): Promise<void> {
  const answer = runner.newAnswer(asked);
  try {
    const result = await runner.execute(work, asked, answer, control);
    const text = await textOfEvent(runner, work, result, answer, asked);
    sink.next(text);
  } catch (thrown) {
    sink.next(JSON.stringify({ errors: [runner.formatted(thrown, asked)] }));
  }
  sink.complete();
  await sink.ready?.();
  answer.giveBack();
}
