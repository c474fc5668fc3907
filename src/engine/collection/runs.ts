import { timeOfId } from '../../shared/ids.js';
import { type Answered, collection, type Document } from '../../store/documents.js';
import type { Decided, HistoryEntry, Input, TaskFacts } from '../element/instance-state.js';

/** One command on an instance: its history, and what replaying it needs. Id: `<instance>:<n>`. */
export interface Run extends Document {
  readonly instanceId: string;
  /** Counts the instance's commands from 1. */
  readonly n: number;
  /** The operation: `completeTask`. */
  readonly type: string;
  /** ms */
  readonly at: number;
  readonly userId: string;
  /** W3C trace context of the command; absent where none was traced. */
  readonly traceparent?: string;
  readonly definitionId: string;
  readonly history: readonly HistoryEntry[];
  /** null: the command is large; its JSON text is in that many {@link pieces}. */
  readonly command: RunCommand | null;
  readonly pieces: number;
}

/** Command that moved the tokens: replayed through the interpreter in the order of `n` it gives the stored state. */
export interface RunCommand {
  /** null: the command moved no token (suspended, activated). */
  readonly input: Input | null;
  readonly seed: string;
  /** The rules that it was made by; absent: 1. */
  readonly rules?: number;
  /** Absent: nothing was asked. */
  readonly answers?: readonly Answered[];
  /** Steps that the run took; a cut run is cut there again. */
  readonly steps: number;
  /** Tokens that were brought back for it and took a migration first; absent: none. */
  readonly followed?: readonly number[];
  /** Tokens that were brought back, where a modification was to go on in it; absent: none was, or nothing rested. */
  readonly here?: readonly number[];
  /** Whether it stalled there: too many steps had been taken since the last wait. */
  readonly stalled?: boolean;
  /** The instance's business key before the run; absent: the run left it as it was. */
  readonly businessKey?: string | null;
  /** The caller's groups, where the run asked for them; absent: it did not, or there were none. */
  readonly groups?: readonly string[];
  /** Kinds of the handlers under the names that the run asked for; absent: it asked for none. */
  readonly handlers?: Readonly<Record<string, 'inline' | 'call' | null>>;
  /** Tasks as the run's listeners saw them when they asked; null: there was none; absent: they asked for none. */
  readonly tasks?: Readonly<Record<string, TaskFacts | null>>;
  /** Decisions that were evaluated, in order, with what came of them; those that were asked for have it among the answers. Absent: there were none. */
  readonly decisions?: readonly Decided[];
  /** The instance's subscriptions to what the run threw, by `<type> <name>`; absent: there were none. */
  readonly subscribed?: Readonly<Record<string, readonly string[]>>;
}

/** Names a message or signal in {@link RunCommand.subscribed}. */
export const subscribedKey = (type: 'message' | 'signal', name: string): string => `${type} ${name}`;

export const runs = collection<Run>({
  name: 'run',
  seldomRead: true,
  packed: true,
  copy: (it) => ({
    id: it.id,
    instanceId: it.instanceId,
    n: it.n,
    type: it.type,
    at: it.at,
    userId: it.userId,
    traceparent: it.traceparent,
    definitionId: it.definitionId,
    history: it.history,
    command: it.command,
    pieces: it.pieces,
  }),
  implied: {
    instanceId: (it) => it.id.slice(0, it.id.lastIndexOf(':')),
    n: (it) => Number(it.id.slice(it.id.lastIndexOf(':') + 1)),
    at: (it) => timeOfId(it.instanceId),
    pieces: () => 0,
  },
});

/** The runs of an instance are found by their ids: it knows how many there are. */
export const runId = (instanceId: string, n: number): string => `${instanceId}:${n}`;
