import type { InstanceState } from './instance-state.js';

/** The state of an instance that has not started. */
export const newInstance = (): InstanceState => ({
  next: 1,
  scopes: [{ id: 0, parent: null, element: 0, variables: {} }],
  tokens: [],
});
