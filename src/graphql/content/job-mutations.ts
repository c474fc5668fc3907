import type { GraphQLResolveInfo } from 'graphql';
import type { LongJobRef } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherName } from '../arguments.js';
import type { MutationResolvers, StartImportArchiveInput, TakenIdentifiers, TakenPaths } from '../generated/schema.js';
import { answerOf } from '../mutate.js';

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

/** The resolvers of deletes, archives and imports as long jobs: `schema/content-job.graphql`. */
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
  startImportArchive: (_, { input }, context, info) => start('import-archive', importIn(input), context, info),
  abortImportArchive: (_, { input }, context, info) => abort('import-archive', input, context, info),
};

/** An import as its job takes it, by whichever names it was given. @throws BAD_REQUEST something is given by two names */
function importIn(input: StartImportArchiveInput): { readonly jobId: string; readonly parameters: unknown } {
  const { jobId, destPath: _to, takenIdentifiers: _identifiers, takenPaths: _paths, ...parameters } = input;
  const identifiers = eitherName(input, 'takenIdentifiers', 'uuidBehavior');
  const paths = eitherName(input, 'takenPaths', 'pathBehavior');
  return {
    jobId,
    parameters: {
      ...parameters,
      destinationPath: eitherName(input, 'destPath', 'destinationPath'),
      uuidBehavior: typeof identifiers === 'string' ? IDENTIFIERS.indexOf(identifiers) : identifiers,
      pathBehavior: typeof paths === 'string' ? PATHS.indexOf(paths) : paths,
    },
  };
}

/** Behaviours in the order of the numbers that they had before they had names. */
const IDENTIFIERS: readonly TakenIdentifiers[] = ['FAIL', 'NEW_WHERE_TAKEN', 'NEW_FOR_ALL'];
const PATHS: readonly TakenPaths[] = ['FAIL', 'SKIP', 'REPLACE'];

type Type = 'delete' | 'archive' | 'import-archive';

async function init(
  type: Type,
  { priority }: { readonly priority?: number | null },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  const { initLongJob } = context.services.longJobs;
  return answerOf(context, info, initLongJob, { type, priority: priority ?? null });
}

async function append(
  type: Type,
  { jobId, paths }: { readonly jobId: string; readonly paths: readonly string[] },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  const { appendLongJobItems } = context.services.longJobs;
  return answerOf(context, info, appendLongJobItems, { type, jobId, items: paths });
}

async function start(
  type: Type,
  input: { readonly jobId: string; readonly parameters: unknown },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  return answerOf(context, info, context.services.longJobs.startLongJob, { type, ...input });
}

async function abort(
  type: Type,
  { jobId }: { readonly jobId: string },
  context: ApiContext,
  info: GraphQLResolveInfo,
): Promise<LongJobRef> {
  return answerOf(context, info, context.services.longJobs.abortLongJob, { type, jobId });
}
