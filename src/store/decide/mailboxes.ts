import { unavailable } from '../../shared/errors.js';
import type { Accepted } from './accepted.js';

/** How many commands may wait behind one that asks, by default. */
export const MAILBOX_COMMANDS_MAX = 100;

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
