import { unavailable } from '../../shared/errors.js';
import type { Time, Timer } from '../../shared/time.js';
import { AFTER_OTHERS, type Ask } from '../decision.js';
import type { Accepted, Mailboxes } from './accepted.js';

/** For how long a command lets others go before it, in ms. */
export const BEHIND_MS = 30_000;

/** How many commands may do so for one mailbox. */
const BEHIND_MAX = 100;

/** Commands that let others of a mailbox go before them: each is decided anew when one of these has been. They hold nothing meanwhile. */
export class Behind {
  readonly #time: Pick<Time, 'monotonic' | 'after'>;
  readonly #mailboxes: Mailboxes<Accepted>;
  readonly #refuse: (late: Accepted, message: string) => void;
  readonly #all = new Map<string, Map<Accepted, Timer>>();
  #isClosed = false;

  constructor(
    time: Pick<Time, 'monotonic' | 'after'>,
    mailboxes: Mailboxes<Accepted>,
    refuse: (late: Accepted, message: string) => void,
  ) {
    this.#time = time;
    this.#mailboxes = mailboxes;
    this.#refuse = refuse;
  }

  /**
   * The command waits until another one of the mailbox has been decided, or for too long. Gives those that have waited for the mailbox that it held itself.
   * @throws UNAVAILABLE too many wait so already, or it has for too long
   */
  fall(name: string, accepted: Accepted): Accepted[] {
    accepted.behindSince ??= this.#time.monotonic();
    const left = accepted.behindSince + BEHIND_MS - this.#time.monotonic();
    const behind = this.#all.get(name) ?? new Map<Accepted, Timer>();
    if (left <= 0 || behind.size >= BEHIND_MAX || this.#isClosed) throw unavailable(tooLong(name));
    const timer = this.#time.after(left, () => {
      if (behind.delete(accepted)) this.#refuse(accepted, tooLong(name));
    });
    this.#all.set(name, behind.set(accepted, timer));
    const next = accepted.mailbox ? this.#mailboxes.leave(accepted.mailbox, accepted) : [];
    Object.assign(accepted, { mailbox: '', answers: [], since: Number.POSITIVE_INFINITY });
    accepted.aside?.(true);
    return next;
  }

  /** The command has been decided; gives those that have waited for its mailbox, or have let it go before them. */
  through(accepted: Accepted): Accepted[] {
    const { mailbox } = accepted;
    return mailbox ? [...this.#mailboxes.leave(mailbox, accepted), ...this.#next(mailbox)] : [];
  }

  #next(name: string): Accepted[] {
    const behind = this.#all.get(name);
    this.#all.delete(name);
    return behind === undefined ? [] : goingOn(behind);
  }

  /** Forgets them, and all that the mailboxes know; gives all that held one or waited. */
  clear(): Accepted[] {
    return [...this.#mailboxes.clear(), ...[...this.#all.keys()].flatMap((name) => this.#next(name))];
  }

  /** Refuses all of them, and whoever is to wait from now on. */
  close(): void {
    this.#isClosed = true;
    for (const name of [...this.#all.keys()]) for (const each of this.#next(name)) this.#refuse(each, tooLong(name));
  }
}

export const isAfterOthers = (ask: Ask): ask is Ask & { readonly question: string } => ask.kind === AFTER_OTHERS;

const tooLong = (name: string) => `others of '${name}' go before it, try again later`;

function goingOn(behind: ReadonlyMap<Accepted, Timer>): Accepted[] {
  return Array.from(behind, ([accepted, timer]) => {
    timer.cancel();
    accepted.aside?.(false);
    return accepted;
  });
}
