import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CommitBody } from '../../../src/store/log/log.js';
import { CommitText, commitBodyOf } from '../../../src/store/log/packed.js';
import { SHAPES, WORDS } from '../../../src/store/log/shapes.js';

const textOf = ({ events, ...rest }: CommitBody) => new CommitText().add(events).end(rest);

const INSTANCE = '01a2056a-2ed3-704e-8b80-028b41ab1cb7';
const TASK = '01a2056a-2ed3-704e-8b80-02f8226a412d';
const DEFINITION = 'd:1:01a2056a-2602-7000-8380-12b6ab7b3326';
const processInstance = { id: INSTANCE, definitionId: DEFINITION, startUserId: 'ann', runs: 1 };
const body: CommitBody = {
  events: [
    {
      type: 'process.started',
      ids: { processInstanceId: INSTANCE, definitionId: DEFINITION, definitionKey: 'd', businessKey: null },
      data: { processInstance, at: 1_795_387_174_611 },
    },
    {
      type: 'task.told',
      ids: { taskId: TASK },
      data: { notes: ['~', '~0', TASK], processInstance, at: 1_795_387_174_611 },
    },
  ],
  docs: [
    ['task', TASK, null],
    ['run', `${INSTANCE}:1`],
    ['processInstance', INSTANCE],
  ],
  type: 'startProcess',
  userId: 'ann',
  cause: {},
};

/** What the present version writes of it. What is stored of a shape or a word is its place: none may ever move. */
const WRITTEN =
  `[1,[0,[2,"~a",[3,"${INSTANCE}","${DEFINITION}","d",null],[4,[5,"~0","~1","ann",1],1795387174611]],` +
  `[2,"task.told",{"taskId":"~0-02f8226a412d"},{"notes":[0,"~~","~~0","~4"],"processInstance":[5,"~0","~1","ann",1],"at":"~2"}]],` +
  '[0,"task","~4",null,"run","~0:1","~j","~0"],"~k","ann",{}]';
const WRITTEN_BEFORE = WRITTEN.replace(
  '[0,"task","~4",null,"run","~0:1","~j","~0"]',
  '[0,[0,"task","~4",null],[0,"run","~0:1"],[0,"~j","~0"]]',
);

describe("a commit's text", () => {
  it('tells once what occurs several times', () => {
    assert.equal(textOf(body), WRITTEN);
  });

  it('is read as it is written, and as former versions wrote it', () => {
    assert.deepEqual(commitBodyOf(WRITTEN), body);
    assert.notEqual(WRITTEN_BEFORE, WRITTEN);
    assert.deepEqual(commitBodyOf(WRITTEN_BEFORE), body);
    assert.deepEqual(commitBodyOf(JSON.stringify(body)), body);
  });

  it('knows each shape and word by a place of its own', () => {
    for (const listed of [SHAPES, WORDS]) assert.equal(new Set(listed).size, listed.length);
    assert.ok(WORDS.length <= 52 && WORDS.every((word) => word.length >= 8));
  });

  it('gives back whatever it was made of', () => {
    const text = fc.oneof(
      fc.constantFrom(
        INSTANCE,
        TASK,
        `${TASK}x`,
        `${TASK}:3`,
        `${INSTANCE}:2`,
        `${INSTANCE}:`,
        '~',
        '~~',
        '~a',
        '~0',
        '~0:1',
        '~12345678',
        ...WORDS,
      ),
      fc.string({ unit: 'binary' }),
    );
    const shaped = fc.constantFrom(...SHAPES).chain((shape) => {
      const names = shape.split(' ');
      return fc
        .array(fc.oneof(text, fc.integer(), fc.constant(null)), { minLength: names.length, maxLength: names.length })
        .map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]])));
    });
    const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(1e9));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        number,
        fc.constantFrom(null, true, false),
        shaped,
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'toJSON', 'at', 'type', '7')), tie('value')),
      ),
    }));
    const written = fc.tuple(fc.string(), fc.string(), fc.option(fc.constant(null), { nil: undefined }));
    const docs = written.map(([name, id, gone]) =>
      gone === null ? ([name, id, null] as const) : ([name, id] as const),
    );
    fc.assert(
      fc.property(fc.array(value), fc.array(docs), text, value, (events, docs, type, cause) => {
        const given = { events, docs, type, userId: 'ann', cause };
        assert.deepEqual(commitBodyOf(textOf(given)), JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 500 },
    );
  });

  it('that names what was never told is no body', () => {
    for (const text of [
      '[1,[0],[0,[0,"task","~0"]],"x","ann",{}]',
      '[1,[0],[0,"task","~0"],"x","ann",{}]',
      '[1,[0],[0],"~Z","ann",{}]',
      '[999,[0],[0],"x","ann",{}]',
    ])
      assert.throws(() => commitBodyOf(text), TypeError);
  });
});
