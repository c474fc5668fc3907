import assert from 'node:assert/strict';
import { ScriptInterpreter } from '../../src/expression/script/script-interpreter.js';

const MEMORY_BYTES = 2 * 1024 * 1024;
const NOTHING = JSON.stringify({
  variables: {},
  withheld: [],
  own: [],
  inner: [],
  hidden: {},
  now: 0,
  seed: [1, 2, 3, 4],
  execution: {},
  task: null,
});

describe('the interpreter of scripts', () => {
  let interpreter: ScriptInterpreter;
  beforeEach(async () => {
    interpreter = await ScriptInterpreter.load(MEMORY_BYTES);
  });
  const run = (source: string) => interpreter.run({ source, input: NOTHING });

  it('can run another script behind one that came to its end, or threw; behind one that used up its memory it cannot', () => {
    for (const [source, broken] of [
      ['1 + 1', false],
      ['throw new Error("no luck")', false],
      ['let a = ;', false],
      ['const all = []; for (;;) all.push(new Array(10_000).fill(1))', true],
    ] as const)
      assert.equal(run(source).broken, broken, source);
  });

  it('looks at one script behind the other, up to one that needs more memory than there is', () => {
    const large = `[${'{},'.repeat(200_000)}]`;
    const { failures, broken } = interpreter.check(['1 + 1', 'let a = ;', large, '1']);
    assert.deepEqual([failures.map((failure) => failure?.kind), broken], [[undefined, 'thrown', 'memory'], true]);
  });
});
