import { log } from '../../shared/log.js';

/** Whose try it was, by what was typed as a name, and from where. */
interface Tried {
  readonly name: string;
  readonly address: string;
}

/** Writes a line of the log. */
type WriteLine = (level: 'info' | 'warn', facts: Readonly<Record<string, unknown>>, message: string) => void;

/** Calls back once, after `ms`. Does not keep the process alive. */
type After = (ms: number, ring: () => void) => void;

/**
 * Log lines of sign-ins that failed or were refused, and of lock-outs. Of each kind some are written at once; of a flood, the rest is one line
 * with their number, every ten seconds. Names are what a stranger typed: they are cut, and have no control characters. No line has a password.
 */
export class SignInLog {
  readonly #write: WriteLine;
  readonly #after: After;
  /** By message: how many were written in the present period, and how many were not. */
  readonly #periods = new Map<string, { written: number; folded: number }>();

  constructor(
    write: WriteLine = (level, facts, message) => log[level](facts, message),
    after: After = (ms, ring) => void setTimeout(ring, ms).unref(),
  ) {
    this.#write = write;
    this.#after = after;
  }

  failed({ name, address }: Tried): void {
    this.#line('info', { user: shown(name), address }, 'a sign-in failed');
  }

  /** A try while its name or network is locked out: its password was not looked at. */
  refused({ name, address }: Tried): void {
    this.#line('info', { user: shown(name), address }, 'a sign-in was refused after too many that failed');
  }

  nameLockedOut({ name, network, windowMs }: { name: string; network: string; windowMs: number }): void {
    this.#line('warn', { user: shown(name), network, windowMs }, 'a name is locked out from a network');
  }

  networkLockedOut({ network, windowMs }: { network: string; windowMs: number }): void {
    this.#line('warn', { network, windowMs }, 'a network is locked out');
  }

  /** Writes what is counted and not yet told. */
  flush(): void {
    for (const message of [...this.#periods.keys()]) this.#end(message);
  }

  #line(level: 'info' | 'warn', facts: Readonly<Record<string, unknown>>, message: string): void {
    let period = this.#periods.get(message);
    if (period === undefined) {
      period = { written: 0, folded: 0 };
      this.#periods.set(message, period);
      this.#after(PERIOD_MS, () => this.#end(message));
    }
    if (period.written >= LINES_MAX) {
      period.folded++;
      return;
    }
    period.written++;
    this.#write(level, facts, message);
  }

  #end(message: string): void {
    const folded = this.#periods.get(message)?.folded ?? 0;
    this.#periods.delete(message);
    if (folded > 0) this.#write('warn', { more: folded, withinMs: PERIOD_MS }, message);
  }
}

const PERIOD_MS = 10_000;
/** Lines of one kind in a period. */
const LINES_MAX = 20;
const NAME_LENGTH_MAX = 64;

/** The name as far as it is shown; what cannot be seen, or would change how a line looks, as its code. */
function shown(name: string): string {
  const cut = name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}\\]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}
