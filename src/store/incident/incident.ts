import { assign, setup } from 'xstate';
import type { ActorOf } from '../actor.js';
import { collection } from '../collection.js';

/** What the incident's actor knows. */
export interface IncidentContext {
  readonly annotation: string | null;
}

/** An incident: a failure that needs an operator. */
export const incidentMachine = setup({
  types: {
    context: {} as IncidentContext,
    events: {} as { type: 'resolve' } | { type: 'annotate'; annotation: string | null },
  },
  actions: { annotate: assign({ annotation: ({ event }) => ('annotation' in event ? event.annotation : null) }) },
}).createMachine({
  id: 'incident',
  initial: 'open',
  context: { annotation: null },
  states: {
    open: { on: { resolve: 'resolved', annotate: { actions: 'annotate' } } },
    resolved: { type: 'final' },
  },
});

/** An incident as it is stored. Resolved ones are removed. */
export interface Incident {
  readonly id: string;
  /** `failedJob`, `failedReaction`, or what the creator of a custom incident says. */
  readonly type: string;
  readonly message: string | null;
  readonly stackTrace: string | null;
  /** ms */
  readonly created: number;
  readonly activityId: string | null;
  readonly executionId: string | null;
  readonly instanceId: string | null;
  readonly definitionId: string | null;
  readonly definitionKey: string | null;
  readonly jobId: string | null;
  readonly causeIncidentId: string | null;
  readonly rootCauseIncidentId: string | null;
  /** A custom incident's payload; the job's id for `failedJob`. */
  readonly configuration: string | null;
  readonly actor: ActorOf<typeof incidentMachine>;
}

/** The open incidents of a partition. */
export const incidents = collection<Incident>({
  name: 'incident',
  columns: {
    type: (incident) => incident.type,
    created: (incident) => incident.created,
    activityId: (incident) => incident.activityId,
    instanceId: (incident) => incident.instanceId,
    definitionId: (incident) => incident.definitionId,
    definitionKey: (incident) => incident.definitionKey,
    jobId: (incident) => incident.jobId,
  },
  indexes: {
    created: { columns: ['created'] },
    instance: { columns: ['instanceId', 'created'] },
    definition: { columns: ['definitionId', 'created'] },
    key: { columns: ['definitionKey', 'created'] },
    job: { columns: ['jobId'] },
  },
});
