import { activityName } from '../../engine/index.js';
import { type Incident, jobs } from '../../store/index.js';
import type { IncidentResolvers } from '../generated/schema.js';

export const incidentResolvers: IncidentResolvers = {
  incidentTimestamp: ({ created }) => created,
  activityName: (incident, _, { services, reading }) => activityName(services.programs, reading, incident),
  processInstanceId: ({ instanceId }) => instanceId,
  processDefinitionId: ({ definitionId }) => definitionId,
  processDefinitionKey: ({ definitionKey }) => definitionKey,
  jobRetries: ({ jobId }, _, context) => context.find(jobs, jobId ?? '')?.actor.context.retries ?? 0,
  annotation: ({ actor }) => actor.context.annotation,
  tenantId: () => null,
};

/** The incident with or without its stack trace. */
export const shownIncident =
  (withStackTrace: boolean) =>
  (incident: Incident): Incident =>
    withStackTrace ? incident : { ...incident, stackTrace: null };
