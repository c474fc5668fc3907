import type { ApiOperations, BatchBegun } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { longJobId, longJobs, type Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';

type BatchMutations = Required<
  Pick<
    MutationResolvers,
    | 'modifyProcessInstances'
    | 'restartProcessInstances'
    | 'setJobRetriesAsync'
    | 'setExternalTaskRetriesAsync'
    | 'setVariablesAsync'
    | 'abortBatch'
  >
>;

type Info = Parameters<typeof answerOf>[1];

/** The resolver of a mutation that begins a batch. */
export const begins =
  <I>(chosen: (api: ApiOperations) => Operation<I, BatchBegun>) =>
  (_: unknown, { input }: { readonly input: I }, context: ApiContext, info: Info): Promise<BatchBegun> =>
    answerOf(context, info, chosen(context.services.engine.api), input);

/** The resolvers of work on many instances: `schema/bpm-batch.graphql`. */
export const batchMutations: BatchMutations = {
  modifyProcessInstances: begins((api) => api.modifyProcessInstances),
  restartProcessInstances: begins((api) => api.restartProcessInstances),
  setJobRetriesAsync: begins((api) => api.setJobRetriesAsync),
  setExternalTaskRetriesAsync: begins((api) => api.setExternalTaskRetriesAsync),
  setVariablesAsync: begins((api) => api.setVariablesAsync),

  async abortBatch(_, { id }, context, info) {
    const type = context.services.engine.longJobTypes.find((one) => one.type === typeOf(context, id));
    if (type === undefined) throw noBatch(id);
    const { abortLongJob } = context.services.longJobs;
    const { status } = await answerOf(context, info, abortLongJob, { jobId: id, type: type.type });
    return { id, jobType: type.type, status, abortable: type.abortable !== false && OPEN.includes(status) };
  },
};

const OPEN: readonly BatchBegun['status'][] = ['init', 'queued', 'running'];

const typeOf = ({ state }: ApiContext, id: string): string | undefined => state.get(longJobs, longJobId(id))?.type;

const noBatch = (id: string) =>
  badRequest(`expected the id of a batch, but '${id}' is none`, { reason: 'batch_unknown', resourceId: id });
