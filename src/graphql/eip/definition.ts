import { fileOf, ROUTES_READ_MAX, type RouteTemplate, readTemplate, routeTemplates } from '../../eip/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { seesDefinitions } from '../../shared/rights/routes.js';
import type { ApiContext } from '../api-context.js';
import type { RouteEditing } from '../api-services.js';
import type { MutationResolvers, QueryResolvers, RouteTemplateResolvers } from '../generated/schema.js';
import { keysetConnection } from '../list-field.js';
import { memoryPage } from '../memory-page.js';
import { mutate, required } from '../mutate.js';
import { routesSettled, startedOr } from './operate.js';
import { routeIn } from './route.js';

type DefinitionQueries = Required<Pick<QueryResolvers, 'validateRouteDefinition' | 'routeTemplates' | 'routeTemplate'>>;

/** How many templates of a workspace a list knows. */
const TEMPLATES_MAX = 2_000;

export const definitionQueries: DefinitionQueries = {
  async validateRouteDefinition(_, { yaml }, { services, workspace, caller, aside }) {
    const deployer = { userId: caller.userId, principalId: caller.principalId ?? null };
    aside(true);
    try {
      const question = { partition: workspace.partition.id, file: '', format: 'yaml', text: yaml, deployer } as const;
      const { problems, warnings } = await services.eip.read(question);
      return { valid: problems.length === 0, errors: [...problems], warnings: [...warnings] };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code === 'UNAVAILABLE') throw thrown;
      const error = { line: null, column: null, element: null, message: messageOf(thrown) };
      return { valid: false, errors: [error], warnings: [] };
    } finally {
      aside(false);
    }
  },

  async routeTemplates(_, page, { workspace }) {
    const state = workspace.partition.replica.read({ readMax: ROUTES_READ_MAX });
    const id = (template: RouteTemplate) => template.id;
    const all = state.range(routeTemplates, 'id', [''], TEMPLATES_MAX);
    const list = { name: 'Query.routeTemplates', all, isWanted: () => true, value: id, id, descending: false };
    return keysetConnection(await memoryPage(list, page, 100));
  },

  routeTemplate: (_, { id }, context) => context.find(routeTemplates, id) ?? null,
};

export const routeTemplateResolvers: RouteTemplateResolvers = {
  parameters: ({ parameters }) => [...parameters],
  definition: (template, _, { caller, reading }) => {
    const { source, model } = readTemplate(reading, template);
    return { id: template.id, source: seesDefinitions(caller) ? source : null, model: fileOf(model) };
  },
};

type Info = Parameters<typeof mutate>[1];

/** Edits a file of routes as the editor says, and waits for what that causes. `compared`: what a client that asks again says the same of. */
async function edit(
  context: ApiContext,
  info: Info,
  compared: unknown,
  planned: (editor: RouteEditing, place: Parameters<RouteEditing['deleted']>[0]) => ReturnType<RouteEditing['deleted']>,
): Promise<readonly string[] | undefined> {
  const { services, workspace, caller, aside } = context;
  const { editor } = services.eip;
  aside(true);
  const input = await planned(editor, { partition: workspace.partition, caller }).finally(() => aside(false));
  if (input === undefined) return undefined;
  const { answer, revision } = await mutate(context, info, editor.operation, input, compared);
  await routesSettled(context, [...answer, input.routeId], revision);
  return answer;
}

/** The route as the edit left it. @throws EXECUTION_FAILED it did not start */
const routeLeft = (context: ApiContext, id: string) => startedOr(required(routeIn(context, id), 'route', id));

type DefinitionMutations = Required<
  Pick<MutationResolvers, 'createRoute' | 'updateRoute' | 'deleteRoute' | 'createRouteFromTemplate' | 'rollbackRoute'>
>;

export const definitionMutations: DefinitionMutations = {
  async createRoute(_, { input }, context, info) {
    await edit(context, info, input, (editor, place) => editor.created(place, input));
    return routeLeft(context, input.routeId);
  },
  async createRouteFromTemplate(_, args, context, info) {
    await edit(context, info, args, (editor, place) =>
      editor.fromTemplate(place, { ...args, parameters: args.parameters ?? null }),
    );
    return routeLeft(context, args.routeId);
  },
  async updateRoute(_, { input }, context, info) {
    await edit(context, info, input, (editor, place) => editor.updated(place, input));
    return routeUpdated(context, input.id);
  },
  async rollbackRoute(_, args, context, info) {
    await edit(context, info, args, (editor, place) => editor.rolledBack(place, args.id, args.version));
    return routeUpdated(context, args.id);
  },
  deleteRoute: async (_, args, context, info) =>
    (await edit(context, info, args, (editor, place) => editor.deleted(place, args.id))) !== undefined,
};

/** The route with its new version. @throws EXECUTION_FAILED that did not start, and the former one runs on */
function routeUpdated(context: ApiContext, id: string) {
  const route = required(routeIn(context, id), 'route', id);
  if (route.version === route.latest || route.fault === null || route.actor.value !== 'Started')
    return startedOr(route);
  throw new ServiceError(
    'EXECUTION_FAILED',
    `expected version ${route.latest} of route '${id}' to start, but it did not, and version ${route.version} runs on: ${route.fault.message}`,
    { reason: 'route_not_updated', resourceId: id },
  );
}
