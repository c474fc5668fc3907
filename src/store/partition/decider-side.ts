import type { DomainClock } from '../../shared/clock.js';
import { log as serverLog } from '../../shared/log.js';
import type { Time } from '../../shared/time.js';
import type { Aside, Done } from '../decide/accepted.js';
import type { Evaluator } from '../decide/asks.js';
import { Decider } from '../decide/decider.js';
import type { DeciderOptions } from '../decide/decider-options.js';
import { LogPatience } from '../decide/outbox.js';
import type { AnyOperation, Command } from '../decision.js';
import type { Feed } from '../feed/feed.js';
import type { LandedCommits } from '../feed/landed-commits.js';
import { KEPT, type Kept, Trimmer } from '../feed/trimmer.js';
import { type AnyJobSubject, type Job, jobs, noSubject } from '../job/job.js';
import type { AnyJobType } from '../job/job-type.js';
import { JobRunner } from '../job/runner.js';
import type { Log } from '../log/log.js';
import type { Overlay } from '../overlay.js';
import { ReactionHost } from '../reaction/host.js';
import type { Reaction } from '../reaction/reaction.js';
import type { Replica } from '../replica.js';
import type { State } from '../state.js';
import { workspaceStopped } from './stopped.js';

/** The domains' part in what a partition decides. */
export interface DomainParts {
  readonly operations: readonly AnyOperation[];
  readonly evaluators: Readonly<Record<string, Evaluator>>;
  readonly jobTypes: readonly AnyJobType[];
  /** What jobs are about. Default: nothing. */
  readonly jobSubject?: AnyJobSubject | undefined;
  readonly reactions: readonly Reaction[];
}

/** A domain that is at rest. */
export type RestingDomain = Partial<Pick<DomainParts, 'jobTypes' | 'reactions'>>;

export interface DeciderSideOptions
  extends DomainParts,
    Pick<DeciderOptions, 'callerNow' | 'decided' | 'inputKey' | 'isServing'> {
  /** The partition's. */
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  readonly log: Log;
  readonly replica: Replica;
  readonly clock: DomainClock;
  readonly time: Time;
  /** Default: that of a server that has started. */
  readonly patience?: LogPatience | undefined;
  /** Whether timers run by themselves; not on a virtual clock. */
  readonly automatic: boolean;
  readonly jobSlots: number;
  /** Domains that are at rest: none of their jobs begins, and none of their reactions follows. Default: none is. */
  readonly resting?: readonly RestingDomain[];
  /** How many commands may wait for one process instance. Default 100. */
  readonly mailboxMax?: number;
  /** How long feed and outcomes are kept. Default {@link KEPT}. */
  readonly kept?: Kept;
  /** Told of what the decider makes. */
  readonly commits: LandedCommits;
  /** Filled by the decider; nothing is in it yet. */
  readonly overlay: Overlay;
  /** Followed by the reactions. */
  readonly feed: Feed;
  /** Sends a command of a job on behalf of whoever started the chain; without a job, as reactions do, as the system. */
  readonly send: (operation: AnyOperation, input: unknown, job: Job | null) => Promise<unknown>;
}

/**
 * The side of a partition that decides: takes commands, runs its jobs and reactions, and shortens what need not be kept. One server has it. What it
 * decides comes to everybody else, this server included, as commits that have landed.
 */
export class DeciderSide {
  readonly jobs: JobRunner;
  readonly #id: string;
  readonly #workspace: string;
  readonly #decider: Decider;
  readonly #reactions: ReactionHost;
  readonly #trimmer: Trimmer;
  #isClosed = false;

  constructor(options: DeciderSideOptions) {
    const { id, workspace, log, replica, clock, time, commits, feed, resting = [] } = options;
    this.#id = id;
    this.#workspace = workspace;
    const state = () => this.#decider.state();
    this.jobs = new JobRunner({
      clock,
      time,
      automatic: options.automatic,
      slots: options.jobSlots,
      types: new Map(options.jobTypes.map((type) => [type.type, type])),
      atRest: new Set(resting.flatMap(({ jobTypes = [] }) => jobTypes.map(({ type }) => type))),
      subject: options.jobSubject ?? noSubject,
      send: options.send,
      state,
    });
    const send = (operation: AnyOperation, input: unknown) => options.send(operation, input, null);
    const reactions = options.reactions.filter((one) => !resting.some((domain) => domain.reactions?.includes(one)));
    this.#reactions = new ReactionHost({ reactions, feed, time, state, send });
    const slowest = () => Math.min(this.#reactions.slowest(), commits.needless);
    const told = () => commits.told;
    this.#trimmer = new Trimmer({ log, replica, told, slowest, kept: options.kept ?? KEPT, time });
    commits.follow({
      collections: [jobs],
      committed: (commit) => this.jobs.committed(commit),
      renewed: () => {
        this.jobs.renew();
        this.#trimmer.renewed();
      },
    });
    this.#decider = this.#makeDecider(options);
  }

  /** Takes back what a dead server was running; then jobs and reactions go on. */
  async begin(): Promise<void> {
    await this.jobs.begin();
    this.#reactions.begin();
    this.#trimmer.begin();
  }

  /** Resolves when the command is durable and answered; rejects with its refusal. */
  submit(command: Command, aside?: Aside): Promise<Done> {
    return this.#decider.submit(command, aside);
  }

  /** The state that the next decision sees: for the virtual clock, the runner of long jobs, and tests. @throws UNAVAILABLE once it is closed */
  peek(): State {
    if (this.#isClosed) throw workspaceStopped(this.#workspace);
    return this.#decider.state();
  }

  /** For how long the oldest command has been waiting to be decided or to be durable, ms; 0: none is. */
  waitedMs(): number {
    return this.#decider.waitedMs();
  }

  /** Resolves when commands are taken and the log makes them durable; nothing that stays is written. @throws UNAVAILABLE */
  probe(): Promise<void> {
    return this.#decider.probe();
  }

  /** Takes no more commands, lets those in flight finish, gives running jobs back. */
  async close(drainMs: number): Promise<void> {
    this.#trimmer.close();
    await this.#reactions.close();
    await this.jobs.drain(drainMs).catch((thrown: unknown) => {
      // The next start takes them back.
      serverLog.warn({ err: thrown, partition: this.#id }, 'running jobs could not be given back');
    });
    await this.#decider.close();
    this.#isClosed = true;
  }

  #makeDecider(options: DeciderSideOptions): Decider {
    const own = [...this.jobs.operations, ...Object.values(this.#reactions.operations)];
    return new Decider({
      ...options,
      partition: options.id,
      patience: options.patience ?? new LogPatience(),
      operations: new Map([...options.operations, ...own].map((one) => [one.name, one])),
      jobs: this.jobs,
      reopened: () => this.jobs.wake(),
    });
  }
}
