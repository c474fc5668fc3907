import { badRequest, ServiceError, unavailable } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { within } from '../../shared/time.js';
import { type AnyOperation, type Ask, type Command, type Decision, type DecisionSteps, put } from '../decision.js';
import type { Job } from '../job/job.js';
import { MergedState } from '../merged-state.js';
import type { Overlay } from '../overlay.js';
import { type Accepted, type Aside, type Done, Mailboxes, Unanswered, type Unreleased } from './accepted.js';
import { Asks } from './asks.js';
import { Behind, isAfterOthers } from './behind.js';
import { commitOfDecision, commitOfRefusal, type Texts, textsOf } from './commit.js';
import { type DeciderOptions, WAITING_COMMANDS_MAX } from './decider-options.js';
import { DecisionTime, Slices } from './decision-time.js';
import { KeyedCommands } from './keyed.js';
import { Outbox } from './outbox.js';
import { type Interrupted, type Left, Recovery } from './recovery.js';
import { WaitingCommands } from './waiting-commands.js';

/**
 * Decides for one partition: one command after the other, on state that nobody else changes. The way of a command:
 *
 * 1. `submit` takes it; `#admit` lets it wait where others are before it, or the overlay is full;
 * 2. `#decide` calls its operation: at once, in slices (`#steps`), or anew with the answer to what it asked (`#ask`);
 * 3. `#commit` applies the decision to the overlay, so that the next one sees it; `#refuse` keeps the error as its answer;
 * 4. `#decided` hands it to the outbox, which gives groups of commits to the log;
 * 5. `#landed` answers its caller, when it and all that was decided before are durable.
 *
 * When the log fails (`#recover`), nothing is decided until it is known what it holds; then what is lost is decided again (`#reopen`).
 */
export class Decider {
  readonly #options: DeciderOptions;
  /** `open`: commands are decided. `recovering`: they wait. `down`: the log is away for long, they are refused. `stopped`: until a start. */
  #status: 'open' | 'recovering' | 'down' | 'stopped' | 'closed' = 'open';
  readonly #overlay: Overlay;
  /** The newest that was decided. */
  #revision: number;
  readonly #nextRevision = () => this.#revision + 1;
  readonly #unanswered: Unanswered;
  readonly #waiting: WaitingCommands;
  readonly #mailboxes: Mailboxes<Accepted>;
  readonly #behind: Behind;
  readonly #keyed: KeyedCommands;
  readonly #asks: Asks;
  /** The one command that is being decided step by step. */
  readonly #slices: Slices<Accepted>;
  readonly #timing: DecisionTime;
  readonly #outbox: Outbox;
  readonly #recovery: Recovery;

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.#overlay = options.overlay;
    this.#revision = this.#overlay.begin(options.replica.revision());
    this.#unanswered = new Unanswered(options.time);
    const [takesNext, decide] = [() => this.#takesNext(), (next: Accepted) => this.#decide(next)];
    this.#waiting = new WaitingCommands({ time: options.time, takesNext, decide });
    this.#mailboxes = new Mailboxes(options.mailboxMax);
    this.#behind = new Behind(options.time, this.#mailboxes, (late, why) => this.#unanswered.refuse(late, why));
    this.#keyed = new KeyedCommands(options.replica, options.inputKey ?? (() => ''));
    this.#asks = new Asks(options.evaluators);
    this.#timing = new DecisionTime(options);
    const took = ({ command }: Accepted, begun: number) => this.#timing.took(command.type, begun);
    this.#slices = new Slices({ took, ended: () => this.#waiting.goOn() }, options.time);
    this.#outbox = new Outbox({
      ...options,
      landed: (group) => this.#landed(group),
      failed: (error) => this.#recover(error),
    });
    this.#recovery = new Recovery({
      ...options,
      unanswered: this.#unanswered,
      isClosed: () => this.#status === 'closed',
      gaveUp: (as, message, interrupted) => this.#giveUp(as, message, interrupted),
      recovered: (left) => this.#reopen(left),
    });
    options.log.onLost?.((error) => this.#lost(error));
  }

  /** Resolves when the command is durable and answered; rejects with its refusal. */
  submit(command: Command, aside?: Aside): Promise<Done> {
    if (this.#status !== 'open' && this.#status !== 'recovering') return Promise.reject(this.#notOpen());
    const operation = this.#options.operations.get(command.type);
    if (operation === undefined) return Promise.reject(badRequest(`there is no operation '${command.type}'`));
    const accept = (accepted: Command) => this.#accept(accepted, operation, aside);
    return command.keyed ? this.#keyed.submit(command, accept) : accept(command);
  }

  /** The state that a decision would see now. */
  state(now = this.#options.clock.now(), seed = this.#options.time.seed(), readMax?: number): MergedState {
    const { partition, replica } = this.#options;
    const facts = { now, ids: idSource(seed, now), partition, nextRevision: this.#nextRevision, readMax };
    return new MergedState(facts, replica, this.#overlay);
  }

  /**
   * Resolves when the log takes what is decided, with nothing written to it that stays. Where it does not, it is recovered, as after a group
   * that failed. @throws UNAVAILABLE
   */
  async probe(): Promise<void> {
    if (this.#status !== 'open') throw this.#notOpen();
    const { log, time, patience } = this.#options;
    try {
      await within(time, patience.answerMs, log.probe(), () => unavailable('the log did not answer in time'));
    } catch (thrown) {
      this.#lost(thrown instanceof Error ? thrown : new Error(String(thrown)));
      throw thrown;
    }
  }

  /** For how long the oldest command has been waiting to be decided or to be durable, ms; 0: none is. */
  waitedMs(): number {
    return this.#unanswered.waitedMs();
  }

  /** Takes no more commands; resolves when those in flight are answered. */
  async close(): Promise<void> {
    this.#behind.close();
    await this.#unanswered.none();
    this.#status = 'closed';
  }

  #notOpen(): ServiceError {
    return unavailable(`partition '${this.#options.partition}' takes no commands: it is ${this.#status}`);
  }

  #accept(command: Command, operation: AnyOperation, aside?: Aside): Promise<Done> {
    return new Promise((resolve, reject) => {
      const { clock, time } = this.#options;
      const [seed, now, since] = [time.seed(), clock.now(), Number.POSITIVE_INFINITY];
      const accepted = { command, operation, seed, now, resolve, reject, aside, answers: [], since, failures: 0 };
      this.#unanswered.add(accepted);
      this.#admit(accepted);
    });
  }

  #admit(accepted: Accepted): void {
    if (this.#takesNext() && this.#waiting.length === 0) this.#decide(accepted);
    else this.#lineUp(accepted);
  }

  #lineUp(accepted: Accepted): void {
    if (this.#waiting.length < WAITING_COMMANDS_MAX) this.#waiting.push(this.#unanswered.waits(accepted));
    else
      this.#unanswered.refuse(accepted, `expected at most ${WAITING_COMMANDS_MAX} commands to wait, try again later`);
  }

  /** Whether the next command may be decided now. */
  #takesNext(): boolean {
    return this.#status === 'open' && !this.#overlay.isFull && !this.#slices.isBusy;
  }

  #decide(accepted: Accepted): void {
    const { command, operation, seed, now, answers } = accepted;
    const begun = this.#options.time.monotonic();
    accepted.since = Math.min(accepted.since, begun);
    try {
      const state = this.state(now, seed, operation.limits?.reads);
      if (!this.#enters(accepted, state)) return;
      const caller = this.#options.callerNow?.(command.caller) ?? command.caller;
      const context = { caller, commandId: command.id, seed, answers };
      if (operation.steps !== undefined)
        return this.#slices.begin(accepted, this.#steps(accepted, operation.steps(state, command.input, context)));
      const result = operation.decide(state, command.input, context);
      if ('ask' in result) this.#ask(accepted, result.ask);
      else this.#commit(accepted, result);
    } catch (thrown) {
      this.#refuse(accepted, thrown);
    } finally {
      this.#timing.took(command.type, begun);
    }
  }

  /** As {@link #decide}, for an operation in steps. */
  *#steps(accepted: Accepted, steps: DecisionSteps<unknown>): Generator<void, void, void> {
    try {
      const result = yield* steps;
      if ('ask' in result) this.#ask(accepted, result.ask);
      else this.#commit(accepted, result, yield* textsOf(result));
    } catch (thrown) {
      this.#refuse(accepted, thrown);
    }
  }

  /** Whether no other command holds its mailbox. */
  #enters(accepted: Accepted, state: MergedState): boolean {
    accepted.mailbox ||= accepted.operation.mailbox?.(state, accepted.command.input, accepted.answers) ?? '';
    const enters = accepted.mailbox === '' || this.#mailboxes.enter(accepted.mailbox, accepted);
    if (!enters) accepted.since = Number.POSITIVE_INFINITY;
    return enters;
  }

  /** It is decided anew with the answer; until then it holds its mailbox, unless others are to go before it. */
  #ask(accepted: Accepted, ask: Ask): void {
    if (isAfterOthers(ask)) return this.#goOn(this.#behind.fall(ask.question, accepted));
    this.#asks.begin(accepted, ask, (answer) => {
      accepted.answers.push({ ask, answer });
      if (this.#slices.isBusy) this.#waiting.unshift(this.#unanswered.waits(accepted));
      else this.#decide(accepted);
    });
    accepted.since = Number.POSITIVE_INFINITY;
    if (accepted.mailbox) this.#mailboxes.hold(accepted.mailbox, accepted);
  }

  #commit(accepted: Accepted, result: Decision<unknown>, texts?: Texts): void {
    const { jobs, clock } = this.#options;
    const made = (result.jobs ?? []).map((job) => jobs.make(job, accepted.command, accepted.now));
    try {
      const place = { revision: this.#revision + 1, at: clock.now() };
      const stored = made.map((job) => put(jobs.jobs, job));
      const commit = commitOfDecision(accepted, result, place, stored, texts);
      if (commit !== null) this.#revision = this.#overlay.putAll(commit.record, commit.writes);
      this.#decided({ accepted, revision: this.#revision, commit, made, result });
    } catch (thrown) {
      this.#lose(made);
      throw thrown;
    }
  }

  #refuse(accepted: Accepted, thrown: unknown): void {
    const { command } = accepted;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (!(error instanceof ServiceError)) {
      serverLog.error({ err: error, command: command.type, commandId: command.id }, 'a decision failed');
    }
    const commit = commitOfRefusal(accepted, error, { revision: this.#revision + 1, at: this.#options.clock.now() });
    if (commit !== null) this.#revision = commit.record.revision;
    this.#decided({ accepted, revision: this.#revision, commit, made: [], result: { error } });
  }

  /** The command waits for the log, and the next of its mailbox goes on. */
  #decided(unreleased: Unreleased): void {
    this.#outbox.push(unreleased);
    this.#goOn(this.#behind.through(unreleased.accepted));
  }

  #goOn(next: readonly Accepted[]): void {
    for (const waiting of next) this.#lineUp(waiting);
    if (next.length > 0) this.#waiting.goOn();
  }

  /** The group is durable: followers are told of it, then its callers are answered. */
  #landed(group: readonly Unreleased[]): void {
    this.#overlay.drop(group.at(-1)?.revision ?? 0);
    for (const one of group) {
      if (one.commit !== null) this.#options.commits.tell(one.commit);
      this.#unanswered.answer(one);
    }
    this.#waiting.goOn();
  }

  /** The log has gone while nothing was asked of it; whoever is recovering it already need not be told. */
  #lost(error: Error): void {
    if (this.#status === 'open') this.#recover(error);
  }

  /** A group failed, or its reply was lost: nothing is decided until it is known what the log holds. */
  #recover(error: Error): void {
    this.#status = 'recovering';
    void this.#recovery.run(error, this.#interrupt());
  }

  /** Whatever is on its way stops where it is. */
  #interrupt(): Interrupted {
    const { sent, pending } = this.#outbox.takeBack();
    const begun = this.#slices.cancel();
    const underWay = [...(begun === undefined ? [] : [begun]), ...this.#asks.takeBack()];
    for (const accepted of [...sent.map((one) => one.accepted), ...underWay]) accepted.failures++;
    const undecided = new Set([...underWay, ...this.#behind.clear(), ...this.#waiting.take()]);
    this.#overlay.clear();
    return { unreleased: [...sent, ...pending], undecided: [...undecided] };
  }

  /** Whoever waits is told so now, and may try again with the same key; among them those that came during the recovery. */
  #giveUp(as: 'down' | 'stopped', message: string, { unreleased }: Interrupted): void {
    this.#status = as;
    this.#waiting.take();
    for (const { made } of unreleased) this.#lose(made);
    this.#unanswered.refuseAll(message);
  }

  /** What did not land is decided again, before what came meanwhile. */
  #reopen({ lost, again }: Left): void {
    this.#revision = this.#overlay.begin(this.#options.replica.revision());
    for (const { made } of lost) this.#lose(made);
    this.#status = 'open';
    this.#waiting.push(
      ...this.#unanswered.inTime([...again, ...this.#waiting.take()], this.#options.patience.answerMs),
    );
    this.#waiting.goOn();
    this.#options.reopened();
  }

  /** Jobs that are not made after all: their slots are free again. */
  #lose(made: readonly Job[]): void {
    for (const job of made) this.#options.jobs.lost(job);
  }
}
