import { ServiceError } from '../../shared/errors.js';
import { type Performers, perform, start, step } from '../actor.js';
import { type FeedEvent, put, remove, type Write } from '../decision.js';
import type { State } from '../state.js';
import {
  type Incident,
  type IncidentAction,
  type IncidentEvent,
  type IncidentSubject,
  incidentMachine,
  incidents,
} from './incident.js';

/** Writes and events of an incident that opens, or goes through an event. */
export interface IncidentChanges {
  readonly write: readonly Write[];
  readonly events: readonly FeedEvent[];
}

/** Facts of a new incident; those that are left out are null, and the id is a new one. */
type IncidentFacts = Pick<Incident, 'type' | 'message'> & Partial<Omit<Incident, 'created' | 'actor'>>;

/** An incident as it opens. */
export const newIncident = (state: Pick<State, 'ids' | 'now'>, facts: IncidentFacts): Incident => ({
  id: facts.id ?? state.ids.next(),
  stackTrace: null,
  created: state.now,
  activityId: null,
  executionId: null,
  instanceId: null,
  definitionId: null,
  definitionKey: null,
  jobId: null,
  causeIncidentId: null,
  rootCauseIncidentId: null,
  configuration: null,
  ...facts,
  actor: start(incidentMachine, { annotation: null }),
});

/** A failed job as its incident tells of it. */
interface FailedJob {
  readonly id: string;
  readonly failure: { readonly message: string; readonly stack?: string | null } | null;
}

/** The incident that a dead job opens. */
export const incidentOf = (state: State, { id, failure }: FailedJob, about: IncidentSubject): Incident =>
  newIncident(state, {
    type: 'failedJob',
    message: failure?.message ?? null,
    stackTrace: failure?.stack ?? null,
    ...about,
    jobId: id,
    configuration: id,
  });

/** An event of an incident: it was created, updated or resolved. Its data is the incident. */
const incidentEvent = (name: 'created' | 'updated' | 'resolved', incident: Incident): FeedEvent => ({
  type: `incident.${name}`,
  ids: {
    incidentId: incident.id,
    processInstanceId: incident.instanceId,
    definitionId: incident.definitionId,
    definitionKey: incident.definitionKey,
  },
  data: incident,
});

/** Opens an incident: it is written, and its subscribers hear of it. */
export const openIncident = (incident: Incident): IncidentChanges => ({
  write: [put(incidents, incident)],
  events: [incidentEvent('created', incident)],
});

/** Takes an incident through an event, with all that this causes; its instance counts by itself. @throws CONFLICT (it is resolved) */
export function moveIncident(before: Incident, event: IncidentEvent): IncidentChanges {
  const [actor, actions] = step(incidentMachine, before.actor, event, () => incidentNotOpen(before));
  const scene: IncidentScene = { incident: { ...before, actor }, write: [], events: [] };
  perform(incidentPerformers, actions, scene);
  return scene;
}

interface IncidentScene {
  /** As it is after the transition. */
  readonly incident: Incident;
  readonly write: Write[];
  readonly events: FeedEvent[];
}

/** One performer for each action that the incident's machine names. */
export const incidentPerformers: Performers<IncidentAction, IncidentScene> = {
  store: ({ write, incident }) => write.push(put(incidents, incident)),
  remove: ({ write, incident }) => write.push(remove(incidents, incident.id)),
  tellUpdated: ({ events, incident }) => events.push(incidentEvent('updated', incident)),
  tellResolved: ({ events, incident }) => events.push(incidentEvent('resolved', incident)),
};

const incidentNotOpen = ({ id, actor }: Incident) =>
  new ServiceError('CONFLICT', `expected incident '${id}' to be open, but it is ${actor.value}`);
