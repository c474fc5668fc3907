import { nodeBlock, type TransactionStep } from '../../content/index.js';
import type { Engine } from '../../engine/index.js';
import {
  type AnyJobType,
  type Domain,
  type JobAttempt,
  type NewJob,
  type Operation,
  takeOutcome,
} from '../../store/index.js';

/** A step of a block that moves a process, as data: an operation of the engine, and its input. */
export interface ProcessStep {
  readonly operation: string;
  readonly input: unknown;
}

/** Input of a block: changes of nodes, and steps of processes behind their commit. */
export interface RouteBlock {
  readonly nodes: readonly TransactionStep[];
  readonly processes: readonly ProcessStep[];
}

const JOB = 'routeCommand';

type AnyOperation = Operation<unknown, unknown>;

/** Blocks of routes: what they change of nodes is one commit, with a job that moves processes, one step after the other. */
export interface RouteBlocks extends Required<Pick<Domain, 'collections' | 'operations' | 'jobTypes'>> {
  readonly block: Operation<RouteBlock, null>;
}

export function routeBlocks({ api }: Pick<Engine, 'api'>): RouteBlocks {
  const moves = [
    api.startProcess,
    api.correlateMessage,
    api.completeTask,
    api.publishSignal,
  ] as unknown as AnyOperation[];
  const byName = new Map(moves.map((one) => [one.name, ofJob(one)]));
  const block: RouteBlocks['block'] = {
    name: 'routeBlock',
    decide: (state, { nodes, processes }, context) => {
      const changed = nodes.length === 0 ? { answer: [] } : nodeBlock.decide(state, nodes, context);
      if ('ask' in changed) return changed;
      const jobs = [...(changed.jobs ?? []), ...jobOf(processes, state)];
      return { ...changed, jobs, answer: null };
    },
  };
  return { collections: [], operations: [block, ...byName.values()], jobTypes: [jobType(byName)], block };
}

/** The job of what is left to do. */
function jobOf(processes: readonly ProcessStep[], { ids, now }: Parameters<AnyOperation['decide']>[0]): NewJob[] {
  if (processes.length === 0) return [];
  return [{ id: ids.next(), type: JOB, dueAt: now, immediate: true, input: { processes } }];
}

interface OfJob {
  readonly job: JobAttempt;
  readonly step: ProcessStep;
  readonly rest: readonly ProcessStep[];
}

/** An operation as the command of such a job: it is the first of its steps, and makes the job of the others. */
const ofJob = (operation: AnyOperation): Operation<OfJob, unknown> => ({
  ...operation,
  name: `${operation.name}OfRoute`,
  ...(operation.mailbox && { mailbox: (state, { step }, answers) => operation.mailbox?.(state, step.input, answers) }),
  decide: (state, { job, step, rest }, context) => {
    const { done } = takeOutcome(state, job);
    const decision = operation.decide(state, step.input, context);
    if ('ask' in decision) return decision;
    return {
      ...decision,
      write: [done, ...(decision.write ?? [])],
      jobs: [...(decision.jobs ?? []), ...jobOf(rest, state)],
      answer: null,
    };
  },
});

const jobType = (byName: ReadonlyMap<string, Operation<OfJob, unknown>>): AnyJobType => ({
  type: JOB,
  untaken: true,
  run: ({ id, actor, input }) => {
    const [step, ...rest] = (input as Pick<RouteBlock, 'processes'>).processes;
    const operation = byName.get(step?.operation ?? '');
    if (step === undefined || operation === undefined)
      throw new Error(`nothing moves a process by '${step?.operation}'`);
    return { operation, input: { job: { jobId: id, attempt: actor.context.attempt }, step, rest } };
  },
});
