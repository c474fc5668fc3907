import type { AuditEntry } from '../../shared/audit.js';
import type { Time, Timer } from '../../shared/time.js';

/** In each period so many entries of a kind are noted one by one; those beyond are counted, and noted as one at its end. */
const PERIOD_MS = 10_000;
const NOTED_MAX = 20;
/** So many kinds are told apart; whoever makes up names makes no more. */
const KINDS_MAX = 1_000;

interface Kind {
  readonly partition: string;
  noted: number;
  /** The last one that was not noted by itself, and how many there were. */
  held: Omit<AuditEntry, 'at'> | undefined;
  count: number;
}

/** Keeps a flood of calls that are refused from filling the audit log: who is refused again and again is told as a few entries with their number. */
export class Flood {
  readonly #time: Time;
  readonly #note: (partition: string, entry: Omit<AuditEntry, 'at'>) => void;
  readonly #kinds = new Map<string, Kind>();
  #timer: Timer | undefined;

  constructor(time: Time, note: (partition: string, entry: Omit<AuditEntry, 'at'>) => void) {
    this.#time = time;
    this.#note = note;
  }

  note(partition: string, entry: Omit<AuditEntry, 'at'>): void {
    const kind = this.#kindOf(partition, entry);
    if (kind.noted < NOTED_MAX) {
      kind.noted++;
      this.#note(partition, entry);
    } else {
      kind.held = entry;
      kind.count++;
    }
    this.#timer ??= this.#time.after(PERIOD_MS, () => this.flush());
  }

  /** Notes what was counted; another period begins. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const { partition, held, count } of this.#kinds.values())
      if (held !== undefined) this.#note(partition, count === 1 ? held : { ...held, targets: [], count });
    this.#kinds.clear();
  }

  #kindOf(partition: string, { userId, type, outcome }: Omit<AuditEntry, 'at'>): Kind {
    const shared = JSON.stringify([partition, type, outcome]);
    const own = JSON.stringify([partition, type, outcome, userId]);
    // Who is locked out may give any name.
    const isOwn = outcome !== 'RATE_LIMITED' && (this.#kinds.has(own) || this.#kinds.size < KINDS_MAX);
    const key = isOwn ? own : shared;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const kind: Kind = { partition, noted: 0, held: undefined, count: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}
