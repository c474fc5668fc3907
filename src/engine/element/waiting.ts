import type { Program } from '../model/program.js';
import type { Armed, InstanceState, Token, Wait } from './instance-state.js';

/** A token with what it waits for. */
export interface Waiting {
  readonly token: Token;
  readonly wait: Wait;
  /** The boundary event, or the event behind an event-based gateway, that waits; absent where the token itself does. */
  readonly armed?: Armed;
}

/** The token that waits for the task, the job or the subscription of this id. */
export function waitOf(state: InstanceState, id: string): Waiting | undefined {
  for (const token of state.tokens) {
    if (token.wait !== undefined && isFor(token.wait, id)) return { token, wait: token.wait };
    const armed = token.boundaries?.find(({ wait }) => isFor(wait, id));
    if (armed !== undefined) return { token, wait: armed.wait, armed };
  }
  return undefined;
}

/** The ids of the elements that hold a token, in the order of the tokens, each once; of a sub-process what is active inside of it. */
export function activeActivityIds(program: Program, state: InstanceState): string[] {
  const inner = state.tokens.filter(({ wait }) => wait?.kind !== 'scope');
  return [...new Set(inner.map(({ element }) => program.elements[element]?.id ?? ''))];
}

const isFor = (wait: Wait, id: string) => 'id' in wait && wait.id === id;
