import { unavailable } from '../../shared/errors.js';
import type { Time } from '../../shared/time.js';
import type { Answered, AnyOperation, Command } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import type { Job } from '../job/job.js';

/** The answer of a command, as it is given once the decision is durable. */
export interface Done {
  readonly answer: unknown;
  /** The newest revision that was decided before the answer was given. */
  readonly revision: number;
}

/** Told whether a command waits for an answer that it asked for, or for another command that does: nothing of the decider's own is then done for it. */
export type Aside = (isAside: boolean) => void;

/** A command that was taken in and is not answered yet. */
export interface Accepted {
  readonly command: Command;
  readonly operation: AnyOperation;
  readonly seed: string;
  readonly now: number;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: Error) => void;
  answers: Answered[];
  readonly aside?: Aside | undefined;
  mailbox?: string;
  /** Since when it waits to be decided or to be durable, monotonic ms; Infinity: an ask keeps it, its own or that of one before it in its mailbox. */
  since: number;
  /** In how many failures of the log it was under way. */
  failures: number;
  /** Since when it lets others of a mailbox go before it, monotonic ms. */
  behindSince?: number;
}

/** A decided command that was not answered yet: a commit, or a reply alone. */
export interface Unreleased {
  readonly accepted: Accepted;
  readonly revision: number;
  readonly commit: Committed | null;
  /** The jobs that it made; each may hold a slot. */
  readonly made: readonly Job[];
  readonly result: { readonly answer: unknown } | { readonly error: Error };
}

/** A recovery may take this part of the time that a group may, for those who wait: 2 s in all by default. */
const RECOVERED_PART = 3;

/** The commands that were taken and not answered yet. Here alone they are answered, each once. */
export class Unanswered {
  readonly #time: Pick<Time, 'monotonic'>;
  readonly #all = new Set<Accepted>();
  #idle: (() => void)[] = [];

  constructor(time: Pick<Time, 'monotonic'>) {
    this.#time = time;
  }

  add(accepted: Accepted): void {
    this.#all.add(accepted);
  }

  has(accepted: Accepted): boolean {
    return this.#all.has(accepted);
  }

  /** It waits from now on, if it does not already. */
  waits(accepted: Accepted): Accepted {
    accepted.since = Math.min(accepted.since, this.#time.monotonic());
    return accepted;
  }

  /** A command that was decided, unless it was refused meanwhile. */
  answer({ accepted, revision, result }: Unreleased): void {
    if (!this.#all.delete(accepted)) return;
    if ('error' in result) accepted.reject(result.error);
    else accepted.resolve({ answer: result.answer, revision });
    this.#look();
  }

  /** Without a decision: UNAVAILABLE. */
  refuse(accepted: Accepted, message: string): void {
    if (!this.#all.delete(accepted)) return;
    accepted.reject(unavailable(message));
    this.#look();
  }

  /** Those of the commands that may still be decided when a recovery ends; with the time that the log may take then, the others would wait for too long. */
  inTime(commands: readonly Accepted[], answerMs: number): Accepted[] {
    const from = this.#time.monotonic() - answerMs / RECOVERED_PART;
    return commands.filter((accepted) => {
      const isInTime = accepted.since >= from;
      if (!isInTime) this.refuse(accepted, 'the log had to be recovered');
      return isInTime;
    });
  }

  refuseAll(message: string): void {
    for (const accepted of this.#all) this.refuse(accepted, message);
  }

  /** For how long the oldest has been waiting to be decided or to be durable, ms; 0: none is. */
  waitedMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { since } of this.#all) oldest = Math.min(oldest, since);
    return Math.max(0, this.#time.monotonic() - oldest);
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    while (this.#all.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #look(): void {
    if (this.#all.size > 0 || this.#idle.length === 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** How many commands may wait behind one that asks, by default. */
const MAILBOX_COMMANDS_MAX = 100;

/** The commands that wait until an earlier one of the same mailbox is through. Only a command that asks holds its mailbox. */
export class Mailboxes<C extends Pick<Accepted, 'aside'>> {
  readonly #max: number;
  readonly #held = new Map<string, { holder: C; waiting: C[] }>();

  constructor(max: number = MAILBOX_COMMANDS_MAX) {
    this.#max = max;
  }

  /** Whether the command may go on; otherwise it waits. @throws UNAVAILABLE when too many wait already */
  enter(name: string, command: C): boolean {
    const box = this.#held.get(name);
    if (box === undefined || box.holder === command) return true;
    if (box.waiting.length >= this.#max) {
      throw unavailable(`expected at most ${this.#max} commands to wait for '${name}', try again later`, {
        reason: 'mailbox_full',
        resourceId: name,
      });
    }
    box.waiting.push(command);
    command.aside?.(true);
    return false;
  }

  /** The command asks: whoever comes next for this mailbox waits. */
  hold(name: string, command: C): void {
    if (!this.#held.has(name)) this.#held.set(name, { holder: command, waiting: [] });
  }

  /** The command is through; gives those that waited, in order. */
  leave(name: string, command: C): C[] {
    const box = this.#held.get(name);
    if (box?.holder !== command) return [];
    this.#held.delete(name);
    return goingOn(box.waiting);
  }

  /** Forgets everything; gives all that held or waited. */
  clear(): C[] {
    const all = [...this.#held.values()].flatMap(({ holder, waiting }) => [holder, ...goingOn(waiting)]);
    this.#held.clear();
    return all;
  }
}

function goingOn<C extends Pick<Accepted, 'aside'>>(commands: C[]): C[] {
  for (const { aside } of commands) aside?.(false);
  return commands;
}
