import { nodes } from '../../content/index.js';
import { type Directory, type Nested, type NestedKind, nestedProfileOf } from '../../identity/index.js';
import { limitExceeded } from '../../shared/errors.js';
import { mayAdminister, seesInside } from '../../shared/rights/roles.js';
import type { ApiContext } from '../api-context.js';
import type {
  GroupResolvers,
  GroupTreeNodeResolvers,
  OrderDirection,
  QueryResolvers,
  RoleResolvers,
  RoleTreeNodeResolvers,
} from '../generated/schema.js';
import { keysetConnection } from '../list-field.js';
import { type EitherPage, memoryPage } from '../memory-page.js';
import type { NestedTreeNode } from '../views.js';
import { directoryOf, homeState, memberPage, modifiedOf } from './users.js';

export const nestedQueries: Required<
  Pick<QueryResolvers, 'group' | 'groups' | 'groupTree' | 'role' | 'roles' | 'roleTree'>
> = {
  group: (_, { groupId }, context) => directoryOf(context)?.nested.byId('group', groupId) ?? null,
  role: (_, { roleId }, context) => directoryOf(context)?.nested.byId('role', roleId) ?? null,
  groups: (_, args, context) => {
    const directory = directoryOf(context);
    return nestedPage('groups', directory?.nested.below('group') ?? [], { ...args, first: args.first ?? 50 }, context);
  },
  roles: (_, args, context) => {
    const directory = directoryOf(context);
    return nestedPage(
      'roles',
      directory?.nested.allBelow('role') ?? [],
      { ...args, first: args.first ?? 100 },
      context,
    );
  },
  groupTree: (_, { rootGroupId, maxDepth }, context) => treeOf('group', { rootId: rootGroupId, maxDepth }, context),
  roleTree: (_, { rootRoleId, maxDepth }, context) => treeOf('role', { rootId: rootRoleId, maxDepth }, context),
};

interface NestedArguments extends EitherPage {
  readonly query?: string | null;
  readonly orderBy?: 'GROUP_ID' | 'ROLE_ID' | 'DISPLAY_NAME' | 'CREATED' | null;
  readonly orderDirection?: OrderDirection | null;
}

async function nestedPage<K extends NestedKind>(
  name: string,
  all: readonly Nested<K>[],
  args: NestedArguments,
  { services }: ApiContext,
) {
  const { orderBy, orderDirection } = args;
  const part = args.query ?? '';
  const id = (one: Nested) => services.identity.directory.nested.idOf(one);
  const list = {
    name: `${name}/${orderBy ?? ''}/${orderDirection ?? ''}/${part}`,
    all,
    isWanted: (one: Nested) => [id(one), one.displayName].some((text) => text?.includes(part)),
    value: (one: Nested) => {
      if (orderBy === 'DISPLAY_NAME') return one.displayName;
      return orderBy === 'CREATED' ? one.created : id(one);
    },
    id,
    descending: orderDirection === 'DESC',
  };
  return keysetConnection(await memoryPage(list, args, 0));
}

/** How many groups or roles a tree shows. */
const TREE_MAX = 5_000;

interface TreeArguments {
  readonly rootId: string | null | undefined;
  readonly maxDepth: number | null | undefined;
}

/** @throws LIMIT_EXCEEDED there are more than are shown */
function treeOf(kind: NestedKind, { rootId, maxDepth }: TreeArguments, context: ApiContext): NestedTreeNode[] {
  const directory = directoryOf(context);
  const root = rootId == null || rootId === '' ? kind : directory?.nested.byId(kind, rootId);
  if (directory === undefined || root === undefined) return [];
  if (directory.nested.allBelow(root).length > TREE_MAX)
    throw limitExceeded(`expected at most ${TREE_MAX} ${kind}s below '${rootId ?? ''}', but there are more`);
  const levels = maxDepth ?? Number.MAX_SAFE_INTEGER;
  return levels < 1 ? [] : levelBelow(directory, root, { depth: 0, levels });
}

const levelBelow = (
  directory: Directory,
  of: Nested | NestedKind,
  place: Pick<NestedTreeNode, 'depth' | 'levels'>,
): NestedTreeNode[] => directory.nested.below(of).map((nested) => ({ nested, ...place }));

/** Whether the caller is told what it is for, and what it gives. */
const isInside = (nested: Nested, { caller, services }: ApiContext): boolean =>
  seesInside(
    caller,
    nested.kind,
    nested.kind === 'group' ? nested.name : services.identity.directory.nested.idOf(nested),
  );

const descriptionOf = (nested: Nested, context: ApiContext): string | null => {
  const node = isInside(nested, context) ? homeState(context).get(nodes, nested.profileId) : undefined;
  return node === undefined ? null : nestedProfileOf(node).description;
};

type Of = (nested: Nested, args: unknown, context: ApiContext) => unknown;

const common = {
  depth: (nested, _, { services }) => services.identity.directory.nested.above(nested).length,
  hasChildren: (nested, _, { services }) => services.identity.directory.nested.below(nested).length > 0,
  descendantCount: (nested, _, { services }) => services.identity.directory.nested.allBelow(nested).length,
  description: (nested, _, context) => descriptionOf(nested, context),
  lastModified: ({ profileId }, _, context) => modifiedOf(context, profileId),
} satisfies Readonly<Record<string, Of>>;

const idOf = (nested: Nested, _: unknown, { services }: ApiContext): string =>
  services.identity.directory.nested.idOf(nested);

export const groupResolvers: GroupResolvers = {
  ...common,
  groupId: idOf,
  ancestors: (group, _, { services }) => services.identity.directory.nested.above(group),
  parent: (group, _, { services }) => services.identity.directory.nested.above(group).at(-1) ?? null,
  roles: (group, _, context) =>
    isInside(group, context) ? context.services.identity.directory.nested.of('role', group.roles) : [],
  members: (group, page, context) => memberPage(group, { isNested: false, page }, context),
  effectiveMembers: (group, page, context) => memberPage(group, { isNested: true, page }, context),
};

export const roleResolvers: RoleResolvers = {
  ...common,
  roleId: idOf,
  ancestors: (role, _, { services }) => services.identity.directory.nested.above(role),
  parent: (role, _, { services }) => services.identity.directory.nested.above(role).at(-1) ?? null,
  members: (role, page, context) => memberPage(role, { isNested: false, page }, context),
};

const treeNode = {
  name: ({ nested }: NestedTreeNode) => nested.name,
  displayName: ({ nested }: NestedTreeNode) => nested.displayName,
  hasChildren: ({ nested }: NestedTreeNode, _: unknown, { services }: ApiContext) =>
    services.identity.directory.nested.below(nested).length > 0,
  children: ({ nested, depth, levels }: NestedTreeNode, _: unknown, { services }: ApiContext) =>
    depth + 1 >= levels ? [] : levelBelow(services.identity.directory, nested, { depth: depth + 1, levels }),
};

export const groupTreeNodeResolvers: GroupTreeNodeResolvers = {
  ...treeNode,
  groupId: ({ nested }, args, context) => idOf(nested, args, context),
  memberCount: ({ nested }, _, { caller, services }) => {
    const { directory } = services.identity;
    if (mayAdminister(caller)) return directory.memberCount(nested);
    return directory.user(caller.userId)?.memberOf.includes(nested.profileId) === true ? 1 : 0;
  },
};

export const roleTreeNodeResolvers: RoleTreeNodeResolvers = {
  ...treeNode,
  roleId: ({ nested }, args, context) => idOf(nested, args, context),
};
