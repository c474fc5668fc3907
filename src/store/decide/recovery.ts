import { messageOf } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause } from '../../shared/time.js';
import { LogBroken } from '../log/log.js';
import type { Accepted, Unanswered, Unreleased } from './accepted.js';
import type { DeciderOptions } from './decider-options.js';

/** Between two looks whether the log is back, ms. */
const LOOK_MS = 500;

/** A command that was under way in more failures of the log than this is refused: it may be what makes the log fail. */
const DECIDED_ANEW_MAX = 2;

/** Commands that a failure of the log has interrupted, in the order in which they go on: those that were decided, and those that were not. */
export interface Interrupted {
  readonly unreleased: readonly Unreleased[];
  readonly undecided: readonly Accepted[];
}

/** Whatever did not land: `lost` decisions, and the commands that are to be decided `again`, or for the first time. */
export interface Left {
  readonly lost: readonly Unreleased[];
  readonly again: readonly Accepted[];
}

/** The decider's part in a recovery. */
export interface RecoveryEvents {
  /** Nobody is to wait any longer. `down`: until the log is back; `stopped`: until a start. */
  gaveUp(as: 'down' | 'stopped', message: string, interrupted: Interrupted): void;
  /** The log is back, and whoever looks on knows what it holds: commands are decided again. */
  recovered(left: Left): void;
}

export interface RecoveryOptions
  extends RecoveryEvents,
    Pick<DeciderOptions, 'log' | 'replica' | 'partition' | 'clock' | 'time' | 'patience' | 'commits' | 'overlay'> {
  readonly unanswered: Unanswered;
  readonly isClosed: () => boolean;
}

/**
 * From a failure of the log until it is known what it holds, and whoever looks on knows it too: what landed is told and answered, what did not is
 * decided again. Where that takes longer than callers are to wait, they are refused: what they asked for may have landed, or land until the log is
 * recovered, and is then told all the same.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #isDown = false;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** A group failed with `error`, or its reply was lost; `interrupted`: what was on its way. Resolves when that is over, never rejects. */
  async run(error: Error, interrupted: Interrupted): Promise<void> {
    const { partition, recovered, gaveUp } = this.#options;
    this.#isDown = false;
    serverLog.error({ err: error, partition }, 'the log has failed; it is recovered');
    try {
      if (error instanceof LogBroken) throw error;
      const left = await this.#recover(interrupted);
      if (left !== undefined) recovered(left);
    } catch (broken) {
      serverLog.fatal({ err: broken, partition }, 'the partition is stopped: a decision contradicts what is stored');
      gaveUp('stopped', `partition '${partition}' is stopped: ${messageOf(broken)}`, interrupted);
    }
  }

  /** Undefined: the partition was closed meanwhile. @throws LogBroken */
  async #recover(interrupted: Interrupted): Promise<Left | undefined> {
    const { partition, time, unanswered, isClosed } = this.#options;
    const { answerMs } = this.#options.patience;
    for (const accepted of interrupted.undecided) unanswered.waits(accepted);
    const late = `it has not been recovered within ${answerMs} ms`;
    const left = Math.max(0, answerMs - unanswered.waitedMs());
    const patience = time.after(left, () => this.#goDown(late, interrupted));
    try {
      while (!isClosed()) {
        const lost = await this.#tryOnce(interrupted);
        if (lost === undefined) await pause(time, LOOK_MS);
        else if (!isClosed()) {
          if (this.#isDown) serverLog.info({ partition }, 'the log is back');
          return { lost, again: this.#again([...lost.map(({ accepted }) => accepted), ...interrupted.undecided]) };
        }
      }
      return undefined;
    } finally {
      patience.cancel();
    }
  }

  /** Undefined: it is to be tried again. */
  async #tryOnce(interrupted: Interrupted): Promise<readonly Unreleased[] | undefined> {
    try {
      await this.#options.log.recover();
      return await this.#tellLanded(interrupted.unreleased);
    } catch (thrown) {
      if (thrown instanceof LogBroken) throw thrown;
      if (!this.#options.patience.isStarting) this.#goDown(messageOf(thrown), interrupted);
      return undefined;
    }
  }

  #goDown(message: string, interrupted: Interrupted): void {
    if (this.#isDown || this.#options.isClosed()) return;
    this.#isDown = true;
    serverLog.error({ partition: this.#options.partition }, `commands are refused until the log is back: ${message}`);
    this.#options.gaveUp('down', `the log is away: ${message}`, interrupted);
  }

  /** What landed is told, whoever waits for it or not, and answered as done; gives the rest. */
  async #tellLanded(unreleased: readonly Unreleased[]): Promise<readonly Unreleased[]> {
    const { replica, overlay, clock, commits, unanswered } = this.#options;
    // Whoever looked meanwhile may have read what was there before the last group landed after all, or of another history.
    overlay.clear();
    // Another server may have decided meanwhile: nothing that is stored lies in the future.
    clock.set(replica.lastCommitAt());
    const isKept = ({ commit }: Unreleased) =>
      commit !== null && replica.commitId(commit.record.revision) === commit.record.id;
    const kept = new Set(unreleased.filter(isKept));
    const landed = [...kept].flatMap(({ commit }) => commit ?? []);
    await commits.catchUp(new Map(landed.map((commit) => [commit.record.revision, commit])));
    for (const one of kept) unanswered.answer(one);
    return unreleased.filter((one) => !kept.has(one));
  }

  #again(commands: readonly Accepted[]): readonly Accepted[] {
    const { unanswered } = this.#options;
    return commands.filter((accepted) => {
      if (!unanswered.has(accepted)) return false;
      accepted.answers = [];
      if (accepted.failures <= DECIDED_ANEW_MAX) return true;
      unanswered.refuse(accepted, `the log failed ${accepted.failures} times while this was under way`);
      return false;
    });
  }
}
