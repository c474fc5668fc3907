import { messageOf } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause } from '../../shared/time.js';
import { LogBroken } from '../log/log.js';
import type { Overlay } from '../overlay.js';
import type { Accepted, Unreleased } from './accepted.js';
import type { DeciderOptions } from './decider-options.js';
import type { Unanswered } from './unanswered.js';

/** Between two looks whether the log is back, ms. */
const LOOK_MS = 500;

/** A command that was under way in more failures of the log than this is refused: it may be what makes the log fail. */
const DECIDED_ANEW_MAX = 2;

/** What a failure of the log has interrupted, in the order in which it goes on: what was decided, and what was not. */
export interface Interrupted {
  readonly unreleased: readonly Unreleased[];
  readonly undecided: readonly Accepted[];
}

/** What did not land: `lost` decisions, and the commands that are to be decided `again`, or for the first time. */
export interface Left {
  readonly lost: readonly Unreleased[];
  readonly again: readonly Accepted[];
}

export interface RecoveryOptions
  extends Pick<DeciderOptions, 'log' | 'replica' | 'partition' | 'clock' | 'time' | 'patience' | 'commits'> {
  readonly overlay: Overlay;
  readonly unanswered: Unanswered;
  /** Nobody is to wait any longer. */
  readonly down: (message: string) => void;
  readonly isClosed: () => boolean;
}

/**
 * From a failure of the log until it is known what it holds, and whoever looks on knows it too. Where that takes longer than callers are to wait,
 * they are refused: what they asked for may have landed, or land until the log is recovered, and is then told all the same.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #isDown = false;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Undefined: the partition was closed meanwhile. @throws LogBroken */
  async run(interrupted: Interrupted): Promise<Left | undefined> {
    const { partition, time, unanswered, isClosed } = this.#options;
    const { answerMs } = this.#options.patience;
    for (const accepted of interrupted.undecided) unanswered.waits(accepted);
    const late = `it has not been recovered within ${answerMs} ms`;
    const patience = time.after(Math.max(0, answerMs - unanswered.waitedMs()), () => this.#goDown(late));
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
  async #tryOnce({ unreleased }: Interrupted): Promise<readonly Unreleased[] | undefined> {
    try {
      await this.#options.log.recover();
      return await this.#tellLanded(unreleased);
    } catch (thrown) {
      if (thrown instanceof LogBroken) throw thrown;
      if (!this.#options.patience.isStarting) this.#goDown(messageOf(thrown));
      return undefined;
    }
  }

  #goDown(message: string): void {
    if (this.#isDown || this.#options.isClosed()) return;
    this.#isDown = true;
    serverLog.error({ partition: this.#options.partition }, `commands are refused until the log is back: ${message}`);
    this.#options.down(`the log is away: ${message}`);
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
    const landed = Array.from(kept, ({ commit }) => commit).filter((commit) => commit !== null);
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
