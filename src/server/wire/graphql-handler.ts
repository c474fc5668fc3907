import {
  ApiContext,
  type ApiServices,
  type ApiWorkspace,
  apiResolvers,
  createGraphqlHandler,
  type GraphqlHandler,
  makeSchema,
  readTypeDefs,
} from '../../graphql/index.js';
import { earliestPosition } from '../../store/index.js';
import { workspaceAway } from '../../workspace/index.js';
import { clientAddress } from '../http/request-origin.js';
import type { WireParts } from '../server.js';
import type { Config } from '../settings/config.js';
import { WorkspaceHomes } from './workspace-homes.js';
import type { Workspaces } from './workspaces.js';

/** The API's schema, made once for all servers of the process: it knows of none. */
let api: ReturnType<typeof wholeSchema> | undefined;

/** @throws when the SDL and the resolvers do not fit */
function wholeSchema(): Pick<ReturnType<typeof makeSchema>, 'schema' | 'sparing'> {
  const { problems, ...made } = makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers, isValid: true });
  if (problems.length > 0) throw new Error(`the schema is not whole: ${problems.join('; ')}`);
  return made;
}

/** The handler of the GraphQL API of the open workspaces. */
export function graphqlHandler(
  { config, signIn, bodies, baseUrl }: WireParts,
  open: Workspaces,
  services: ApiServices,
): GraphqlHandler {
  api ??= wholeSchema();
  const homes = new WorkspaceHomes(services.identity.directory);
  return createGraphqlHandler<ApiWorkspace>({
    schema: api.schema,
    sparing: api.sparing,
    authenticate: async (request) => {
      const identity = await signIn.authenticate(request);
      return identity === undefined ? null : { ...identity, workspace: '', cause: {} };
    },
    hasPasswords: config.localSignIn === 'on',
    addressOf: (request) => clientAddress(request, config.proxyHops),
    workspace: (name, { userId, proof }) => {
      const partition = open.get(name);
      if (partition === undefined) {
        const away = workspaceAway(services.system().replica.read(), name);
        // A name that no workspace has is a malformed address, as the endpoint says itself.
        if (away.code === 'NOT_FOUND') return undefined;
        throw away;
      }
      // A program that a token limits changes nothing by coming.
      if (proof?.scope !== undefined) return { partition };
      const made = homes.ensure(userId, partition);
      return made === undefined ? { partition } : made.then(() => ({ partition }));
    },
    context: (facts) => new ApiContext(facts, services),
    earliestPosition,
    ...(config.allowedOrigins !== undefined && { allowedOrigins: config.allowedOrigins }),
    baseUrl,
    stillValid: (caller) => signIn.stands(caller),
    callerNow: services.callerNow,
    limits: limitsOf(config),
    bodies,
    streamLimits: streamLimitsOf(config),
  });
}

/** What the settings allow a request of the GraphQL API. */
const limitsOf = (config: Config) => ({
  bodyBytesMax: config.bodyBytesMax,
  mutationsMax: config.mutationsMax,
  requestWaitMs: config.requestWaitMs,
  requestsWaitingMax: config.requestsWaitingMax,
  jsonDepthMax: config.variablesDepthMax,
  jsonValuesMax: config.variablesValuesMax,
  listItemsMax: config.variablesItemsMax,
  documentCharsMax: config.graphqlCharsMax,
  bracketDepthMax: config.graphqlBracketsMax,
  tokensMax: config.graphqlTokensMax,
  depthMax: config.graphqlDepthMax,
  aliasesMax: config.graphqlAliasesMax,
  fragmentsMax: config.graphqlFragmentsMax,
  directivesMax: config.graphqlDirectivesMax,
  mutationFieldsMax: config.graphqlMutationsMax,
  pageSizeMax: config.pageSizeMax,
  resultObjectsMax: config.graphqlObjectsMax,
  answerBytesMax: config.answerBytesMax,
  answersBytesMax: config.answersBytesMax,
  answersPerClientBytesMax: config.answersPerClientBytesMax,
  answerStallMs: config.answerStallMs,
  queryDeadlineMs: config.graphqlTimeoutMs,
  validationErrorsMax: config.graphqlErrorsMax,
});

/** What the settings allow an event stream. */
const streamLimitsOf = (config: Config) => ({
  streamsMax: config.streamsMax,
  streamsPerSessionMax: config.streamsPerSessionMax,
  operationsPerStreamMax: config.streamOperationsMax,
  pendingFramesMax: config.streamFramesMax,
  stuckWriteMs: config.streamStallMs,
  heartbeatMs: config.streamHeartbeatMs,
  reservationMs: config.streamReservationMs,
});
