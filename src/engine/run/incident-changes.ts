import { ServiceError } from '../../shared/errors.js';
import {
  type FeedEvent,
  type Incident,
  incidentMachine,
  incidents,
  jobs,
  type State,
  step,
} from '../../store/index.js';
import { type ProcessInstance, processInstances } from '../collections.js';
import type { Changes } from './changes.js';

/** Tells of an incident. `data` is the incident. */
export const incidentEvent = (name: 'created' | 'resolved' | 'updated', incident: Incident): FeedEvent => ({
  type: `incident.${name}`,
  ids: {
    incidentId: incident.id,
    processInstanceId: incident.instanceId,
    definitionId: incident.definitionId,
    definitionKey: incident.definitionKey,
  },
  data: incident,
});

/** Removes an incident and tells of it; its instance counts by itself. @throws CONFLICT (it is resolved) */
export function closeIncident(changes: Changes, incident: Incident): void {
  const actor = step(incidentMachine, incident.actor, { type: 'resolve' });
  if (actor === undefined) {
    throw new ServiceError(
      'CONFLICT',
      `expected incident '${incident.id}' to be open, but it is ${incident.actor.value}`,
    );
  }
  changes.remove(incidents, incident.id);
  changes.event(incidentEvent('resolved', { ...incident, actor }));
}

/** Adds to the incidents that an instance shows; nothing where there is no such instance. */
export function countIncidents(changes: Changes, state: State, instanceId: string | null, by: number): void {
  const instance = instanceId === null ? undefined : changes.current(state, processInstances, instanceId);
  if (instance !== undefined) changes.put(processInstances, counted(instance, by));
}

export const counted = (instance: ProcessInstance, by: number): ProcessInstance => ({
  ...instance,
  incidentCount: Math.max(0, instance.incidentCount + by),
});

/** Removes all incidents of an instance that ended, and the dead jobs behind them. Gives how many there were. */
export function closeIncidentsOf(changes: Changes, state: State, instance: ProcessInstance): number {
  if (instance.incidentCount === 0) return 0;
  const open = state.find(incidents, 'instance', [instance.id]);
  for (const incident of open) {
    if (changes.current(state, incidents, incident.id) === undefined) continue;
    closeIncident(changes, incident);
    if (incident.jobId !== null && state.get(jobs, incident.jobId)?.actor.value === 'dead') {
      changes.remove(jobs, incident.jobId);
    }
  }
  return open.length;
}
