import assert from 'node:assert/strict';
import { ModelParser } from '../../../src/engine/model/model-parser.js';
import { MODEL_LIMITS } from '../../../src/engine/model/scan-xml.js';
import type { ErrorCode } from '../../../src/shared/errors.js';
import { bpmn, element, line } from '../../support/bpmn.js';

const good = bpmn(line(['work'], element('task', 'work')));
const code = (expected: ErrorCode, message: RegExp) => (error: Error & { code?: string }) => {
  assert.equal(error.code, expected);
  assert.match(error.message, message);
  return true;
};

describe('the parser of models', () => {
  let parser: ModelParser;
  beforeEach(() => {
    parser = new ModelParser();
  });
  afterEach(() => parser.close());

  it('gives the program of a model', async () => {
    const { programs, problems } = await parser.parse(good);
    assert.deepEqual(problems, []);
    assert.equal(programs[0]?.elements.length, 4);
  });

  it('gives many models their own answers', async () => {
    const parsed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => parser.parse(good.replace('"p"', `"p${n}"`))),
    );
    assert.deepEqual(
      parsed.map(({ programs }) => programs[0]?.key),
      Array.from({ length: 20 }, (_, n) => `p${n}`),
    );
  });

  it('gives the problems of a model that cannot run', async () => {
    const { programs, problems } = await parser.parse(good.replaceAll('bpmn:task', 'bpmn:callActivity'));
    assert.deepEqual(programs, []);
    assert.match(problems[0]?.message ?? '', /call activity 'work'/);
  });

  it('refuses document type declarations', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>`;
    await assert.rejects(parser.parse(good.replace('?>', `?>${bomb}`)), code('BAD_REQUEST', /no DOCTYPE .* line 1/));
  });

  it('refuses what is too large before it goes to the thread', async () => {
    await assert.rejects(parser.parse(' '.repeat(MODEL_LIMITS.bytes + 1)), code('LIMIT_EXCEEDED', /4194304 bytes/));
    const small = new ModelParser({ limits: { ...MODEL_LIMITS, bytes: good.length } });
    assert.equal((await small.parse(good)).programs.length, 1);
    await small.close();
  });

  it('ends a model that takes too long, keeps the event loop free, and goes on with the next', async () => {
    const slow = new ModelParser({ budgetMs: 150 });
    try {
      await slow.parse(good);
      // Every unreadable element makes the XML parser count lines from the start of the text.
      const bomb = bpmn('\n<bpmn:x/>'.repeat(19_000) + '\n'.repeat(3_000_000));
      let ticks = 0;
      const ticker = setInterval(() => ticks++, 5);
      const [first, second] = await Promise.allSettled([slow.parse(bomb), slow.parse(good)]);
      clearInterval(ticker);
      assert.ok(first.status === 'rejected' && code('LIMIT_EXCEEDED', /within 150 ms/)(first.reason));
      assert.ok(second.status === 'fulfilled' && second.value.programs.length === 1);
      assert.ok(ticks > 5, `${ticks} ticks`);
    } finally {
      await slow.close();
    }
  });

  it('refuses more than may wait', async () => {
    const narrow = new ModelParser({ waitingMax: 2 });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => narrow.parse(good)));
    await narrow.close();
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 2);
    for (const { reason } of refused) code('UNAVAILABLE', /fewer than 2 models/)(reason);
  });

  it('refuses what waits when it is closed, and everything after', async () => {
    const waiting = assert.rejects(parser.parse(good), code('UNAVAILABLE', /closed/));
    await parser.close();
    await waiting;
    await assert.rejects(parser.parse(good), code('UNAVAILABLE', /closed/));
  });
});
