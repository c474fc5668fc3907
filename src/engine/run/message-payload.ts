import type { Variables } from '../element/instance-state.js';

/** Variables that a message carries. */
export interface MessagePayload {
  /** Set where the name is known from the receiver outwards, else on its process. */
  readonly variables: Variables;
  /** Set on the receiver's own scope. */
  readonly localVariables: Variables;
  /** Set on the scope that begins by it, where one does, else on the receiver's own. Absent: there are none. */
  readonly scopeVariables?: Variables | undefined;
}

/** What a message carries, as runs and jobs hold it: what there is none of is left out. */
export const carried = ({ variables, localVariables, scopeVariables = {} }: MessagePayload) => ({
  variables,
  ...(isAny(localVariables) && { localVariables }),
  ...(isAny(scopeVariables) && { scopeVariables }),
});

/** All of it, as an instance that it starts has it: what is nearest to the receiver counts. */
export const startedWith = ({ variables, localVariables, scopeVariables }: MessagePayload): Variables => ({
  ...variables,
  ...localVariables,
  ...scopeVariables,
});

const isAny = (variables: Variables): boolean => Object.keys(variables).length > 0;
