import assert from 'node:assert/strict';
import { scriptProblems } from '../../src/expression/routes.js';

describe('scripts that are looked at, but not run', () => {
  const problemOf = async (source: string) => (await scriptProblems([source]))[0];

  it('have no problem where they could be run', async () => {
    const good = [
      '',
      '1 + 1',
      'var a = 1; a',
      'while (true) {}',
      'unknown.call()',
      'const f = async () => { await g(); };',
    ];
    assert.deepEqual(
      await scriptProblems(good),
      good.map(() => null),
    );
  });

  it('have the sentence and the line of their first mistake', async () => {
    assert.deepEqual(await problemOf('let a = ;'), {
      kind: 'thrown',
      message: "SyntaxError: unexpected token in expression: ';'",
      line: 1,
    });
    assert.equal((await problemOf('let a = 1;\n\nlet a = 2;'))?.line, 3);
    for (const bad of ['return 1', 'await f()', 'import a from "b"', 'break', '/(/', "'open", '`open', '/* open']) {
      assert.match((await problemOf(bad))?.message ?? '', /^SyntaxError: /, bad);
    }
  });

  it('are told apart, however many there are and whatever became of the ones before', async () => {
    const deep = '('.repeat(200_000);
    const found = await scriptProblems(['a', 'b b', deep, 'c', deep, '}']);
    assert.deepEqual(
      found.map((problem) => problem !== null),
      [false, true, true, false, true, true],
    );
    const many = await scriptProblems(Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? `let a${at}` : ')')));
    assert.equal(many.filter((problem) => problem !== null).length, 500);
  });
});
