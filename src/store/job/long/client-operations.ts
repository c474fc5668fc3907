import type { Caller } from '../../../shared/caller.js';
import { badRequest, limitExceeded, refuse } from '../../../shared/errors.js';
import { mayManageOf } from '../../../shared/rights/roles.js';
import { start } from '../../actor.js';
import { type CommandContext, type Decision, type Operation, operation } from '../../decision.js';
import type { State } from '../../state.js';
import { type MovedLongJob, mayMove, moved, opened, type SettledLongJob, settled } from './change.js';
import { longJobEmpty, longJobForeign, longJobId, longJobNotIn, longJobTypeUnknown, longJobUnknown } from './errors.js';
import { changedFigures, noFigures } from './figures.js';
import { acceptedItems, withItems } from './items.js';
import { type LongJob, type LongJobStatus, longJobs } from './long-job.js';
import type { LongJobPrepared, LongJobStart, LongJobType } from './long-job-type.js';
import { longJobMachine } from './machine.js';

/** Of parameters as JSON text, in characters. */
const PARAMETERS_LENGTH_MAX = 65_536;
/** How many ids of one millisecond are tried. */
const ID_TRIES = 100;

/** Answer of the API on a job that was made, filled, started or aborted. */
export interface LongJobRef {
  readonly jobId: string;
  readonly status: LongJobStatus;
  /** Of an append: how many items it took. */
  readonly itemsAccepted: number | null;
  /** Of a start: how many there are, where the job works on items. */
  readonly itemsTotal: number | null;
}

interface InitLongJob {
  readonly type: string;
  /** Default 0; higher ones run first. */
  readonly priority?: number | null;
}

/** Names a job that the caller takes for one of this type. */
interface LongJobOfType {
  readonly jobId: string;
  readonly type: string;
}

interface AppendLongJobItems extends LongJobOfType {
  readonly items: readonly string[];
}

interface StartLongJob extends LongJobOfType {
  readonly parameters?: unknown;
}

/** Operations of a job's owner, or of an administrator. */
export interface LongJobClientOperations {
  /** A new job in `init`. @throws BAD_REQUEST (the type) */
  readonly initLongJob: Operation<InitLongJob, LongJobRef>;
  /** Adds items, blank ones left out. @throws BAD_REQUEST (the id, more than 100), UNAVAILABLE (not init), FORBIDDEN, LIMIT_EXCEEDED */
  readonly appendLongJobItems: Operation<AppendLongJobItems, LongJobRef>;
  /** Puts the job into the queue. @throws BAD_REQUEST (the id), UNAVAILABLE (not init; no items), FORBIDDEN, and what its type refuses */
  readonly startLongJob: Operation<StartLongJob, LongJobRef>;
  /** Asks for the job's end; one that has ended stays as it is. @throws BAD_REQUEST (the id), FORBIDDEN */
  readonly abortLongJob: Operation<LongJobOfType, LongJobRef>;
}

export function longJobClientOperations(types: ReadonlyMap<string, LongJobType>): LongJobClientOperations {
  const typeOf = (type: string) => types.get(type) ?? refuse(longJobTypeUnknown(type));
  return {
    initLongJob: operation('initLongJob', (state, input: InitLongJob, { caller }) => {
      const job = newJob(state, { ...input, type: typeOf(input.type).type }, caller);
      return answered(opened(job, state.now), {});
    }),
    appendLongJobItems: operation('appendLongJobItems', (state, input: AppendLongJobItems, { caller }) =>
      append(state, input, { type: typeOf(input.type), caller }),
    ),
    startLongJob: operation('startLongJob', (state, input: StartLongJob, context) =>
      startJob(state, input, { type: typeOf(input.type), context }),
    ),
    abortLongJob: operation('abortLongJob', (state, input: LongJobOfType, { caller }) => {
      const job = ownJob(state, input, caller);
      const isLate = job.actor.value === 'running' && typeOf(input.type).abortable === false;
      if (isLate || !mayMove(job, { type: 'abort' })) return { answer: refOf(job) };
      return answered(settled(moved(job, { type: 'abort' }), state.now), {});
    }),
  };
}

/** A job in `init`. @throws BAD_REQUEST, LIMIT_EXCEEDED */
export function newJob(state: State, { type, priority }: InitLongJob, { userId, cause }: Caller): LongJob {
  const wanted = priority ?? 0;
  if (!Number.isSafeInteger(wanted)) throw badRequest(`expected an integer as priority, but found ${wanted}`);
  return {
    id: newJobId(state),
    type,
    priority: wanted,
    userId,
    items: 0,
    pieces: 0,
    parameters: null,
    figures: noFigures,
    version: 0,
    checkpoint: null,
    result: null,
    created: state.now,
    updated: state.now,
    queued: null,
    started: null,
    ended: null,
    ticket: null,
    cause,
    deaths: 0,
    actor: start(longJobMachine, { attempt: 0 }),
  };
}

function newJobId(state: State): string {
  for (let i = 0; i < ID_TRIES; i++) {
    const digits = Math.floor(state.ids.random() * 0x1_0000).toString(16);
    const id = `${Math.max(0, Math.floor(state.now))}-${digits.padStart(4, '0')}`;
    if (state.get(longJobs, id) === undefined) return id;
  }
  throw limitExceeded('expected fewer new jobs within one millisecond, try again', { reason: 'job_ids_exhausted' });
}

/** The job, which the caller may change. */
function ownJob(state: State, { jobId, type }: LongJobOfType, caller: Caller): LongJob {
  const job = state.get(longJobs, longJobId(jobId));
  if (job?.type !== type) throw longJobUnknown(jobId, type);
  if (!mayManageOf(caller, job.userId)) throw longJobForeign(job);
  return job;
}

function append(
  state: State,
  input: AppendLongJobItems,
  { type, caller }: { type: LongJobType; caller: Caller },
): Decision<LongJobRef> {
  const job = ownJob(state, input, caller);
  if (!type.needsItems) throw badRequest(`expected a job that works on items, but '${job.type}' has none`);
  const items = acceptedItems(input.items);
  const [filled, actions] = moved(job, { type: 'append' }, () => longJobNotIn(job, 'append items'));
  if (items.length === 0) return { answer: { ...refOf(job), itemsAccepted: 0 } };
  const { job: after, write } = withItems(state, filled, items);
  const change = settled([after, actions], state.now);
  return answered({ ...change, write: [...change.write, ...write] }, { itemsAccepted: items.length });
}

function startJob(
  state: State,
  input: StartLongJob,
  { type, context }: { type: LongJobType; context: CommandContext },
): Decision<LongJobRef> {
  const job = ownJob(state, input, context.caller);
  const moving = moved(job, { type: 'start' }, () => longJobNotIn(job, 'start'));
  return started(state, moving, { type, context, parameters: input.parameters });
}

/** A new job that is started in the commit that makes it, with its items, if it has some. @throws what its type refuses */
export function begunLongJob(
  state: State,
  type: LongJobType,
  { parameters, items = [] }: { readonly parameters: unknown; readonly items?: readonly string[] },
  context: CommandContext,
): Decision<LongJobRef> {
  const made = newJob(state, { type: type.type }, context.caller);
  const { job, write } = items.length === 0 ? { job: made, write: [] } : withItems(state, made, items);
  const begun = started(state, moved(job, { type: 'start' }), { type, context, parameters });
  return { ...begun, write: [...write, ...(begun.write ?? [])] };
}

interface Starting {
  readonly type: LongJobType;
  readonly context: CommandContext;
  readonly parameters: unknown;
}

function started(
  state: State,
  [job, actions]: MovedLongJob,
  { type, context: { caller, commandId }, parameters: given }: Starting,
): Decision<LongJobRef> {
  if (type.needsItems && job.items === 0) throw longJobEmpty(job.id);
  const {
    parameters,
    figures,
    files,
    about,
    write = [],
    events = [],
  } = preparedBy(type, state, { job, parameters: given ?? null, caller });
  const after = {
    ...job,
    parameters,
    figures: changedFigures(job.figures, figures ?? {}),
    ...(files !== undefined && { files }),
    ...(about !== undefined && { about }),
    queued: state.now,
    ticket: state.ids.next(),
    cause: { ...caller.cause, commandId: caller.cause.commandId ?? commandId },
  };
  const change = settled([after, actions], state.now);
  const itemsTotal = change.job.items > 0 ? change.job.figures.itemsTotal : null;
  return answered(
    // The job's own event comes last: what its type tells belongs to what led to it.
    { job: change.job, write: [...write, ...change.write], events: [...events, ...change.events] },
    { itemsTotal },
  );
}

/** The start as its type prepares it. @throws LIMIT_EXCEEDED when the parameters are large, and what the type refuses */
function preparedBy(type: LongJobType, state: State, request: LongJobStart): LongJobPrepared {
  const prepared = type.prepare?.(state, request) ?? { parameters: request.parameters };
  const parameters = prepared.parameters ?? null;
  const { length } = JSON.stringify(parameters);
  if (length <= PARAMETERS_LENGTH_MAX) return { ...prepared, parameters };
  throw limitExceeded(`expected parameters of at most ${PARAMETERS_LENGTH_MAX} characters, but found ${length}`);
}

const refOf = ({ id, actor }: LongJob): LongJobRef => ({
  jobId: id,
  status: actor.value,
  itemsAccepted: null,
  itemsTotal: null,
});

const answered = ({ job, write, events }: SettledLongJob, more: Partial<LongJobRef>): Decision<LongJobRef> => ({
  write,
  events,
  answer: { ...refOf(job), ...more },
});
