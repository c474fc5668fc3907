import type { InstanceState, Token } from '../element/instance-state.js';
import { divide, missed, type Part, rootOf } from '../element/large-scope.js';

// What rests in large scopes takes a migration only when it is brought back (`followed`), so until then a run must not see it, even if it is there, as it is when runs are replayed.

/** View of a run on tokens that rest in large scopes. */
export interface Seen {
  /** Only these tokens. Absent: all but those that have missed a move. */
  readonly here?: readonly number[];
  /** Those that were brought back, and have missed one: they take it first. */
  readonly followed: readonly number[];
}

/** Takes out of the state what the run must not see. */
export function putAside(state: InstanceState, { here, followed }: Seen): readonly Part[] {
  if (state.moves === undefined && here === undefined) return NONE;
  const { here: others, parts } = divide(state);
  const isAside = (part: Part): boolean => {
    const root = rootOf(part);
    if (root === undefined) return true;
    return here === undefined ? !followed.includes(root.id) && missed(state, root).length > 0 : !here.includes(root.id);
  };
  const aside = parts.filter(isAside);
  if (aside.length === 0) return NONE;
  const seen = parts.filter((part) => !aside.includes(part));
  state.tokens = inOrder([...others.tokens, ...seen.flatMap(({ tokens }) => tokens)]);
  state.scopes = [...others.scopes, ...seen.flatMap(({ scopes }) => scopes)];
  return aside;
}

const NONE: readonly Part[] = [];

/** Puts it back as it was. */
export function putBack(state: InstanceState, aside: readonly Part[]): void {
  if (aside.length === 0) return;
  state.tokens = inOrder([...state.tokens, ...aside.flatMap(({ tokens }) => tokens)]);
  state.scopes.push(...aside.flatMap(({ scopes }) => scopes));
}

const inOrder = (tokens: Token[]): Token[] => tokens.sort((a, b) => a.id - b.id);
