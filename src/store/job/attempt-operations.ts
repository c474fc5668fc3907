import { type DecisionSteps, type Operation, operation, steppedOperation } from '../decision.js';
import type { State } from '../state.js';
import { type AnyJob, JOB_DEATHS_MAX, type JobClass, type JobMove } from './job-class.js';
import type { Candidate, Slots } from './slots.js';

/** How many jobs are read at a time that an attempt has begun: those that run here are among them. */
const ATTEMPTED_PAGE = 500;
/** As many run at most, and some more. */
const ATTEMPTED_READS = 30_000;

/** An attempt that is given back. `told`: what was still to tell of it. */
interface GivenBack {
  readonly id: string;
  readonly attempt: number;
  readonly told?: unknown;
}

/** Operations that begin attempts, and end those without an outcome. */
export interface AttemptOperations {
  /** Takes those of the jobs that still wait; answers their ids. */
  readonly take: Operation<{ readonly ids: readonly string[] }, string[]>;
  /** Gives attempts back that did not end: the server drains. Answers how many. */
  readonly release: Operation<{ readonly jobs: readonly GivenBack[] }, number>;
  /** Takes back what nobody runs any more; answers how many there were, of which it has taken some. */
  readonly recover: Operation<object, number>;
}

/** The job's attempt, as it has a slot. */
export const attemptOf = ({ id, exclusive, deaths, actor }: AnyJob): Candidate => ({
  id,
  exclusive: exclusive ?? null,
  attempt: actor.context.attempt,
  lastLife: deaths >= JOB_DEATHS_MAX - 1,
});

/** The job's next attempt, as it asks for a slot. */
export const nextAttempt = (job: AnyJob): Candidate => ({ ...attemptOf(job), attempt: job.actor.context.attempt + 1 });

/** The operations of a class of jobs. `slots`: what runs here. */
export function attemptOperations<J extends AnyJob>(of: JobClass<J>, slots: Pick<Slots, 'holds'>): AttemptOperations {
  const { jobs, names } = of;
  return {
    take: operation(names.take, (state, { ids }) => {
      const waiting = ids.flatMap((id) => state.get(jobs, id) ?? []).filter((job) => of.mayBegin(job, state.now));
      return { ...together(waiting.map((job) => of.take(state, job))), answer: waiting.map(({ id }) => id) };
    }),
    release: operation(names.release, (state, input) => {
      const released = input.jobs.flatMap(({ id, attempt, told }) => {
        const job = state.get(jobs, id);
        if (job === undefined || !of.isAttempted(job) || job.actor.context.attempt !== attempt) return [];
        return [of.release(state, job, told)];
      });
      return { ...together(released), answer: released.length };
    }),
    recover: recovering(names.recover, function* (state): DecisionSteps<number> {
      const nobodys: J[] = [];
      for (let from: readonly (string | number)[] = [1]; ; yield) {
        const page = state.range(jobs, of.attempted, from, ATTEMPTED_PAGE, { skipDamaged: true });
        nobodys.push(...page.filter(({ id, actor }) => !slots.holds(id, actor.context.attempt)));
        const last = page.at(-1);
        if (page.length < ATTEMPTED_PAGE || last === undefined || nobodys.length >= of.recoverMax) break;
        from = [1, `${last.id} `];
      }
      const left = nobodys.slice(0, of.recoverMax).map((job) => ({ ...job, deaths: job.deaths + 1 }));
      // One death per decision: what two that die write must see each other.
      const dying = left.filter(({ deaths }) => deaths >= JOB_DEATHS_MAX);
      const now = left.filter((job) => job === dying[0] || !dying.includes(job));
      return { ...together(now.map((job) => of.afterDeath(state, job))), answer: left.length };
    }),
  };
}

const recovering = (name: string, steps: (state: State) => DecisionSteps<number>): AttemptOperations['recover'] => ({
  ...steppedOperation(name, steps),
  limits: { reads: ATTEMPTED_READS, writes: 500 },
});

const together = (moves: readonly JobMove[]): JobMove => ({
  write: moves.flatMap(({ write }) => write),
  events: moves.flatMap(({ events }) => events),
});
