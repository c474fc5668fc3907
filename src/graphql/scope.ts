import type { GraphQLResolveInfo } from 'graphql';
import { SYSTEM_WORKSPACE } from '../identity/index.js';
import type { ScopedDomain } from '../shared/caller.js';
import { refuseScoped, requireScope } from '../shared/scope.js';
import type { ApiContext } from './api-context.js';
import type { Resolvers } from './generated/schema.js';

type Root = 'Query' | 'Mutation' | 'Subscription';

const ACCESS = { Query: 'READ', Mutation: 'WRITE', Subscription: 'READ' } as const;
/** What no token may do: it would outlive its end. */
const NEVER: Readonly<Record<string, string>> = {
  createApiToken: 'make a token',
  changePassword: 'change a password',
  resetPassword: 'change a password',
};

/**
 * The resolvers with root fields that ask first whether they are in the scope of whoever is limited to one: reading or writing, the workspace, and
 * the domain, which `domains` says; a field that none of them has lies in none, and takes the workspace `system`, too.
 */
export function scoped<R extends Resolvers>(resolvers: R, domains: readonly (readonly [ScopedDomain, Resolvers])[]): R {
  const domainOf = (root: Root, field: string) => domains.find(([, of]) => Object.hasOwn(of[root] ?? {}, field))?.[0];
  const within = (root: Root) => {
    const fields = Object.entries(resolvers[root] ?? {}).map(([field, resolver]) => {
      const ask: Ask = (context) => requireInScope(context, root, field, domainOf(root, field) ?? null);
      return [field, asking(ask, resolver as Resolver)];
    });
    return Object.fromEntries(fields) as object;
  };
  return { ...resolvers, Query: within('Query'), Mutation: within('Mutation'), Subscription: within('Subscription') };
}

/** @throws FORBIDDEN */
function requireInScope(
  { caller, workspace }: ApiContext,
  root: Root,
  field: string,
  domain: ScopedDomain | null,
): void {
  if (caller.proof?.scope === undefined) return;
  const never = NEVER[field];
  if (never !== undefined) refuseScoped(caller, never);
  const needed = { access: ACCESS[root], domain };
  requireScope(caller, { ...needed, workspace: workspace.partition.id });
  // What lies in none is about `system`, wherever it is asked.
  if (domain === null)
    requireScope({ ...caller, workspace: SYSTEM_WORKSPACE }, { ...needed, workspace: SYSTEM_WORKSPACE });
}

type Ask = (context: ApiContext) => void;
type Resolve = (root: unknown, args: unknown, context: ApiContext, info: GraphQLResolveInfo) => unknown;
type Resolver = Resolve | { readonly resolve?: Resolve; readonly subscribe?: Resolve };

/** An event of a subscription is in scope as its beginning was. */
function asking(ask: Ask, resolver: Resolver): Resolver {
  const first =
    (resolve: Resolve): Resolve =>
    (root, args, context, info) => {
      ask(context);
      return resolve(root, args, context, info);
    };
  if (typeof resolver === 'function') return first(resolver);
  const { subscribe, ...rest } = resolver;
  return subscribe === undefined ? rest : { ...rest, subscribe: first(subscribe) };
}
