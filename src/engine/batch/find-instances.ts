import { mayManageInstance } from '../../shared/rights/processes.js';
import type { State } from '../../store/index.js';
import { type ProcessInstance, processInstances } from '../collections.js';
import type { Page, PageRequest } from './batch-type.js';
import { all, along, type Index, nextPage } from './walk.js';

/** Which process instances are meant: all that is said must hold. */
export interface InstanceFilter {
  readonly definitionId?: string | null;
  readonly definitionKey?: string | null;
  readonly businessKey?: string | null;
  /** Default: those that run, suspended or not. */
  readonly states?: readonly ProcessInstance['actor']['value'][] | null;
  /** ms */
  readonly startedBefore?: number | null;
  readonly startedAfter?: number | null;
}

/** Those that run. */
const RUNNING = ['active', 'suspended'] as const;

/** The next of the instances that the caller may manage, oldest first. */
export function findInstances(state: State, filter: InstanceFilter, { after, until, caller }: PageRequest): Page {
  const states = new Set<string>(filter.states ?? RUNNING);
  const end = Math.min(until, filter.startedBefore ?? until);
  const walk = {
    ...chosenIndex(filter),
    collection: processInstances,
    from: filter.startedAfter ?? 0,
    at: ({ startTime }: ProcessInstance) => startTime,
  };
  return nextPage(
    state,
    { ...walk, goesOn: (one) => walk.goesOn(one) && one.startTime <= end },
    after,
    (one) => states.has(one.actor.value) && meets(one, filter) && mayManageInstance(caller, one),
  );
}

/** The index with the fewest others in it. */
function chosenIndex({ businessKey, definitionId, definitionKey }: InstanceFilter): Index<ProcessInstance> {
  if (businessKey != null) return along('business', (one) => one.businessKey, businessKey);
  if (definitionId != null) return along('definition', (one) => one.definitionId, definitionId);
  if (definitionKey != null) return along('key', (one) => one.definitionKey, definitionKey);
  return all('started');
}

const meets = (one: ProcessInstance, { definitionId, definitionKey }: InstanceFilter): boolean =>
  (definitionId == null || one.definitionId === definitionId) &&
  (definitionKey == null || one.definitionKey === definitionKey);
