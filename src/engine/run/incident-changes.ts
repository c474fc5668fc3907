import { ServiceError } from '../../shared/errors.js';
import {
  type FeedEvent,
  type Incident,
  type IncidentAction,
  type IncidentEvent,
  incidentMachine,
  incidents,
  jobs,
  type Performers,
  perform,
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

/** Takes an incident through an event, with all that this causes; its instance counts by itself. @throws CONFLICT (it is resolved) */
export function moveIncident(changes: Changes, before: Incident, event: IncidentEvent): void {
  const [actor, actions] = step(incidentMachine, before.actor, event, () => incidentNotOpen(before));
  perform(incidentPerformers, actions, { changes, incident: { ...before, actor } });
}

interface IncidentScene {
  readonly changes: Changes;
  /** As it is after the transition. */
  readonly incident: Incident;
}

/** One performer for each action that the incident's machine names. */
export const incidentPerformers: Performers<IncidentAction, IncidentScene> = {
  store: ({ changes, incident }) => changes.put(incidents, incident),
  remove: ({ changes, incident }) => changes.remove(incidents, incident.id),
  tellUpdated: ({ changes, incident }) => changes.event(incidentEvent('updated', incident)),
  tellResolved: ({ changes, incident }) => changes.event(incidentEvent('resolved', incident)),
};

const incidentNotOpen = ({ id, actor }: Incident) =>
  new ServiceError('CONFLICT', `expected incident '${id}' to be open, but it is ${actor.value}`);

/** Adds to the incidents that an instance shows; nothing where there is no such instance. */
export function countIncidents(changes: Changes, state: State, instanceId: string | null, by: number): void {
  const instance = instanceId === null ? undefined : changes.current(state, processInstances, instanceId);
  if (instance !== undefined) changes.put(processInstances, counted(instance, by));
}

export const counted = (instance: ProcessInstance, by: number): ProcessInstance =>
  by === 0 ? instance : { ...instance, incidentCount: Math.max(0, instance.incidentCount + by) };

/** Removes all incidents of an instance that ended, and the dead jobs behind them. Gives how many there were. */
export function closeIncidentsOf(changes: Changes, state: State, instance: ProcessInstance): number {
  if (instance.incidentCount === 0) return 0;
  const open = state.find(incidents, 'instance', [instance.id]);
  for (const incident of open) {
    if (changes.current(state, incidents, incident.id) === undefined) continue;
    moveIncident(changes, incident, { type: 'resolve' });
    if (incident.jobId !== null && state.get(jobs, incident.jobId)?.actor.value === 'dead') {
      changes.remove(jobs, incident.jobId);
    }
  }
  return open.length;
}
