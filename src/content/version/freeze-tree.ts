import { operation, put, remove } from '../../store/index.js';
import { workLost } from '../large/large-work.js';
import { type FrozenChunk, type FrozenNode, freezings, frozenChunks, frozenNodes, versionLitter } from './version.js';

/** Input of `beginFreezing`. */
interface BeginFreezing {
  readonly nodeId: string;
  /** One that goes on, as if nothing had been moved or removed so far; null: a new one. */
  readonly freezing: string | null;
}

/** From now on, whatever moves, removes or retypes nodes below says so. Answers the freezing's id. */
export const beginFreezing = operation('beginFreezing', (state, { nodeId, freezing }: BeginFreezing) => {
  const id = freezing ?? state.ids.next();
  return { write: [put(freezings, { id, node: nodeId, started: state.now, broken: false })], answer: id };
});

/** Input of `stageFrozen`: at most 500 documents. */
interface StageFrozen {
  readonly freezing: string;
  readonly nodes: readonly FrozenNode[];
  readonly chunks: readonly FrozenChunk[];
}

/** Writes a part of a frozen tree, to which nothing leads yet. @throws UNAVAILABLE it took too long, and was given up */
export const stageFrozen = operation('stageFrozen', (state, { freezing, nodes, chunks }: StageFrozen) => {
  const known = state.get(freezings, freezing);
  if (known === undefined) throw workLost('freezing');
  const write = [...nodes.map((one) => put(frozenNodes, one)), ...chunks.map((one) => put(frozenChunks, one))];
  return { write: [put(freezings, { ...known, started: state.now }), ...write], answer: null };
});

/** Gives a freezing up: what it has staged is swept. */
export const endFreezing = operation('endFreezing', (state, { freezing }: { readonly freezing: string }) => {
  const known = state.get(freezings, freezing);
  if (known === undefined) return { answer: false };
  const litter = put(versionLitter, { id: known.node, since: state.now });
  return { write: [remove(freezings, freezing), litter], answer: true };
});

/** Input of `endFreezings`. */
interface EndFreezings {
  /** Those that have done nothing since then. ms, domain clock; null: all, as when a server starts. */
  readonly before: number | null;
}

const FREEZINGS_MAX = 200;

/** Gives up what nobody works at any more: what a crash left. Answers how many. */
export const endFreezings = operation('endFreezings', (state, { before }: EndFreezings) => {
  const oldest = state.range(freezings, 'started', [0], FREEZINGS_MAX, { skipDamaged: true });
  const over = oldest.filter(({ started }) => before === null || started < before);
  return {
    write: over.flatMap(({ id, node }) => [remove(freezings, id), put(versionLitter, { id: node, since: state.now })]),
    answer: over.length,
  };
});
