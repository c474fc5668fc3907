// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { evaluateDecision } from '../../../src/engine/decision/evaluate-decision.js';
import type { TypedValue } from '../../../src/engine/element/typed-value.js';
import { decision, dmn, literal } from '../../support/dmn.js';
import { NOW, outcomeOf, problemsOf, rowsOf, tableFile } from './support.js';

const two = (policy: string, entries: readonly [string, string], more: object = {}) =>
  tableFile({
    inputs: { x: '' },
    policy,
    rules: [
      ['-', entries[0]],
      ['-', entries[1]],
    ],
    ...more,
  });

describe('hit policies', () => {
  it('UNIQUE takes one rule, and refuses several', async () => {
    const file = tableFile({
      inputs: { x: 'integer' },
      rules: [
        ['< 5', '"low"'],
        ['>= 5', '"high"'],
        ['> 100', '"huge"'],
      ],
    });
    assert.deepEqual(await rowsOf(file, { x: 7 }), [{ r: 'high' }]);
    await assert.rejects(outcomeOf(file, { x: 200 }), {
      code: 'EXECUTION_FAILED',
      message:
        /decision 'k', but its hit policy UNIQUE takes at most one rule, and these match: 2 \('rule2'\), 3 \('rule3'\)/,
    });
  });

  it('without a match there is no row, and the value is null', async () => {
    const file = tableFile({ inputs: { x: '' }, rules: [['1', '2']] });
    const { value, rows, evaluated } = await outcomeOf(file, { x: 5 });
    assert.deepEqual([value, rows], [{ type: 'Null', value: null }, []]);
    assert.deepEqual(evaluated?.[0]?.table?.rules, []);
  });

  it('FIRST takes the first in their order', async () => {
    assert.deepEqual(await rowsOf(two('hitPolicy="FIRST"', ['"a"', '"b"']), { x: 1 }), [{ r: 'a' }]);
  });

  it('ANY takes rules that have the same outputs, and refuses others', async () => {
    assert.deepEqual(await rowsOf(two('hitPolicy="ANY"', ['"a"', '"a"']), { x: 1 }), [{ r: 'a' }]);
    await assert.rejects(outcomeOf(two('hitPolicy="ANY"', ['"a"', '"b"']), { x: 1 }), {
      message: /hit policy ANY takes rules that have the same outputs/,
    });
  });

  it('PRIORITY takes the most important output, in the order of the output values', async () => {
    const more = { values: { r: '"high","middle","low"' } };
    assert.deepEqual(await rowsOf(two('hitPolicy="PRIORITY"', ['"low"', '"high"'], more), { x: 1 }), [{ r: 'high' }]);
  });

  it('OUTPUT ORDER sorts by it, the first output before the second; what is no such value comes last', async () => {
    const file = tableFile({
      inputs: { x: '' },
      outputs: { a: '', b: '' },
      policy: 'hitPolicy="OUTPUT ORDER"',
      values: { a: '2,1', b: '"y","x"' },
      rules: [
        ['-', '3', '"y"'],
        ['-', '1', '"x"'],
        ['-', '2', '"x"'],
        ['-', '1', '"y"'],
      ],
    });
    assert.deepEqual(await rowsOf(file), [
      { a: 2, b: 'x' },
      { a: 1, b: 'y' },
      { a: 1, b: 'x' },
      { a: 3, b: 'y' },
    ]);
  });

  it('RULE ORDER and COLLECT give all, in the order of the rules', async () => {
    for (const policy of ['RULE ORDER', 'COLLECT']) {
      const file = two(`hitPolicy="${policy}"`, ['"b"', '"a"']);
      assert.deepEqual(await rowsOf(file, { x: 1 }), [{ r: 'b' }, { r: 'a' }], policy);
      assert.deepEqual((await outcomeOf(file, { x: 1 })).value, { type: 'Json', value: ['b', 'a'] });
    }
  });

  it('COLLECT aggregates', async () => {
    for (const [aggregation, expected] of [
      ['SUM', 5],
      ['MIN', 2],
      ['MAX', 3],
      ['COUNT', 2],
    ] as const) {
      const file = two(`hitPolicy="COLLECT" aggregation="${aggregation}"`, ['3', '2']);
      const { value, rows, evaluated } = await outcomeOf(file, { x: 1 });
      const typed = { type: aggregation === 'COUNT' ? 'Integer' : 'Long', value: expected };
      const found = [value.value, rows, evaluated?.[0]?.table?.aggregated];
      assert.deepEqual(found, [expected, [{ r: typed }], typed], aggregation);
    }
  });

  it('of nothing, a count is 0, and everything else null', async () => {
    const none = (aggregation: string) =>
      tableFile({ inputs: { x: '' }, policy: `hitPolicy="COLLECT" aggregation="${aggregation}"`, rules: [['1', '2']] });
    assert.deepEqual(await rowsOf(none('COUNT'), { x: 5 }), [{ r: 0 }]);
    assert.deepEqual(await rowsOf(none('SUM'), { x: 5 }), []);
    await assert.rejects(outcomeOf(two('hitPolicy="COLLECT" aggregation="SUM"', ['1', '"a"'])), {
      message: /aggregates by SUM, and not all outputs are numbers/,
    });
  });

  it('default outputs are what no rule gives', async () => {
    const file = tableFile({ inputs: { x: '' }, defaults: { r: '"other"' }, rules: [['1', '"one"']] });
    assert.deepEqual(await rowsOf(file, { x: 5 }), [{ r: 'other' }]);
    assert.deepEqual(await rowsOf(file, { x: 1 }), [{ r: 'one' }]);
  });
});

describe('entries and types of a decision table', () => {
  it('an empty entry or a dash is every value; an empty output says nothing', async () => {
    const file = tableFile({ inputs: { x: '', y: '' }, outputs: { a: '', b: '' }, rules: [['', '-', '1', '']] });
    assert.deepEqual(await rowsOf(file), [{ a: 1 }]);
  });

  it('an input that is not there is null', async () => {
    const file = tableFile({
      inputs: { x: 'integer' },
      policy: 'hitPolicy="FIRST"',
      rules: [
        ['> 1', '"a"'],
        ['null', '"b"'],
      ],
    });
    const { rows, notes } = await outcomeOf(file);
    assert.deepEqual([rows[0]?.r?.value, notes], ['b', ["input 1 of decision 'k': Variable 'x' not found"]]);
  });

  it('texts become what the input says; what cannot is refused', async () => {
    const file = (type: string) => tableFile({ inputs: { x: type }, outputs: { r: '' }, rules: [['-', 'x']] });
    const tested = (type: string, entry: string) => tableFile({ inputs: { x: type }, rules: [[entry, 'true']] });
    assert.deepEqual(await rowsOf(tested('integer', '> 1'), { x: '5' }), [{ r: true }]);
    assert.deepEqual(await rowsOf(tested('double', '> 1.5'), { x: '1.75' }), [{ r: true }]);
    assert.deepEqual(await rowsOf(tested('boolean', 'true'), { x: 'TRUE' }), [{ r: true }]);
    assert.deepEqual(await rowsOf(tested('string', '"5"'), { x: 5 }), [{ r: true }]);
    assert.deepEqual(
      await rowsOf(tested('date', '> date and time("2026-01-01T00:00:00")'), { x: '2026-05-01T00:00:00' }),
      [{ r: true }],
    );
    for (const [type, x] of [
      ['integer', 'abc'],
      ['integer', 5.7],
      ['boolean', 'yes'],
      ['date', 'soon'],
    ] as const) {
      await assert.rejects(outcomeOf(file(type), { x }), {
        message: new RegExp(`input 1 of decision 'k', but expected a value of type '${type}', but found '${x}'`),
      });
    }
  });

  it('outputs have the type that the model says', async () => {
    const typeOf = async (type: string, entry: string) =>
      (await outcomeOf(tableFile({ inputs: { x: '' }, outputs: { r: type }, rules: [['-', entry]] }), { x: 5 })).rows[0]
        ?.r;
    assert.deepEqual(await typeOf('', 'x + 1'), { type: 'Long', value: 6 });
    assert.deepEqual(await typeOf('', '${x + 1}'), { type: 'Long', value: 6 });
    assert.deepEqual(await typeOf('', '${x}'), { type: 'Integer', value: 5 });
    assert.deepEqual(await typeOf('integer', '5'), { type: 'Integer', value: 5 });
    assert.deepEqual(await typeOf('long', '5'), { type: 'Long', value: 5 });
    assert.deepEqual(await typeOf('double', '5'), { type: 'Double', value: 5 });
    assert.deepEqual(await typeOf('string', '5'), { type: 'String', value: '5' });
    assert.deepEqual(await typeOf('date', '"2026-01-01T00:00:00"'), {
      type: 'Date',
      value: '2026-01-01T00:00:00.000Z',
    });
    assert.deepEqual(await typeOf('date', 'date("2026-01-01")'), { type: 'Date', value: '2026-01-01T00:00:00.000Z' });
    assert.deepEqual(await typeOf('', 'date("2026-01-01")'), { type: 'String', value: '2026-01-01' });
    assert.deepEqual(await typeOf('', '{a: x}'), { type: 'Json', value: { a: 5 } });
    await assert.rejects(typeOf('integer', '5.7'), {
      message: /output entry 1 of rule 1 of decision 'k', but expected a value of type 'integer'/,
    });
  });

  it('JUEL has the variable context', async () => {
    const found = (text: string) =>
      rowsOf(dmn(decision('k', literal(text, 'expressionLanguage="juel"'), { variable: 'r' })), { x: 3 });
    assert.deepEqual(await found("variableContext.resolve('x').value + variableContext.resolve('x').getValue()"), [
      { r: 6 },
    ]);
    assert.deepEqual(await found("variableContext.containsVariable('y')"), [{ r: false }]);
  });

  it('JUEL without its name is told where FEEL cannot read it', async () => {
    const file = dmn(decision('k', literal('x == 3 && !false ? "a" : "b"'), { variable: 'r' }));
    assert.deepEqual(await rowsOf(file, { x: 3 }), [{ r: 'a' }]);
    assert.deepEqual(await rowsOf(dmn(decision('k', literal('x == 3'), { variable: 'r' })), { x: 3 }), [{ r: true }]);
    assert.deepEqual(await rowsOf(dmn(decision('k', literal('"=="'), { variable: 'r' }))), [{ r: '==' }]);
    const { warnings } = await compileDecisions(file);
    assert.match(warnings[0]?.message ?? '', /which it is taken for: it should name its language/);
    assert.deepEqual(await problemsOf(dmn(decision('k', literal('x == ')))), [
      "decision 'k' has invalid an expression: expected what FEEL has there at column 5 of expression 'x ==', but found 'its end'",
    ]);
  });

  it('JUEL sees the input by its name', async () => {
    const file =
      dmn(`<decision id="k"><decisionTable><input camunda:inputVariable="v"><inputExpression expressionLanguage="juel"><text>\${x}</text></inputExpression></input>
      <output name="r"/><rule><inputEntry expressionLanguage="juel"><text>\${v == 5 and inputVariableName == "v"}</text></inputEntry><outputEntry expressionLanguage="JUEL"><text>\${x + 1}</text></outputEntry></rule></decisionTable></decision>`);
    assert.deepEqual(await rowsOf(file, { x: 5 }), [{ r: 6 }]);
    assert.deepEqual(await rowsOf(file, { x: 6 }), []);
    const bare = file.replaceAll(/\$\{([^}]*)\}/g, '$1');
    assert.deepEqual(await rowsOf(bare, { x: 5 }), [{ r: 6 }]);
    const unsaid = file.replaceAll(/ expressionLanguage="[^"]*"/g, '');
    assert.deepEqual(await rowsOf(unsaid, { x: 5 }), [{ r: 6 }]);
  });

  it('FEEL sees the input as ?, as cellInput, or by its name', async () => {
    for (const entry of ['? > 4', 'cellInput > 4']) {
      assert.deepEqual(await rowsOf(tableFile({ inputs: { x: '' }, rules: [[entry, '1']] }), { x: 5 }), [{ r: 1 }]);
    }
    const named = tableFile({ inputs: { x: '' }, rules: [['v > 4', '1']] }).replace(
      '<input ',
      '<input camunda:inputVariable="v" ',
    );
    assert.deepEqual(await rowsOf(named, { x: 5 }), [{ r: 1 }]);
  });

  it('tells what it looked at, and which rules matched', async () => {
    const file = tableFile({
      inputs: { 'x + 1': '' },
      policy: 'hitPolicy="COLLECT"',
      rules: [
        ['1', '"a"'],
        ['2', '"b"'],
        ['> 1', '"c"'],
      ],
    });
    const { evaluated } = await outcomeOf(file, { x: 1 });
    assert.deepEqual(evaluated?.[0]?.table, {
      inputs: [{ id: 'in1', name: 'x + 1', value: { type: 'Long', value: 2 } }],
      rules: [
        { id: 'rule2', number: 2, outputs: [{ id: 'out1', name: 'r', value: { type: 'String', value: 'b' } }] },
        { id: 'rule3', number: 3, outputs: [{ id: 'out1', name: 'r', value: { type: 'String', value: 'c' } }] },
      ],
    });
  });

  it('JUEL that names a variable keeps its type, and what is made of several is of the largest', async () => {
    const { model } = await compileDecisions(
      tableFile({
        inputs: { a: '' },
        policy: 'hitPolicy="COLLECT" aggregation="SUM"',
        rules: [
          ['> 0', '${a}'],
          ['> 1', '${b}'],
        ],
      }),
    );
    assert.ok(model);
    const sumOf = (a: TypedValue, b: TypedValue) =>
      evaluateDecision(model, { decisionId: 'k', now: NOW, variables: { a, b } }).rows[0]?.r;
    const int = (value: number): TypedValue => ({ type: 'Integer', value });
    const double = (value: number): TypedValue => ({ type: 'Double', value });
    assert.deepEqual(sumOf(int(1), double(2)), { type: 'Integer', value: 1 });
    assert.deepEqual(sumOf(int(2), double(3)), { type: 'Double', value: 5 });
    assert.deepEqual(sumOf(int(2), { type: 'Long', value: 3 }), { type: 'Long', value: 5 });
    assert.deepEqual(sumOf(int(2), int(3)), { type: 'Integer', value: 5 });
    assert.deepEqual(sumOf(double(1), int(3)), { type: 'Double', value: 1 });
  });

  it('has the time in JUEL, and texts of JSON, and no function beside', async () => {
    const of = (text: string) => dmn(decision('k', literal(text, 'expressionLanguage="juel"'), { variable: 'r' }));
    assert.deepEqual(await rowsOf(of('${now().time}')), [{ r: NOW }]);
    assert.deepEqual(await rowsOf(of('${dateTime().plusDays(1).year}')), [{ r: 2026 }]);
    assert.deepEqual(await rowsOf(of('${S(x).prop("a").value()}'), { x: '{"a": 1}' }), [{ r: 1 }]);
    const [problem = ''] = await problemsOf(of('${later(x)}'));
    assert.match(problem, /expected a call of now\(\), dateTime\(\), S\(\), JSON\(\) in .*, but found later\(\)/);
  });

  it('fails with the rule and the expression', async () => {
    const file =
      dmn(`<decision id="k"><decisionTable><input><inputExpression><text>x</text></inputExpression></input><output name="r"/>
      <rule><inputEntry><text>-</text></inputEntry><outputEntry expressionLanguage="juel"><text>\${lost}</text></outputEntry></rule></decisionTable></decision>`);
    await assert.rejects(outcomeOf(file, { x: 1 }), {
      code: 'EXECUTION_FAILED',
      message: /to evaluate '\$\{lost\}' of output entry 1 of rule 1 of decision 'k', but .*'lost'/,
    });
  });
});
