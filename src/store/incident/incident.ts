import { assign, setup } from 'xstate';
import { maySupervise } from '../../shared/rights/roles.js';
import { type ActorOf, caused } from '../actor.js';
import { collection } from '../collection.js';

/** Context of an incident's actor. */
interface IncidentContext {
  readonly annotation: string | null;
}

export type IncidentEvent =
  /** `clear`: whoever hears of it hears no note. */
  { type: 'resolve'; clear?: boolean } | { type: 'annotate'; annotation: string | null };

/** Actions of an incident's transitions: it is written or gone, and its subscribers hear of it. */
export interface IncidentAction {
  readonly type: 'store' | 'remove' | 'tellUpdated' | 'tellResolved';
  readonly params?: undefined;
}

/** An incident: a failure that needs an operator. */
export const incidentMachine = setup({
  types: { context: {} as IncidentContext, events: {} as IncidentEvent },
  guards: { clears: ({ event }) => 'clear' in event && event.clear === true },
  actions: {
    annotate: assign({ annotation: ({ event }) => ('annotation' in event ? event.annotation : null) }),
    clear: assign({ annotation: null }),
    store: caused,
    remove: caused,
    tellUpdated: caused,
    tellResolved: caused,
  },
}).createMachine({
  id: 'incident',
  initial: 'open',
  context: { annotation: null },
  states: {
    open: {
      on: {
        resolve: [
          { guard: 'clears', target: 'resolved', actions: ['clear', 'remove', 'tellResolved'] },
          { target: 'resolved', actions: ['remove', 'tellResolved'] },
        ],
        annotate: { actions: ['annotate', 'store', 'tellUpdated'] },
      },
    },
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
    instance: { columns: ['instanceId', 'created'], few: true },
    definition: { columns: ['definitionId', 'created'] },
    key: { columns: ['definitionKey', 'created'] },
    job: { columns: ['jobId'] },
  },
  visible: maySupervise,
  seesAll: maySupervise,
});

/** Subject of an incident; fields that are left out are null. */
export type IncidentSubject = Partial<
  Pick<Incident, 'activityId' | 'executionId' | 'instanceId' | 'definitionId' | 'definitionKey'>
>;
