import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Answer, startServer, type TestServer } from './support/test-server.js';

describe('scalars', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const echo = async (type: string, name: string, value: unknown): Promise<Answer> =>
    server.ask(`query ($value: ${type}) { echo(${name}: $value) { ${name} } }`, { value });
  const echoed = async (type: string, name: string, value: unknown) => {
    const { data, errors } = await echo(type, name, value);
    assert.equal(errors, undefined);
    return (data as { echo: Record<string, unknown> }).echo[name];
  };
  const literal = async (name: string, text: string) =>
    (await server.ask(`{ echo(${name}: ${text}) { ${name} } }`)).data?.echo;

  describe('DateTime', () => {
    for (const [given, shown] of [
      ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
      ['2030-01-31T12:00:00.1+02:00', '2030-01-31T10:00:00.100Z'],
      ['2030-01-31T12:00:00.123456789-0530', '2030-01-31T17:30:00.123Z'],
      ['2024-02-29T00:00+00:00', '2024-02-29T00:00:00.000Z'],
    ]) {
      it(`shows ${given} as ${shown}`, async () => assert.equal(await echoed('DateTime', 'date', given), shown));
    }

    for (const given of [
      '2030-01-31T12:00:00',
      '2030-01-31',
      'now',
      '2030-02-30T00:00:00Z',
      '2030-13-01T00:00:00Z',
      1_900_000_000_000,
      true,
      '',
    ]) {
      it(`refuses ${JSON.stringify(given)}`, async () => {
        const { errors } = await echo('DateTime', 'date', given);
        assert.equal(errors?.[0]?.extensions.code, 'BAD_REQUEST');
        assert.match(errors[0].message, /ISO 8601 text with an offset/);
      });
    }

    it('takes literals too', async () => {
      assert.deepEqual(await literal('date', '"2030-01-01T00:00:00Z"'), { date: '2030-01-01T00:00:00.000Z' });
      assert.equal(await literal('date', '5'), undefined);
    });

    it('gives back any moment', () =>
      fc.assert(
        fc.asyncProperty(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), async (date) => {
          assert.equal(await echoed('DateTime', 'date', date.toISOString()), date.toISOString());
        }),
        { numRuns: 30 },
      ));
  });

  describe('Long', () => {
    for (const [given, shown] of [
      [42, 42],
      ['42', 42],
      ['-7', -7],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ['9007199254740993', '9007199254740993'],
      ['9223372036854775807', '9223372036854775807'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['007', 7],
    ]) {
      it(`takes ${JSON.stringify(given)} and gives ${JSON.stringify(shown)}`, async () =>
        assert.equal(await echoed('Long', 'long', given), shown));
    }

    for (const given of [1.5, '1.5', 'x', '', '9223372036854775808', 2 ** 60, true, [1]]) {
      it(`refuses ${JSON.stringify(given)}`, async () =>
        assert.equal((await echo('Long', 'long', given)).errors?.[0]?.extensions.code, 'BAD_REQUEST'));
    }

    it('takes literals beyond 2^53', async () => {
      assert.deepEqual(await literal('long', '9007199254740993'), { long: '9007199254740993' });
      assert.deepEqual(await literal('long', '"12"'), { long: 12 });
      assert.equal(await literal('long', '1.5'), undefined);
    });
  });

  it('passes JSON through, as variable and as literal', async () => {
    const value = { a: [1, 'two', null, { b: false }] };
    assert.deepEqual(await echoed('JSON', 'json', value), value);
    assert.deepEqual(await literal('json', '{a: [1, "two", null, {b: false}]}'), { json: value });
  });

  it('refuses a literal that would change a prototype', async () => {
    const { errors } = await server.ask('{ echo(json: {a: {__proto__: {b: 1}}}) { json } }');
    assert.match(errors?.[0]?.message ?? '', /expected no key '__proto__' in JSON/);
  });

  it('takes Base64 as text without looking into it', async () => {
    assert.equal(await echoed('Base64', 'base64', 'aGk='), 'aGk=');
    assert.equal((await echo('Base64', 'base64', 5)).errors?.[0]?.extensions.code, 'BAD_REQUEST');
  });
});
