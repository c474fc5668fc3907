import type { GraphQLResolveInfo } from 'graphql';
import type { LongJobRef } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate } from '../mutate.js';

type JobMutations = Required<
  Pick<
    MutationResolvers,
    | 'initDeleteNodes'
    | 'appendDeleteNodes'
    | 'startDeleteNodes'
    | 'abortDeleteNodes'
    | 'initDownloadArchive'
    | 'appendDownloadArchive'
    | 'startDownloadArchive'
    | 'abortDownloadArchive'
    | 'initImportArchive'
    | 'startImportArchive'
    | 'abortImportArchive'
  >
>;

/** The resolvers of `schema/content-job.graphql`. */
export const jobMutations: JobMutations = {
  initDeleteNodes: (_, { input }, context, info) => init('delete', input, context, info),
  appendDeleteNodes: (_, { input }, context, info) => append('delete', input, context, info),
  startDeleteNodes: (_, { input: { jobId } }, context, info) =>
    start('delete', { jobId, parameters: null }, context, info),
  abortDeleteNodes: (_, { input }, context, info) => abort('delete', input, context, info),

  initDownloadArchive: (_, { input }, context, info) => init('archive', input, context, info),
  appendDownloadArchive: (_, { input }, context, info) => append('archive', input, context, info),
  startDownloadArchive: (_, { input: { jobId, ...parameters } }, context, info) =>
    start('archive', { jobId, parameters }, context, info),
  abortDownloadArchive: (_, { input }, context, info) => abort('archive', input, context, info),

  initImportArchive: (_, { input }, context, info) => init('import-archive', input, context, info),
  startImportArchive: (_, { input: { jobId, ...parameters } }, context, info) =>
    start('import-archive', { jobId, parameters }, context, info),
  abortImportArchive: (_, { input }, context, info) => abort('import-archive', input, context, info),
};

type Type = 'delete' | 'archive' | 'import-archive';

async function init(
  type: Type,
  { priority }: { readonly priority?: number | null },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  const { initLongJob } = context.services.longJobs;
  return (await mutate(context, info, initLongJob, { type, priority: priority ?? null })).answer;
}

async function append(
  type: Type,
  { jobId, paths }: { readonly jobId: string; readonly paths: readonly string[] },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  const { appendLongJobItems } = context.services.longJobs;
  return (await mutate(context, info, appendLongJobItems, { type, jobId, items: paths })).answer;
}

async function start(
  type: Type,
  input: { readonly jobId: string; readonly parameters: unknown },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  return (await mutate(context, info, context.services.longJobs.startLongJob, { type, ...input })).answer;
}

async function abort(
  type: Type,
  { jobId }: { readonly jobId: string },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  return (await mutate(context, info, context.services.longJobs.abortLongJob, { type, jobId })).answer;
}
