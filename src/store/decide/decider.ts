import { badRequest, messageOf, ServiceError, unavailable } from '../../shared/errors.js';
import { idSource, newSeed } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import type { Ask, Command, Decision, DecisionSteps } from '../decision.js';
import type { DurableCache } from '../durable-cache.js';
import type { Job } from '../job/job.js';
import { LogBroken } from '../log/log.js';
import { MergedState } from '../merged-state.js';
import { Overlay } from '../overlay.js';
import type { Accepted, Done, Unreleased } from './accepted.js';
import { Asks } from './asks.js';
import { awaitLog } from './await-log.js';
import { commitOf, type Texts, textsOf } from './commit.js';
import { type AnyOperation, type DeciderOptions, WAITING_COMMANDS_MAX } from './decider-options.js';
import { DecisionTime } from './decision-time.js';
import { KeyedCommands } from './keyed.js';
import { Mailboxes } from './mailboxes.js';
import { Outbox } from './outbox.js';
import { isFinal } from './outcome.js';
import { recordedDecision, recordedRefusal } from './recorded.js';
import { Slices } from './slices.js';

/**
 * Decides for one partition: one command after the other, on state that nobody else changes. Decisions are applied to the overlay at once and
 * handed to the log in groups; callers hear of them when everything decided before is durable.
 */
export class Decider {
  readonly #options: DeciderOptions;
  readonly #overlay = new Overlay();
  readonly #mailboxes: Mailboxes<Accepted>;
  readonly #keyed: KeyedCommands;
  readonly #outbox: Outbox;
  readonly #time: DecisionTime;
  /** The one command that is being decided step by step. */
  readonly #slices = new Slices<Accepted>({
    took: ({ command }, begun) => this.#time.took(command.type, begun),
    ended: () => this.#decideWaiting(),
  });
  readonly #asks: Asks;
  #status: 'open' | 'recovering' | 'down' | 'stopped' | 'closed' = 'open';
  #revision: number;
  #waiting: Accepted[] = [];
  #idle: (() => void)[] = [];

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.#revision = options.replica.revision();
    this.#mailboxes = new Mailboxes(options.mailboxMax);
    this.#asks = new Asks(options.evaluators);
    this.#time = new DecisionTime(options.decided);
    this.#keyed = new KeyedCommands(options.replica);
    this.#outbox = new Outbox(options.log, {
      landed: (group) => this.#landed(group),
      failed: (error) => void this.#recover(error),
    });
    options.log.onLost?.((error) => this.#lost(error));
  }

  /** Resolves when the command is durable and answered; rejects with its refusal. */
  submit(command: Command): Promise<Done> {
    if (this.#status !== 'open' && this.#status !== 'recovering') return Promise.reject(this.#notOpen());
    const operation = this.#options.operations.get(command.type);
    if (operation === undefined) return Promise.reject(badRequest(`there is no operation '${command.type}'`));
    const accept = (accepted: Command) => this.#accept(accepted, operation);
    return command.keyed ? this.#keyed.submit(command, accept) : accept(command);
  }

  /** The state that a decision would see now. */
  state(now: number = this.#options.clock.now(), seed: string = newSeed(), readMax?: number): MergedState {
    const { partition, replica } = this.#options;
    const nextRevision = () => this.#revision + 1;
    const facts = { now, ids: idSource(seed, now), partition, nextRevision, ...(readMax !== undefined && { readMax }) };
    return new MergedState(facts, replica, this.#overlay);
  }

  /** What is known of the durable state: of all documents that were written here what was answered. */
  get known(): DurableCache {
    return this.#overlay.durable;
  }

  /**
   * Resolves when the log takes what is decided, with nothing written to it that stays. Where it does not, it is recovered, as after a group
   * that failed. @throws UNAVAILABLE
   */
  async probe(): Promise<void> {
    if (this.#status !== 'open') throw this.#notOpen();
    try {
      await this.#options.log.probe();
    } catch (thrown) {
      this.#lost(thrown instanceof Error ? thrown : new Error(String(thrown)));
      throw thrown;
    }
  }

  /** Takes no more commands; resolves when those in flight are answered. */
  async close(): Promise<void> {
    while (this.#isBusy()) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#status = 'closed';
  }

  #notOpen(): ServiceError {
    return unavailable(`partition '${this.#options.partition}' takes no commands: it is ${this.#status}`);
  }

  #isBusy(): boolean {
    if (this.#status !== 'open' && this.#status !== 'recovering') return false;
    return this.#waiting.length > 0 || !this.#asks.isEmpty || this.#slices.isBusy || !this.#outbox.isEmpty;
  }

  #accept(command: Command, operation: AnyOperation): Promise<Done> {
    return new Promise((resolve, reject) => {
      const now = this.#options.clock.now();
      this.#admit({ command, operation, seed: newSeed(), now, answers: [], resolve, reject });
    });
  }

  #admit(accepted: Accepted): void {
    if (this.#takesNext() && this.#waiting.length === 0) this.#decide(accepted);
    else if (this.#waiting.length < WAITING_COMMANDS_MAX) this.#waiting.push(accepted);
    else accepted.reject(unavailable(`expected at most ${WAITING_COMMANDS_MAX} commands to wait, try again later`));
  }

  /** Whether the next command may be decided now. */
  #takesNext(): boolean {
    return this.#status === 'open' && !this.#overlay.isFull && !this.#slices.isBusy;
  }

  #decide(accepted: Accepted): void {
    const begun = performance.now();
    this.#decideNow(accepted);
    this.#time.took(accepted.command.type, begun);
  }

  #decideNow(accepted: Accepted): void {
    const { command, operation, seed, now, answers } = accepted;
    try {
      const state = this.state(now, seed, operation.limits?.reads);
      if (!this.#enters(accepted, state)) return;
      const context = { caller: command.caller, commandId: command.id, seed, answers };
      if (operation.steps !== undefined)
        return this.#slices.begin(accepted, this.#steps(accepted, operation.steps(state, command.input, context)));
      const result = operation.decide(state, command.input, context);
      if ('ask' in result) this.#ask(accepted, result.ask);
      else this.#commit(accepted, result);
    } catch (thrown) {
      this.#refuse(accepted, thrown);
    }
  }

  *#steps(accepted: Accepted, steps: DecisionSteps<unknown>): Generator<void, void, void> {
    try {
      const result = yield* steps;
      if ('ask' in result) this.#ask(accepted, result.ask);
      else this.#commit(accepted, result, yield* textsOf(result, this.#revision + 1));
    } catch (thrown) {
      this.#refuse(accepted, thrown);
    }
  }

  #enters(accepted: Accepted, state: MergedState): boolean {
    accepted.mailbox ??= accepted.operation.mailbox?.(state, accepted.command.input) ?? '';
    return accepted.mailbox === '' || this.#mailboxes.enter(accepted.mailbox, accepted);
  }

  #ask(accepted: Accepted, ask: Ask): void {
    this.#asks.begin(accepted, ask, (answer) => {
      accepted.answers.push({ ask, answer });
      if (this.#slices.isBusy) this.#waiting.unshift(accepted);
      else this.#decide(accepted);
    });
    if (accepted.mailbox) this.#mailboxes.hold(accepted.mailbox, accepted);
  }

  #commit(accepted: Accepted, result: Decision<unknown>, texts?: Texts): void {
    const { jobs, clock } = this.#options;
    const made = (result.jobs ?? []).map((job) => jobs.make(job, accepted.command, accepted.now));
    try {
      const recorded = recordedDecision(accepted, result, { revision: this.#revision + 1, at: clock.now(), made });
      const commit = recorded && commitOf(recorded, texts);
      if (commit !== null) this.#revision = this.#overlay.putAll(commit.record, commit.writes);
      this.#decided({ accepted, revision: this.#revision, commit, made, result });
    } catch (thrown) {
      this.#lose(made);
      throw thrown;
    }
  }

  #lose(made: readonly Job[]): void {
    for (const job of made) this.#options.jobs.lost(job);
  }

  #refuse(accepted: Accepted, thrown: unknown): void {
    const { command } = accepted;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (!(error instanceof ServiceError)) {
      serverLog.error({ err: error, command: command.type, commandId: command.id }, 'a decision failed');
    }
    const isKept = command.keyed && error instanceof ServiceError && isFinal(error);
    const place = { revision: this.#revision + 1, at: this.#options.clock.now() };
    const commit = isKept ? commitOf(recordedRefusal(accepted, error, place)) : null;
    if (commit !== null) this.#revision = commit.record.revision;
    this.#decided({ accepted, revision: this.#revision, commit, made: [], result: { error } });
  }

  /** The command waits for the log, and the next of its mailbox goes on. */
  #decided(unreleased: Unreleased): void {
    this.#outbox.push(unreleased);
    const { accepted } = unreleased;
    if (!accepted.mailbox) return;
    for (const waiting of this.#mailboxes.leave(accepted.mailbox, accepted)) this.#admit(waiting);
  }

  #landed(group: readonly Unreleased[]): void {
    this.#overlay.drop(this.#options.replica.revision());
    this.#release(group);
    this.#decideWaiting();
  }

  #decideWaiting(): void {
    while (this.#waiting.length > 0 && this.#takesNext()) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#decide(next);
    }
    this.#drained();
  }

  /** The one place that answers callers of decided commands. */
  #release(group: readonly Unreleased[]): void {
    for (const { accepted, revision, commit, result } of group) {
      if (commit !== null) this.#options.committed(commit);
      if ('error' in result) accepted.reject(result.error);
      else accepted.resolve({ answer: result.answer, revision });
    }
  }

  #drained(): void {
    if (this.#isBusy()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The log has gone while nothing was asked of it; whoever is recovering it already need not be told. */
  #lost(error: Error): void {
    if (this.#status === 'open') void this.#recover(error);
  }

  /** A group failed, or its reply was lost: nothing is decided until it is known what the log holds. */
  async #recover(error: Error): Promise<void> {
    const { log, partition } = this.#options;
    serverLog.error({ err: error, partition }, 'the log has failed; it is recovered');
    this.#status = 'recovering';
    const unreleased = this.#outbox.takeBack();
    const begun = this.#slices.cancel();
    const held = [...this.#asks.takeBack(), ...this.#mailboxes.clear(), ...this.#waiting.splice(0)];
    const undecided = [...new Set([...(begun === undefined ? [] : [begun]), ...held])];
    this.#overlay.clear();
    if (error instanceof LogBroken) return this.#stop(error, unreleased, undecided);
    try {
      await log.recover();
    } catch (again) {
      if (again instanceof LogBroken) return this.#stop(again, unreleased, undecided);
      // Whoever waits is told so now, and may try again with the same key.
      serverLog.error({ err: again, partition }, 'the log is away; commands are refused until it is back');
      this.#giveUp('down', `the log is away: ${messageOf(again)}`, unreleased.splice(0), undecided.splice(0));
      await awaitLog(log, () => this.#isClosed());
      serverLog.info({ partition }, 'the log is back');
    }
    if (!this.#isClosed()) this.#reopen(unreleased, undecided);
  }

  #stop(error: LogBroken, unreleased: Unreleased[], undecided: Accepted[]): void {
    const { partition } = this.#options;
    serverLog.fatal({ err: error, partition }, 'the partition is stopped: a decision contradicts what is stored');
    this.#giveUp('stopped', `partition '${partition}' is stopped: ${error.message}`, unreleased, undecided);
  }

  #isClosed(): boolean {
    return this.#status === 'closed';
  }

  #giveUp(status: 'down' | 'stopped', message: string, unreleased: Unreleased[], undecided: Accepted[]): void {
    this.#status = status;
    for (const { made } of unreleased) this.#lose(made);
    // Among them those that came while the log was being recovered.
    for (const accepted of [...unreleased.map((one) => one.accepted), ...undecided, ...this.#waiting.splice(0)])
      accepted.reject(unavailable(message));
    this.#drained();
  }

  /** What the log kept is answered as done; the rest is decided again. */
  #reopen(unreleased: readonly Unreleased[], undecided: readonly Accepted[]): void {
    const { replica } = this.#options;
    // Whoever looked meanwhile may have read what was there before the last group landed after all.
    this.#overlay.clear();
    this.#revision = replica.revision();
    this.#status = 'open';
    this.#options.recovered?.();
    const isKept = ({ commit }: Unreleased) =>
      commit !== null && replica.commitId(commit.record.revision) === commit.record.id;
    this.#release(unreleased.filter(isKept));
    const lost = unreleased.filter((one) => !isKept(one));
    for (const { made } of lost) this.#lose(made);
    for (const accepted of [...lost.map((one) => one.accepted), ...undecided])
      this.#admit({ ...accepted, answers: [] });
    this.#drained();
  }
}
