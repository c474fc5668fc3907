import { ServiceError } from '../../shared/errors.js';
import { collection } from '../collection.js';
import type { Answered, Asking, Decision, FeedEvent, Operation } from '../decision.js';
import { operation, put } from '../decision.js';
import { newIncident, openIncident } from '../incident/transition.js';
import type { State } from '../state.js';

/** An entry that failed this often is passed over, with an incident. */
const REACTION_TRIES_MAX = 5;

/** The entry that a reaction is shown: a hint to look at the state as it is now. It may be shown twice. */
export interface ReactionEntry {
  readonly event: FeedEvent;
  readonly revision: number;
  readonly index: number;
}

/** A named consumer of a partition's durable feed, run by its decider. */
export interface Reaction {
  readonly name: string;
  /** The event types that it wants. */
  readonly types: readonly string[];
  /** Whether an event of these types is any of its business. What is not is passed over without a commit. Default: all are. */
  concerns?(event: FeedEvent): boolean;
  react(
    state: State,
    entry: ReactionEntry,
    context: { readonly answers: readonly Answered[] },
  ): Decision<unknown> | Asking;
  /** What it does when entries that it was not shown are gone from the feed: it has been at rest. Default: nothing. */
  missed?(state: State): Decision<unknown>;
}

/** The place that a reaction has come to. It moves in the same commit as what the entry caused. */
export interface ReactionPosition {
  /** The reaction's name. */
  readonly id: string;
  readonly revision: number;
  readonly index: number;
  /** How often the entry behind this position has failed. */
  readonly failures: number;
}

export const reactionPositions = collection<ReactionPosition>({ name: 'reaction' });

/** The history that an entry is of: of another than the present one it says nothing. */
interface OfHistory {
  readonly epoch: string;
}

export interface React extends OfHistory {
  readonly name: string;
  readonly entry: ReactionEntry;
}

export interface MoveReaction extends OfHistory {
  readonly name: string;
  readonly revision: number;
  readonly index: number;
}

export interface PassReaction extends React {
  readonly message: string;
}

/** Operations of the host of reactions. */
export interface ReactionOperations {
  readonly react: Operation<React, null>;
  readonly moveReaction: Operation<MoveReaction, null>;
  /** Moves it behind what is gone from the feed. */
  readonly missReaction: Operation<MoveReaction, null>;
  readonly failReaction: Operation<PassReaction, null>;
}

/** `epochNow`: of the partition's present history. What was sent by a former one comes to nothing. */
export function reactionOperations(reactions: readonly Reaction[], epochNow: () => string): ReactionOperations {
  const byName = new Map(reactions.map((reaction) => [reaction.name, reaction]));
  return {
    react: operation('react', (state, { name, entry, epoch }, context) => {
      if (epoch !== epochNow()) return { answer: null };
      const reaction = byName.get(name);
      if (reaction === undefined) throw new ServiceError('NOT_FOUND', `there is no reaction '${name}'`);
      const position = { id: name, revision: entry.revision, index: entry.index, failures: 0 };
      if (isPast(state.get(reactionPositions, name), entry)) return { answer: null };
      const result = reaction.react(state, entry, context);
      if ('ask' in result) return result;
      return { ...result, write: [...(result.write ?? []), put(reactionPositions, position)], answer: null };
    }),
    moveReaction: operation('moveReaction', (_state, { name, revision, index, epoch }) => {
      if (epoch !== epochNow()) return { answer: null };
      return { write: [put(reactionPositions, { id: name, revision, index, failures: 0 })], answer: null };
    }),
    missReaction: operation('missReaction', (state, { name, revision, index, epoch }) => {
      if (epoch !== epochNow()) return { answer: null };
      const position = { id: name, revision, index, failures: 0 };
      const result = byName.get(name)?.missed?.(state) ?? { answer: null };
      return { ...result, write: [...(result.write ?? []), put(reactionPositions, position)], answer: null };
    }),
    failReaction: operation('failReaction', (state, input) =>
      input.epoch === epochNow() ? failed(state, input) : { answer: null },
    ),
  };
}

/** Counts the failure; the last one passes the entry over. */
function failed(state: State, { name, entry, message }: PassReaction): Decision<null> {
  const before = state.get(reactionPositions, name) ?? { id: name, revision: 0, index: -1, failures: 0 };
  const failures = before.failures + 1;
  if (failures < REACTION_TRIES_MAX) return { write: [put(reactionPositions, { ...before, failures })], answer: null };
  const { write, events } = openIncident(
    newIncident(state, {
      type: 'failedReaction',
      message: `reaction '${name}' passed over ${entry.event.type} (${entry.revision}.${entry.index}): ${message}`,
      instanceId: entry.event.ids.processInstanceId ?? null,
      configuration: `${name}:${entry.revision}:${entry.index}`,
    }),
  );
  const position = { id: name, revision: entry.revision, index: entry.index, failures: 0 };
  return { write: [put(reactionPositions, position), ...write], events, answer: null };
}

const isPast = (position: ReactionPosition | undefined, entry: ReactionEntry): boolean =>
  position !== undefined &&
  (position.revision > entry.revision || (position.revision === entry.revision && position.index >= entry.index));
