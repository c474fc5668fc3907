import { badRequest } from '../../shared/errors.js';
import { begunLongJob, type LongJobRef, type LongJobType, type Operation, operation } from '../../store/index.js';
import { badArgument } from '../errors.js';
import { BatchRun } from './batch-run.js';
import { BATCH_PAGE, type BatchType } from './batch-type.js';

/** A kind of batch as a long job. Its parameters are those of {@link BatchType}; its items the ids. */
export const batchJobType = <P extends object>(batch: BatchType<P>): LongJobType => ({
  type: batch.type,
  needsItems: false,
  resume: 'restart',
  throttle: { items: BATCH_PAGE, ms: 2_000 },
  abortable: batch.abortable ?? true,
  prepare: (state, { parameters, caller }) => ({
    parameters: batch.prepare?.(state, parameters as P, caller) ?? parameters,
  }),
  run: (context) => new BatchRun(batch, context).run(),
});

/** A batch that has begun, with the long job that does it. */
export interface BatchBegun {
  /** The id of its long job, by which it is followed. */
  readonly id: string;
  readonly jobType: string;
  readonly status: LongJobRef['status'];
  /** Whether it can be ended before it is through. */
  readonly abortable: boolean;
}

/** What a batch is asked to do: with those of these ids, and with those that its parameters find. */
interface BatchRequest<P> {
  readonly ids: readonly string[];
  readonly parameters: P;
}

/** How many ids one request may name. */
const IDS_MAX = 10_000;

/** An operation that begins a batch. Each of the named is meant once. @throws BAD_REQUEST (too many ids), what its type refuses */
export const batchOperation = <I, P extends object>(
  name: string,
  batch: BatchType<P>,
  requested: (input: I) => BatchRequest<P>,
): Operation<I, BatchBegun> => {
  const type = batchJobType(batch);
  return operation(name, (state, input: I, context) => {
    const { ids, parameters } = requested(input);
    const items = [...new Set(ids)];
    if (items.length > IDS_MAX) throw badRequest(`expected at most ${IDS_MAX} ids at once, but found ${items.length}`);
    const { answer, ...decision } = begunLongJob(state, type, { parameters, items }, context);
    const { jobId: id, status } = answer;
    return { ...decision, answer: { id, jobType: type.type, status, abortable: type.abortable !== false } };
  });
};

/** The request's choice of things: their ids, or a filter. */
interface Meant<F> {
  /** The name of the argument that has the ids. */
  readonly argument: string;
  readonly ids: readonly string[] | null | undefined;
  readonly filter: F | null | undefined;
}

/** Those that a request names, and those that its filter finds. @throws BAD_REQUEST: it says neither */
export function meant<F, P extends object>(
  { argument, ids, filter = null }: Meant<F>,
  parameters: P,
): BatchRequest<P & { readonly filter: F | null }> {
  const named = ids ?? [];
  if (named.length === 0 && filter === null) throw badArgument(argument, 'at least one id, or a filter', ids ?? null);
  return { ids: named, parameters: { ...parameters, filter } };
}
