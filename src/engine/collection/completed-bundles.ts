import { collection, type Document } from '../../store/documents.js';
import type { Scope } from '../element/instance-state.js';
import type { SpilledVariable } from './running.js';

/** Activities that have completed together and can be compensated, stored apart from their instance. Id: `<instance>/<bundle>`. */
export interface CompletedBundle extends Document {
  readonly instanceId: string;
  /** The bundle, and what the activities in it have left behind. */
  readonly scopes: Scope[];
  readonly spilled: readonly SpilledVariable[];
}

export const completedBundles = collection<CompletedBundle>({
  name: 'completedBundle',
  mutable: true, // The interpreter goes on with the scopes where they are.
  packed: true,
  copy: (it) => ({ id: it.id, instanceId: it.instanceId, scopes: it.scopes, spilled: it.spilled }),
  implied: {
    instanceId: (it) => it.id.slice(0, it.id.lastIndexOf('/')),
    spilled: () => [],
  },
  steady: ['instanceId'],
  columns: { instanceId: (it) => it.instanceId },
  indexes: { instance: { columns: ['instanceId'] } },
});

export const bundleId = (instanceId: string, bundle: number): string => `${instanceId}/${bundle}`;
