import { maskedUri, requireDeployer, type TriedMessage } from '../../eip/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import type { ApiContext } from '../api-context.js';
import { noteDone } from '../audit/audit-log.js';
import type { MutationResolvers, QueryResolvers } from '../generated/schema.js';

type TrialQueries = Required<Pick<QueryResolvers, 'mockEndpoint' | 'evaluateExpression'>>;
type TrialMutations = Required<Pick<MutationResolvers, 'sendToEndpoint' | 'resetMocks'>>;

/** Waits for the routes' thread, while others have their turn. */
async function aside<T>(context: ApiContext, work: Promise<T>): Promise<T> {
  context.aside(true);
  try {
    return await work;
  } finally {
    context.aside(false);
  }
}

const trialsOf = ({ services, workspace }: ApiContext) => services.eip.trials(workspace.partition.id);

export const trialQueries: TrialQueries = {
  mockEndpoint(_, { name }, context) {
    requireDeployer(context.caller, 'see what a mock endpoint got');
    return aside(context, trialsOf(context).mock(name));
  },

  async evaluateExpression(_, { input }, context) {
    requireDeployer(context.caller, 'evaluate an expression');
    const { language, expression: text, predicate, resultType = null } = input;
    const question = { language, text, isPredicate: predicate === true, resultType, ...messageOf(input) };
    return { result: await aside(context, trialsOf(context).evaluate(question)) };
  },
};

export const trialMutations: TrialMutations = {
  async sendToEndpoint(_, { input }, context) {
    const { caller } = context;
    if (!mayAdminister(caller))
      throw new ServiceError('FORBIDDEN', `expected an administrator, but '${caller.userId}' is none`, {
        reason: 'role_missing',
      });
    const { userId, principalId = null } = caller;
    const facts = { endpointUri: input.endpointUri, pattern: 'InOut' as const, user: { userId, principalId } };
    const message = { ...messageOf(input), ...facts };
    const { exception, processingMs, ...sent } = await aside(context, trialsOf(context).send(message));
    noteDone(context, 'sendToEndpoint', {
      target: shownEndpoint(input.endpointUri),
      outcome: exception === null ? 'DONE' : 'FAILED',
    });
    return {
      ...sent,
      success: exception === null,
      exception: exception === null ? null : `${exception.type}: ${exception.message}`,
      processingTime: processingMs,
    };
  },

  async resetMocks(_, __, context) {
    requireDeployer(context.caller, 'reset mock endpoints');
    await aside(context, trialsOf(context).resetMocks());
    noteDone(context, 'resetMocks', { outcome: 'DONE' });
    return true;
  },
};

/** Where a message went: what its options say is nobody's business. */
const shownEndpoint = (uri: string): string => maskedUri(uri).split('?', 1)[0] ?? '';

interface GivenMessage {
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly properties?: unknown;
  readonly variables?: unknown;
}

const messageOf = ({ body = null, headers, properties, variables }: GivenMessage): TriedMessage => ({
  body,
  headers: mapOf('headers', headers),
  properties: mapOf('properties', properties),
  variables: mapOf('variables', variables),
});

/** @throws BAD_REQUEST it is no map */
function mapOf(name: string, value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequest(`expected ${name} to be a map`);
  return value as Record<string, unknown>;
}
