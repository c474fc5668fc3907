import assert from 'node:assert/strict';
import {
  createSourceEventStream,
  type ExecutionResult,
  type GraphQLObjectType,
  graphql,
  isObjectType,
  parse,
} from 'graphql';
import { ServiceError } from '../../src/shared/errors.js';
import { api } from './support/api-schema.js';

const { schema } = api;

const off = { isRunning: (engine: string) => engine !== 'bpm' };
const on = { isRunning: () => true };

type Field = ReturnType<GraphQLObjectType['getFields']>[string];

/** Whether asking the field alone is refused because the process engine is off. Another failure, of a context that knows nothing, is none. */
async function isRefused({ subscribe, resolve }: Field, context: object): Promise<boolean> {
  try {
    await (subscribe ?? resolve)?.({}, {}, context, {} as never);
    return false;
  } catch (thrown) {
    return thrown instanceof ServiceError && thrown.info.reason === 'engine_off';
  }
}

describe('an engine that is off in a workspace', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ type, field, of: `${type.name}.${field.name}` })),
    );

  const refusedIn = async (context: object) => {
    const all = await Promise.all(fields.map(async ({ field, of }) => ((await isRefused(field, context)) ? [of] : [])));
    return all.flat();
  };

  it('answers none of the root fields of its domain', async () => {
    const declared = fields.filter(
      ({ type, field }) => roots.includes(type) && field.astNode?.loc?.source.name.startsWith('bpm-') === true,
    );
    assert.ok(declared.length > 40, `there are ${declared.length}`);
    for (const { field, of } of declared) assert.equal(await isRefused(field, off), true, of);
    for (const name of ['startProcess', 'tasks', 'taskAssigned', 'jobs', 'incidents', 'completeTask'])
      assert.ok(
        declared.some(({ field }) => field.name === name),
        name,
      );
  });

  it('keeps no field of another domain from being answered', async () => {
    const refused = await refusedIn(off);
    const others = refused.filter((of) => !/^(Query|Mutation|Subscription)\./.test(of));
    assert.deepEqual(others, []);
    for (const of of [
      'Query.node',
      'Query.jobs',
      'Mutation.createFolder',
      'Mutation.advanceClock',
      'Subscription.nodeChanged',
    ])
      assert.equal(refused.includes(of), of === 'Query.jobs', of);
  });

  it('refuses none of them while it runs', async () => assert.deepEqual(await refusedIn(on), []));

  it('is told with the code, the reason and the engine', async () => {
    const { errors } = await graphql({ schema, source: '{ tasks { totalCount } }', contextValue: off });
    const told = errors?.[0]?.originalError as ServiceError;
    assert.equal(told.code, 'UNAVAILABLE');
    assert.deepEqual(told.info, { reason: 'engine_off', details: { engine: 'bpm' } });
    assert.equal(told.message, 'expected the process engine of the workspace to run, but it is off');
  });

  it('refuses a subscription when it begins', async () => {
    const document = parse('subscription { taskAssigned { task { id } } }');
    const begun = (await createSourceEventStream({ schema, document, contextValue: off })) as ExecutionResult;
    const told = begun.errors?.[0]?.originalError as ServiceError;
    assert.equal(told.info.reason, 'engine_off');
  });
});
