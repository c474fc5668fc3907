import { idSource } from '../../shared/ids.js';
import { systemTime } from '../../shared/time.js';
import { MergedState } from '../merged-state.js';
import { Replica } from '../replica.js';
import type { State } from '../state.js';
import type { QueryContext } from './reader-module.js';

/**
 * The documents that a query reads, as a decision would see them, without a limit of how many: rules that decide can be asked by a query too.
 * `now`: the domain clock's time, ms.
 */
export function snapshotState({ log, revision }: QueryContext, partition: string, now: number): State {
  const replica = new Replica({ prepare: (sql) => log.prepare(sql), close: () => {} });
  const facts = { now, ids: idSource(systemTime.seed(), now), partition, nextRevision: () => revision + 1 };
  return new MergedState({ ...facts, readMax: Number.MAX_SAFE_INTEGER - 1 }, replica, null);
}
