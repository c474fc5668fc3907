import { definitionDiff, migrationReport } from '../../engine/index.js';
import type { MutationResolvers, QueryResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';
import { begins } from './batch.js';

type MigrationQueries = Required<Pick<QueryResolvers, 'migrationReport' | 'processDefinitionDiff'>>;

export const migrationQueries: MigrationQueries = {
  migrationReport: (_, { input }, context) =>
    migrationReport({ programs: context.services.programs, state: context.state, caller: context.caller }, input),

  processDefinitionDiff: (_, { sourceId, targetId }, { services, state }) =>
    definitionDiff(services.programs, state, sourceId, targetId),
};

type MigrationMutations = Required<Pick<MutationResolvers, 'createMigrationPlan' | 'migrateProcessInstance'>>;

export const migrationMutations: MigrationMutations = {
  migrateProcessInstance: begins((api) => api.migrateProcessInstance),

  createMigrationPlan: (_, { input }, context, info) =>
    answerOf(context, info, context.services.engine.api.createMigrationPlan, input),
};
