import { ServiceError } from '../../src/shared/errors.js';
import { pause, type Time } from '../../src/shared/time.js';
import { operation, put, steppedOperation } from '../../src/store/decision.js';
import { incidents } from '../../src/store/incident/incident.js';
import { type Job, jobs, type NewJob } from '../../src/store/job/job.js';
import { untakenRuns } from '../../src/store/job/job-starter.js';
import type { AnyJobType } from '../../src/store/job/job-type.js';
import { type JobAttempt, takeOutcome } from '../../src/store/job/outcome.js';
import type { AnyCollection } from '../../src/store/log/schema.js';
import { type Reaction, reactionPositions } from '../../src/store/reaction/reaction.js';
import type { State } from '../../src/store/state.js';
import { type Counter, counters } from '../support/test-domain.js';
import type { Random } from './random.js';

// What the stories are about: counters, orders that are worked on by jobs, and a reaction that greets each order. Every commit says in its events
// what it did, so that the log alone tells what is true.

export const collections: readonly AnyCollection[] = [jobs, incidents, reactionPositions, untakenRuns, counters];

const counted = (state: State, id: string, by: number): Counter => {
  const before = state.get(counters, id) ?? { id, group: 'g', value: 0, tags: [] };
  return { ...before, value: before.value + by };
};
const changed = (counter: Counter) => ({ type: 'changed', ids: { id: counter.id }, data: counter.value });

/** Refused below zero. */
export const add = operation('add', (state, { id, by }: { id: string; by: number }) => {
  const after = counted(state, id, by);
  if (after.value < 0) throw new ServiceError('CONFLICT', `counter '${id}' would be ${after.value}`);
  return { write: [put(counters, after)], events: [changed(after)], answer: after.value };
});

/** Adds what an ask is answered; one after the other per counter. */
export const addAsked = operation(
  'addAsked',
  (state, { id }: { id: string }, { answers }) => {
    const [first] = answers;
    if (first === undefined) return { ask: { kind: 'number', question: id } };
    if ('error' in first.answer) throw new ServiceError('EXECUTION_FAILED', first.answer.error.message);
    const after = counted(state, id, Number(first.answer.value));
    return { write: [put(counters, after)], events: [changed(after)], answer: after.value };
  },
  (_state, { id }) => id,
);

/** Adds one to several counters, step by step. */
export const spread = steppedOperation('spread', function* (state, { ids }: { ids: readonly string[] }) {
  const all: Counter[] = [];
  for (const id of ids) {
    all.push(counted(state, id, 1));
    yield;
  }
  return {
    write: all.map((counter) => put(counters, counter)),
    events: all.map(changed),
    answer: all.map(({ value }) => value),
  };
});

/** Only looks. */
export const look = operation('look', (state, { id }: { id: string }) => ({
  answer: state.get(counters, id)?.value ?? 0,
}));

export interface Order {
  readonly id: string;
  readonly exclusive: string | null;
  /** How long its job waits, ms; 0: it goes on by itself. */
  readonly waitMs: number;
  /** How many jobs follow one another. */
  readonly chain: number;
}

const jobFor = ({ id, exclusive, waitMs, chain }: Order, now: number): NewJob => ({
  ...{ id, type: 'work', exclusive, dueAt: now + waitMs, immediate: waitMs === 0 },
  input: { chain },
});

export const order = operation('order', (state, input: Order) => ({
  jobs: [jobFor(input, state.now)],
  events: [{ type: 'ordered', ids: { id: input.id }, data: null }],
  answer: input.id,
}));

const worked = operation('worked', (state, input: JobAttempt) => {
  const { job, done } = takeOutcome(state, input);
  const { chain } = job.input as { chain: number };
  const next = {
    id: `${job.id}.${chain}`,
    exclusive: job.exclusive,
    waitMs: chain % 2 === 0 ? 0 : 40,
    chain: chain - 1,
  };
  return {
    write: [done],
    events: [{ type: 'worked', ids: { id: job.id }, data: null }],
    jobs: chain > 0 ? [jobFor(next, state.now)] : [],
    answer: null,
  };
});

export const operations = [add, addAsked, spread, look, order, worked];

/** What work is seen doing beside the log: who is at it, by exclusive name. */
export interface Workshop {
  readonly time: Time;
  readonly random: Random;
  readonly running: Map<string, string>;
  /** Told what must not be. */
  readonly wrong: (what: string) => void;
}

/** Works for a moment; the first attempts may fail. */
export const work = ({ time, random, running, wrong }: Workshop): AnyJobType => ({
  type: 'work',
  async run(job: Job) {
    const { id, exclusive, actor } = job;
    const { attempt, retries } = actor.context;
    const name = exclusive ?? id;
    const other = running.get(name);
    if (other !== undefined)
      wrong(`attempt ${attempt} of job ${id} runs beside ${other}, which has the same exclusive name`);
    running.set(name, `attempt ${attempt} of ${id}`);
    await pause(time, random.below(60));
    running.delete(name);
    if (retries === 3 && random.chance(0.05)) throw new ServiceError('EXECUTION_FAILED', 'no luck');
    return { operation: worked, input: { jobId: id, attempt } };
  },
});

/** Greets each order, once. */
export const greet: Reaction = {
  name: 'greet',
  types: ['ordered'],
  react: (state, { event }) => {
    const after = counted(state, `greeted:${event.ids.id}`, 1);
    return { write: [put(counters, after)], events: [changed(after)], answer: null };
  },
};
