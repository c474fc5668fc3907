import { type DomainClock, SteadyClock } from '../../src/shared/clock.js';
import type { Time } from '../../src/shared/time.js';
import type { Evaluator } from '../../src/store/decide/asks.js';
import type { LogPatience } from '../../src/store/decide/outbox.js';
import type { AnyOperation } from '../../src/store/decision.js';
import type { CommitFollower } from '../../src/store/feed/landed-commits.js';
import type { Committed, LongJobSettings } from '../../src/store/index.js';
import type { AnyJobType } from '../../src/store/job/job-type.js';
import type { Partition } from '../../src/store/partition/partition.js';
import type { Reaction } from '../../src/store/reaction/reaction.js';
import { Store, type StoreOptions } from '../../src/store/store.js';
import { callerNamed, counters, testOperations } from './test-domain.js';

export interface TestParts {
  readonly evaluators?: Readonly<Record<string, Evaluator>>;
  readonly jobTypes?: readonly AnyJobType[];
  readonly jobSubject?: StoreOptions['jobSubject'];
  readonly reactions?: readonly Reaction[];
  readonly operations?: readonly AnyOperation[];
  readonly clock?: DomainClock;
  /** Default: the machine's. */
  readonly time?: Time;
  readonly jobSlots?: number;
  readonly resting?: StoreOptions['resting'];
  readonly callerOf?: StoreOptions['callerOf'];
  readonly callerNow?: StoreOptions['callerNow'];
  readonly kept?: StoreOptions['kept'];
  readonly longJobs?: Partial<LongJobSettings>;
  readonly answerMs?: number;
  readonly patience?: LogPatience;
  readonly committed?: (committed: Committed) => void;
  readonly followers?: readonly CommitFollower[];
}

/** How long logs of tests may take, unless that is what is asked: a machine that others use, too, may take longer than an operator would bear. */
export const ANSWER_MS = 20_000;

/** The test domain in a store. */
export function openTestStore(on: Pick<StoreOptions, 'folder' | 'logs'>, parts: TestParts = {}): Store {
  const { committed } = parts;
  return new Store({
    ...on,
    collections: [counters],
    operations: [...testOperations, ...(parts.operations ?? [])],
    evaluators: parts.evaluators ?? {},
    jobTypes: parts.jobTypes ?? [],
    jobSubject: parts.jobSubject,
    reactions: parts.reactions ?? [],
    clock: parts.clock ?? new SteadyClock(),
    ...(parts.time !== undefined && { time: parts.time }),
    jobSlots: parts.jobSlots ?? 16,
    logAnswerMs: parts.answerMs ?? ANSWER_MS,
    callerOf: parts.callerOf ?? callerNamed,
    ...(parts.resting !== undefined && { resting: parts.resting }),
    callerNow: parts.callerNow,
    ...(parts.kept !== undefined && { kept: parts.kept }),
    longJobs: parts.longJobs ?? {},
    ...(committed !== undefined && { followers: () => [{ committed }] }),
  });
}

/** One partition of the test domain. */
export const openTestPartition = (store: Store): Promise<Partition> => store.open('test', 'test');
