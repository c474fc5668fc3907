import type { GraphQLResolveInfo } from 'graphql';
import { connection } from '../../shared/connection.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { cursorsOf, PAGE_MAX } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { AuditEntryResolvers, MutationResolvers, QueryResolvers } from '../generated/schema.js';

export const auditQueries: Required<Pick<QueryResolvers, 'auditLog'>> = {
  auditLog: async (_, { first, after, user, type, from, to }, { caller, services, workspace }) => {
    if (!mayAdminister(caller))
      throw new ServiceError(
        'FORBIDDEN',
        `expected an administrator to read the audit log, but '${caller.userId}' is none`,
      );
    const size = sizeOf(first ?? 50);
    const filter = {
      ...{ userId: user ?? undefined, type: type ?? undefined, from: from ?? undefined, to: to ?? undefined },
    };
    const cursors = cursorsOf(`auditLog/${JSON.stringify(filter)}`, 1);
    const behind = after == null ? undefined : String(cursors.decode(after)[0]);
    const found = await services.audit.read(workspace.partition.id, filter, { limit: size + 1, behind });
    const rows = found.slice(0, size).map(({ row, place }) => ({ row, cursor: cursors.encode([place]) }));
    const page = { rows, hasNextPage: found.length > size, hasPreviousPage: behind !== undefined, totalCount: null };
    return connection(page, ({ row }) => row);
  },
};

export const auditEntryResolvers: AuditEntryResolvers = { timestamp: ({ at }) => at, count: ({ count }) => count ?? 1 };

function sizeOf(first: number): number {
  if (first < 0) throw badRequest(`expected 'first' to be a whole number from 0, but it is ${first}`);
  if (first > PAGE_MAX) throw limitExceeded(`expected 'first' to be at most ${PAGE_MAX}, but it is ${first}`);
  return first;
}

/** The mutations, each of which is in the audit log where it is refused; what is done is there as a commit. */
export function audited<M extends MutationResolvers>(mutations: M): M {
  const each = Object.entries(mutations).map(([name, resolve]) => [name, noting(resolve as Resolve)]);
  return Object.fromEntries(each) as M;
}

type Resolve = (root: unknown, args: Args, context: ApiContext, info: GraphQLResolveInfo) => unknown;
type Args = Readonly<Record<string, unknown>>;

const noting =
  (resolve: Resolve): Resolve =>
  async (root, args, context, info) => {
    try {
      const answer = await resolve(root, args, context, info);
      const outcome = refusalIn(answer);
      if (outcome !== undefined) noteRefused(context, info.fieldName, { args, outcome });
      return answer;
    } catch (thrown) {
      const outcome = thrown instanceof ServiceError ? thrown.code : 'INTERNAL_ERROR';
      const resourceId = thrown instanceof ServiceError ? thrown.info.resourceId : undefined;
      noteRefused(context, info.fieldName, { args, outcome, resourceId });
      throw thrown;
    }
  };

/** Why the payload says that nothing was changed, as those of users, groups and roles do. */
function refusalIn(answer: unknown): string | undefined {
  const { errors } = (answer ?? {}) as { readonly errors?: readonly { readonly code?: string }[] | null };
  return Array.isArray(errors) ? errors[0]?.code : undefined;
}

interface Refused {
  readonly args: Args;
  readonly outcome: string;
  readonly resourceId?: string | undefined;
}

/** Notes a mutation that was refused: who, which one, why, and what it names. */
function noteRefused(
  { caller, services, workspace }: ApiContext,
  type: string,
  { args, outcome, resourceId }: Refused,
): void {
  const { userId } = caller;
  const targets = [...new Set([...(resourceId === undefined ? [] : [resourceId]), ...namesIn(args)])];
  services.audit.note(workspace.partition.id, { userId, type, targets: targets.slice(0, TARGETS_MAX), outcome });
}

/** Notes a mutation that was done and is in no commit. */
export function noteDone(
  { caller, services, workspace }: ApiContext,
  type: string,
  { target, outcome }: { readonly target?: string; readonly outcome: 'DONE' | 'FAILED' },
): void {
  const targets = target === undefined ? [] : [target.slice(0, NAME_LENGTH_MAX)];
  services.audit.note(workspace.partition.id, { userId: caller.userId, type, targets, outcome });
}

const TARGETS_MAX = 10;
const NAME_LENGTH_MAX = 512;
/** The arguments, and the fields of `input`, that name what a mutation is about. Others may hold values, and are never kept. */
const NAMING = [
  'path',
  'id',
  'name',
  'taskId',
  'username',
  'groupId',
  'roleId',
  'processInstanceId',
  'jobId',
  'processDefinitionKey',
];

function namesIn(args: Args): string[] {
  const input = (typeof args.input === 'object' && args.input !== null ? args.input : {}) as Args;
  const given = NAMING.flatMap((name) => [args[name], input[name]]);
  return given.filter((text) => typeof text === 'string').map((text) => text.slice(0, NAME_LENGTH_MAX));
}
