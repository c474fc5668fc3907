import type { EipApi, Route } from '../../eip/index.js';
import { ServiceError } from '../../shared/errors.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate, required } from '../mutate.js';
import { routeIn } from './route.js';

type Info = Parameters<typeof mutate>[1];

/** Resolves when the runtime has done what it is to do for the routes, or nobody should wait for it any longer. */
export async function routesSettled(context: ApiContext, ids: readonly string[], revision: number): Promise<void> {
  const { services, workspace, aside } = context;
  aside(true);
  try {
    await services.eip.settled(workspace.partition.id, ids, services.answerWaitMs);
  } finally {
    aside(false);
  }
  // What became of them is read anew.
  context.changed(revision);
}

/** Sends it, and waits for what it causes; gives the ids of the routes that it was about. */
export async function sendToRoutes<I, A extends string | readonly string[]>(
  context: ApiContext,
  info: Info,
  operation: Operation<I, A>,
  input: I,
): Promise<readonly string[]> {
  const { answer, revision } = await mutate(context, info, operation, input);
  const ids: readonly string[] = typeof answer === 'string' ? [answer] : answer;
  await routesSettled(context, ids, revision);
  return ids;
}

type One = 'startRoute' | 'stopRoute' | 'suspendRoute' | 'resumeRoute';
type OperateMutations = Required<Pick<MutationResolvers, One | 'startAllRoutes' | 'stopAllRoutes'>>;

const ofOne =
  (chosen: (api: EipApi) => EipApi[One]) =>
  async (
    _: unknown,
    { input }: { readonly input: { readonly id: string; readonly timeout?: number | null } },
    context: ApiContext,
    info: Info,
  ): Promise<Route> => {
    const [id = input.id] = await sendToRoutes(context, info, chosen(context.services.eip.api), input);
    return required(routeIn(context, id), 'route', id);
  };

/** As {@link ofOne}, of what is to run then. @throws EXECUTION_FAILED it does not */
const starting =
  (chosen: (api: EipApi) => EipApi[One]) =>
  async (...args: Parameters<ReturnType<typeof ofOne>>): Promise<Route> =>
    startedOr(await ofOne(chosen)(...args));

/** @throws EXECUTION_FAILED it did not start */
export function startedOr(route: Route): Route {
  const { id, actor, fault } = route;
  if (fault === null || actor.value === 'Started') return route;
  throw new ServiceError('EXECUTION_FAILED', `expected route '${id}' to start, but it did not: ${fault.message}`, {
    reason: 'route_not_started',
    resourceId: id,
    details: { exceptionType: fault.exceptionType ?? null },
  });
}

const routesLeft = (context: ApiContext, ids: readonly string[]): Route[] =>
  ids.flatMap((id) => routeIn(context, id) ?? []);

export const operateMutations: OperateMutations = {
  startRoute: starting((api) => api.startRoute),
  stopRoute: ofOne((api) => api.stopRoute),
  suspendRoute: ofOne((api) => api.suspendRoute),
  resumeRoute: starting((api) => api.resumeRoute),
  startAllRoutes: async (_, __, context, info) =>
    routesLeft(context, await sendToRoutes(context, info, context.services.eip.api.startAllRoutes, {})),
  stopAllRoutes: async (_, args, context, info) =>
    routesLeft(context, await sendToRoutes(context, info, context.services.eip.api.stopAllRoutes, args)),
};
