import { withoutNote } from '../../engine/index.js';
import { incidents, jobs } from '../../store/index.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate, settled } from '../mutate.js';
import { itself, ofInput, sends } from './sends.js';

type OperatorMutations = Required<
  Pick<
    MutationResolvers,
    | 'setJobRetries'
    | 'setRetriesOfJob'
    | 'setJobDueDate'
    | 'resolveIncident'
    | 'setIncidentAnnotation'
    | 'createIncident'
    | 'executeJob'
    | 'advanceClock'
  >
>;

export const operatorMutations: OperatorMutations = {
  async setJobRetries(_, { input }, context, info) {
    // It is resolved by the command, and gone behind it.
    const incident = context.find(incidents, input.incidentId);
    await mutate(context, info, context.services.engine.api.setJobRetries, input);
    if (incident === undefined) return null;
    return input.clearAnnotation ? withoutNote(incident) : incident;
  },

  resolveIncident: sends((api) => api.resolveIncident, itself),

  setIncidentAnnotation: ofInput(
    sends(
      (api) => api.setIncidentAnnotation,
      (id, context) => context.find(incidents, id) ?? null,
    ),
  ),

  createIncident: ofInput(
    sends(
      (api) => api.createIncident,
      (id, context) => required(context.find(incidents, id), 'incident', id),
    ),
  ),

  async setRetriesOfJob(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const { answer } = await mutate(context, info, context.services.engine.api.setRetriesOfJob, args);
    return required(context.find(jobs, answer) ?? job, 'job', answer);
  },

  async setJobDueDate(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const { answer } = await mutate(context, info, context.services.engine.api.setJobDueDate, args);
    return required(context.find(jobs, answer) ?? job, 'job', answer);
  },

  async executeJob(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const sent = await mutate(context, info, context.services.engine.api.executeJob, args);
    // What a job sets off is known by the command that the job itself came from.
    await settled(context, job?.cause.commandId ?? sent.commandId);
    context.changed(sent.revision);
    return context.find(jobs, args.id) ?? null;
  },

  async advanceClock(_, { by, to }, context) {
    context.aside(true);
    return context.services.advanceClock({ by: by ?? null, to: to ?? null }, context.caller);
  },
};
