import assert from 'node:assert/strict';
import { graphql } from 'graphql';
import { retryAfterSeconds, statusOf } from '../../src/graphql/format-error.js';
import { formatError, httpStatus, makeSchema } from '../../src/graphql/index.js';
import { badRequest, ServiceError } from '../../src/shared/errors.js';

const facts = { requestId: 'r1', phase: 'execution' } as const;

describe('formatError', () => {
  const { schema } = makeSchema({
    typeDefs: [
      'enum Level { LOW } type Query { level: Level list: [Int] count: Int echo(level: Level, count: Int): Int none: Int! }',
    ],
    resolvers: { Query: { level: () => 'HIGH', list: () => 5, count: () => 'many', echo: () => 1, none: () => null } },
  });
  const codeOf = async (source: string, variableValues?: Record<string, unknown>) => {
    const { errors } = await graphql({ schema, source, contextValue: {}, ...(variableValues && { variableValues }) });
    return formatError(errors?.[0], facts).extensions?.code;
  };

  for (const source of ['{ level }', '{ list }', '{ count }', '{ none }']) {
    it(`takes a value that does not fit its field for a bug: ${source}`, async () =>
      assert.equal(await codeOf(source), 'INTERNAL_ERROR'));
  }

  it('shortens a sentence that names something endless', () => {
    const id = 'x'.repeat(100_000);
    const refusal = new ServiceError('NOT_FOUND', `expected a task with id '${id}'`, { resourceId: id });
    const { message, extensions } = formatError(refusal, facts);
    assert.match(message, /^expected a task with id 'x+…$/);
    assert.ok(message.length <= 2_000 && String(extensions?.resourceId).length <= 1_000);
  });

  it('takes a value that does not fit its variable for a bad request', async () => {
    assert.equal(await codeOf('query ($level: Level) { echo(level: $level) }', { level: 'HIGH' }), 'BAD_REQUEST');
    assert.equal(await codeOf('query ($count: Int) { echo(count: $count) }', { count: 2 ** 40 }), 'BAD_REQUEST');
  });

  it('gives every refusal a reason', () => {
    assert.deepEqual(formatError(badRequest('expected more'), facts), {
      message: 'expected more',
      extensions: { code: 'BAD_REQUEST', reason: 'bad_request' },
    });
  });

  it('discloses nothing of what is called an internal error', () => {
    const { message, extensions } = formatError(
      new ServiceError('INTERNAL_ERROR', 'secret', { details: 'secret' }),
      facts,
    );
    assert.deepEqual(
      [message, extensions],
      ['Internal server error', { code: 'INTERNAL_ERROR', reason: 'internal_error' }],
    );
  });

  it('survives whatever is thrown', () => {
    for (const thrown of [undefined, null, 'text', 5, {}])
      assert.equal(formatError(thrown, facts).extensions?.code, 'INTERNAL_ERROR');
  });

  it('knows the status of every code', () => {
    for (const [code, status] of Object.entries(httpStatus))
      assert.equal(statusOf({ message: '', extensions: { code } }), status);
    assert.equal(statusOf({ message: '', extensions: { code: 'toString' } }), 500);
    assert.equal(statusOf(undefined), 500);
  });

  it('says when to come back only where that may help', () => {
    const seconds = (code: string, details?: unknown) =>
      retryAfterSeconds({ message: '', extensions: { code, details } });
    assert.deepEqual(
      [
        seconds('UNAVAILABLE'),
        seconds('RATE_LIMITED', { retryAfterSeconds: 1.2 }),
        seconds('RATE_LIMITED', { retryAfterSeconds: -1 }),
        seconds('CONFLICT'),
      ],
      [5, 2, 5, undefined],
    );
  });
});
