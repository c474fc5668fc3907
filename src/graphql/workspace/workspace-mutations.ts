import type { GraphQLResolveInfo } from 'graphql';
import { ServiceError } from '../../shared/errors.js';
import type { RefusalDetails, WorkspaceSettings } from '../../workspace/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers, WorkspaceMutationError } from '../generated/schema.js';
import { systemAnswerOf } from '../mutate.js';

type JobMutation = 'createWorkspace' | 'deleteWorkspace' | 'startWorkspace' | 'stopWorkspace' | 'restartWorkspace';

interface Named {
  readonly name: string;
}

/** Begins a job about a workspace. */
const beginning =
  (operation: JobMutation) =>
  async (_: unknown, { input: { name } }: { readonly input: Named }, context: ApiContext, info: GraphQLResolveInfo) =>
    told(async () => {
      const api = context.services.workspaces;
      const { jobId, status } = await systemAnswerOf(context, info, api[operation], { name });
      return { jobId, status, name };
    });

export const workspaceMutations: Required<Pick<MutationResolvers, JobMutation | 'updateWorkspace'>> = {
  createWorkspace: beginning('createWorkspace'),
  deleteWorkspace: beginning('deleteWorkspace'),
  startWorkspace: beginning('startWorkspace'),
  stopWorkspace: beginning('stopWorkspace'),
  restartWorkspace: beginning('restartWorkspace'),
  updateWorkspace: (_, { input }, context, info) =>
    told(async () => {
      const { name, displayName, autoStart, bpmEnabled, eipEnabled } = input;
      const given: Partial<WorkspaceSettings> = {
        ...(displayName !== undefined && { displayName }),
        // Of what is true or false, null says nothing.
        ...(autoStart != null && { autoStart }),
        ...(bpmEnabled != null && { bpmEnabled }),
        ...(eipEnabled != null && { eipEnabled }),
      };
      const { updateWorkspace } = context.services.workspaces;
      return { workspace: await systemAnswerOf(context, info, updateWorkspace, { name, ...given }) };
    }),
};

/** The payload; what is refused is told in it. */
async function told<P extends object>(
  work: () => Promise<P>,
): Promise<Partial<P> & { readonly errors: readonly WorkspaceMutationError[] | null }> {
  try {
    return { ...(await work()), errors: null };
  } catch (thrown) {
    return { errors: refusalsOf(thrown) } as Partial<P> & { readonly errors: readonly WorkspaceMutationError[] };
  }
}

/** @throws what is no refusal of an operation on workspaces */
function refusalsOf(thrown: unknown): readonly WorkspaceMutationError[] {
  const details = thrown instanceof ServiceError ? thrown.info.details : undefined;
  const { refusal, field } = (details ?? {}) as Partial<RefusalDetails>;
  if (!(thrown instanceof ServiceError) || refusal === undefined) throw thrown;
  return [{ code: refusal, message: thrown.message, field: field ?? null }];
}
