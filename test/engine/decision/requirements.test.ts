import assert from 'node:assert/strict';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { evaluateDecision } from '../../../src/engine/decision/evaluate-decision.js';
import { decision, dmn, literal, table } from '../../support/dmn.js';
import { NOW, outcomeOf, rowsOf } from './support.js';

const resultOf = async (xml: string, values: Readonly<Record<string, unknown>> = {}) =>
  (await outcomeOf(xml, values)).value.value;

describe('decision requirements', () => {
  const season = table({
    inputs: { month: '' },
    outputs: { season: 'string' },
    rules: [
      ['[1..6]', '"spring"'],
      ['[7..12]', '"autumn"'],
    ],
  });

  it('are evaluated before what requires them, each once', async () => {
    const file = dmn(
      decision('k', literal('a + b'), { requires: ['a', 'b'] }) +
        decision('a', literal('c + 1'), { requires: ['c'] }) +
        decision('b', literal('c + 2'), { requires: ['c'] }) +
        decision('c', literal('x * 10'), { requires: ['in:x'] }) +
        '<inputData id="x" name="x"/>',
    );
    const { value, evaluated } = await outcomeOf(file, { x: 1 });
    assert.deepEqual([value.value, evaluated?.map(({ id }) => id)], [23, ['c', 'a', 'b', 'k']]);
  });

  it('are seen by the name of the variable, and as in Camunda by the names of the outputs', async () => {
    const dish = (text: string) =>
      dmn(
        decision('k', literal(text), { requires: ['s'] }) +
          decision('s', season, { variable: 'The Season', name: 'The Season' }),
      );
    assert.equal(await resultOf(dish('The Season + "!"'), { month: 3 }), 'spring!');
    assert.equal(await resultOf(dish('season + "!"'), { month: 8 }), 'autumn!');
  });

  it('have chance where they call for it, the same for the same seed', async () => {
    const { model } = await compileDecisions(
      dmn(decision('k', literal('[uuid(), a]'), { requires: ['a'] }) + decision('a', literal('uuid()'))),
    );
    assert.ok(model?.chancy);
    const told = (seed: string) =>
      evaluateDecision(model, { decisionId: 'k', now: NOW, variables: {}, seed }).value.value as readonly string[];
    const [one, other] = told('a');
    assert.notEqual(one, other);
    assert.deepEqual(told('a'), [one, other]);
    assert.notDeepEqual(told('b'), [one, other]);
  });

  it('of many outputs are contexts, of many rules lists', async () => {
    const pairs = table({
      outputs: { a: '', b: '' },
      policy: 'hitPolicy="COLLECT"',
      rules: [
        ['1', '"x"'],
        ['2', '"y"'],
      ],
    });
    const file = (text: string) => dmn(decision('k', literal(text), { requires: ['p'] }) + decision('p', pairs));
    assert.deepEqual(await resultOf(file('p[a = 2].b')), ['y']);
    assert.deepEqual(await resultOf(file('b')), ['x', 'y']);
  });

  it('values of names with spaces and signs', async () => {
    const file = dmn(
      '<inputData id="i" name="Applicant\'s age"/>' +
        decision('k', literal("Applicant's age + in-store rate"), { requires: ['in:i', 'r'] }) +
        decision('r', literal('0.5'), { name: 'in-store rate', variable: 'in-store rate' }),
    );
    assert.equal(await resultOf(file, { "Applicant's age": 20 }), 20.5);
  });

  it('inputs that are not of their type are null, with a note', async () => {
    const file = dmn(
      `<itemDefinition name="Level"><typeRef>string</typeRef><allowedValues><text>"low","high"</text></allowedValues></itemDefinition>
       <inputData id="i" name="level"><variable name="level" typeRef="Level"/></inputData>${decision('k', literal('level'), { requires: ['in:i'] })}`,
    );
    assert.equal(await resultOf(file, { level: 'low' }), 'low');
    const { value, notes } = await outcomeOf(file, { level: 'middle' });
    assert.deepEqual([value.value, notes], [null, ["input 'level': expected a value of type 'Level'"]]);
  });
});

describe('boxed expressions', () => {
  const boxed = (logic: string, more = '') =>
    dmn(`${decision('k', logic)}${more}`, 'https://www.omg.org/spec/DMN/20211108/MODEL/');

  it('a context: each entry sees those before it', async () => {
    const entries = `<contextEntry><variable name="a"/>${literal('x + 1')}</contextEntry><contextEntry><variable name="b"/>${literal('a * 2')}</contextEntry>`;
    assert.deepEqual(await resultOf(boxed(`<context>${entries}</context>`), { x: 1 }), { a: 2, b: 4 });
    assert.equal(
      await resultOf(boxed(`<context>${entries}<contextEntry>${literal('a + b')}</contextEntry></context>`), { x: 1 }),
      6,
    );
  });

  it('a list and a relation', async () => {
    assert.deepEqual(await resultOf(boxed(`<list>${literal('1')}${literal('x')}</list>`), { x: 2 }), [1, 2]);
    const relation = `<relation><column name="a"/><column name="b"/><row>${literal('1')}${literal('"x"')}</row><row>${literal('2')}${literal('"y"')}</row></relation>`;
    assert.deepEqual(await resultOf(boxed(relation)), [
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ]);
  });

  const bkm = `<businessKnowledgeModel id="f" name="discount of"><encapsulatedLogic><formalParameter name="price"/><formalParameter name="part"/>${literal('price * part')}</encapsulatedLogic></businessKnowledgeModel>`;

  it('a business knowledge model: called in FEEL, and by an invocation', async () => {
    const called = dmn(bkm + decision('k', literal('discount of(x, 0.5)'), { requires: ['bkm:f'] }));
    assert.equal(await resultOf(called, { x: 10 }), 5);
    const invocation = `<invocation>${literal('discount of')}<binding><parameter name="part"/>${literal('0.25')}</binding><binding><parameter name="price"/>${literal('x')}</binding></invocation>`;
    assert.equal(await resultOf(dmn(bkm + decision('k', invocation, { requires: ['bkm:f'] })), { x: 8 }), 2);
    const wrong = invocation.replace('name="part"', 'name="share"');
    await assert.rejects(resultOf(dmn(bkm + decision('k', wrong, { requires: ['bkm:f'] }))), {
      message: /has no parameter 'share', but price, part/,
    });
  });

  it('a table as a business knowledge model', async () => {
    const logic = table({
      inputs: { age: '' },
      outputs: { level: '' },
      rules: [
        ['< 18', '"child"'],
        ['>= 18', '"adult"'],
      ],
    });
    const model = `<businessKnowledgeModel id="f" name="levelOf"><encapsulatedLogic><formalParameter name="age"/>${logic}</encapsulatedLogic></businessKnowledgeModel>`;
    assert.deepEqual(
      await resultOf(
        dmn(model + decision('k', literal('for p in people return levelOf(p)'), { requires: ['bkm:f'] })),
        {
          people: [3, 30],
        },
      ),
      ['child', 'adult'],
    );
  });

  it('a function within a context', async () => {
    const fn = `<contextEntry><variable name="twice"/><functionDefinition><formalParameter name="n"/>${literal('n * 2')}</functionDefinition></contextEntry>`;
    assert.equal(
      await resultOf(boxed(`<context>${fn}<contextEntry>${literal('twice(x)')}</contextEntry></context>`), { x: 4 }),
      8,
    );
  });

  it('a condition, a filter, rounds and quantifiers, of DMN 1.4', async () => {
    const conditional = `<conditional><if>${literal('x > 1')}</if><then>${literal('"a"')}</then><else>${literal('"b"')}</else></conditional>`;
    assert.deepEqual(
      [await resultOf(boxed(conditional), { x: 2 }), await resultOf(boxed(conditional), { x: 1 })],
      ['a', 'b'],
    );
    assert.deepEqual(
      await resultOf(boxed(`<filter><in>${literal('xs')}</in><match>${literal('item > 1')}</match></filter>`), {
        xs: [1, 2, 3],
      }),
      [2, 3],
    );
    const round = (kind: string, inner: string, text: string) =>
      boxed(`<${kind} iteratorVariable="n"><in>${literal('xs')}</in><${inner}>${literal(text)}</${inner}></${kind}>`);
    assert.deepEqual(await resultOf(round('for', 'return', 'n * 2'), { xs: [1, 2] }), [2, 4]);
    assert.equal(await resultOf(round('some', 'satisfies', 'n > 1'), { xs: [1, 2] }), true);
    assert.equal(await resultOf(round('every', 'satisfies', 'n > 1'), { xs: [1, 2] }), false);
  });

  it('a decision service: it knows what it is given, and nothing else', async () => {
    const service = `<inputData id="i" name="n"/><decisionService id="s" name="doubled"><outputDecision href="#d"/><inputData href="#i"/></decisionService>`;
    const file = dmn(
      service + decision('d', literal('n * 2'), { requires: ['in:i'] }) + decision('k', literal('doubled(5) + n')),
    );
    assert.equal(await resultOf(file, { n: 1 }), 11);
  });

  it('a decision service that is asked by itself: what it is given are variables', async () => {
    const service = (outputs: readonly string[]) =>
      dmn(
        `<inputData id="i" name="n"/><decisionService id="s" name="told">${outputs.map((id) => `<outputDecision href="#${id}"/>`).join('')}<inputDecision href="#given"/><inputData href="#i"/></decisionService>` +
          decision('given', literal('100')) +
          decision('sum', literal('given + n'), { requires: ['in:i', 'given'] }) +
          decision('product', literal('given * n'), { requires: ['in:i', 'given'] }),
      );
    const { value, rows, evaluated } = await outcomeOf(service(['sum']), { n: 2, given: 3 }, 's');
    assert.deepEqual([value.value, rows[0]?.told?.value, evaluated?.map(({ id }) => id)], [5, 5, ['sum']]);
    const both = await outcomeOf(service(['sum', 'product']), { n: 2, given: 3 }, 's');
    assert.deepEqual(both.value.value, { sum: 5, product: 6 });
  });

  it('a literal expression has the type of its variable', async () => {
    const typedAs = async (type: string) =>
      (await outcomeOf(dmn(decision('k', literal('x'), { type })), { x: 5 })).value;
    assert.deepEqual(await typedAs('long'), { type: 'Long', value: 5 });
    assert.deepEqual(await typedAs('double'), { type: 'Double', value: 5 });
    assert.deepEqual(await rowsOf(dmn(decision('k', literal('x'), { variable: 'res' })), { x: 5 }), [{ res: 5 }]);
  });
});
