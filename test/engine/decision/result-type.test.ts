import assert from 'node:assert/strict';
import { decision, dmn, literal } from '../../support/dmn.js';
import { outcomeOf } from './support.js';

const TYPES = `<itemDefinition name="Level"><typeRef>string</typeRef><allowedValues><text>"low","high"</text></allowedValues></itemDefinition>
  <itemDefinition name="Levels" isCollection="true"><typeRef>Level</typeRef></itemDefinition>
  <itemDefinition name="Order"><itemComponent name="sum"><typeRef>number</typeRef></itemComponent></itemDefinition>`;

const resultOf = async (text: string, type: string) => {
  const { value, notes } = await outcomeOf(dmn(TYPES + decision('k', literal(text), { type })));
  return [value.value, notes];
};

describe('the result of a decision with a type', () => {
  it('is what it is where it is of the type', async () => {
    assert.deepEqual(await resultOf('"low"', 'Level'), ['low', []]);
    assert.deepEqual(await resultOf('["low", "high"]', 'Levels'), [['low', 'high'], []]);
    assert.deepEqual(await resultOf('{ sum: 1 }', 'Order'), [{ sum: 1 }, []]);
    assert.deepEqual(await resultOf('1 + 1', 'number'), [2, []]);
    assert.deepEqual(await resultOf('null', 'Level'), [null, []]);
  });

  it('is null, with a note, where it is of another', async () => {
    for (const [text, type] of [
      ['"middle"', 'Level'],
      ['1', 'Level'],
      ['["low", "middle"]', 'Levels'],
      ['{ sum: "1" }', 'Order'],
      ['{ total: 1 }', 'Order'],
      ['"2"', 'number'],
    ] as const) {
      assert.deepEqual(await resultOf(text, type), [null, [`decision 'k': expected a value of type '${type}'`]]);
    }
  });

  it('is what a list of one holds, or a list of one, where that fits', async () => {
    assert.deepEqual(await resultOf('["low"]', 'Level'), ['low', []]);
    assert.deepEqual(await resultOf('"low"', 'Levels'), [['low'], []]);
    assert.deepEqual(await resultOf('[3]', 'number'), [3, []]);
  });
});

/** A function of one typed parameter, with a type of its result. */
const knowledge = (parameter: string, result: string, body: string) =>
  `<businessKnowledgeModel id="f" name="f"><variable name="f"/><encapsulatedLogic typeRef="${result}"><formalParameter name="it" typeRef="${parameter}"/>${literal(body)}</encapsulatedLogic></businessKnowledgeModel>`;

const called = async (parameter: string, result: string, body: string, given: string) => {
  const xml = dmn(
    TYPES + knowledge(parameter, result, body) + decision('k', literal(`f(${given})`), { requires: ['bkm:f'] }),
  );
  const { value, notes } = await outcomeOf(xml);
  return [value.value, notes];
};

describe('what a function with types is given, and gives', () => {
  it('is what fits, also as a list of one', async () => {
    assert.deepEqual(await called('Levels', 'number', 'count(it)', '"low"'), [1, []]);
    assert.deepEqual(await called('number', 'Level', '"low"', '[1]'), ['low', []]);
    assert.deepEqual(await called('date', 'boolean', 'it > @"2026-01-01"', '@"2026-01-02"'), [true, []]);
  });

  it('is null, with a note, where it does not fit', async () => {
    const place = "the function 'f'";
    assert.deepEqual(await called('number', 'string', '"x"', '"1"'), [
      null,
      [`parameter 'it' of ${place}: expected a value of type 'number'`],
    ]);
    assert.deepEqual(await called('number', 'Level', '"middle"', '1'), [
      null,
      [`${place}: expected a value of type 'Level'`],
    ]);
  });

  it('holds for decision services, too', async () => {
    const service = (given: string) =>
      dmn(
        `${TYPES}<inputData id="i" name="i"><variable name="i" typeRef="number"/></inputData>
         <decisionService id="s" name="s"><variable name="s" typeRef="number"/><outputDecision href="#d"/><inputData href="#i"/></decisionService>` +
          decision('d', literal('i + 1'), { requires: ['in:i'] }) +
          decision('k', literal(`s(${given})`)),
      );
    assert.equal((await outcomeOf(service('1'))).value.value, 2);
    assert.equal((await outcomeOf(service('"1"'))).value.value, null);
    const { value, notes } = await outcomeOf(service(''));
    assert.deepEqual([value.value, notes], [null, ["the service 's': expected 'i' to be given"]]);
  });
});

describe('types of a file', () => {
  const input = (type: string) => `<inputData id="i" name="i"><variable name="i" typeRef="${type}"/></inputData>`;
  const decided = async (type: string, text: string, value: unknown, types = '') =>
    (await outcomeOf(dmn(types + input(type) + decision('k', literal(text), { requires: ['in:i'] })), { i: value }))
      .value.value;

  it('make dates, times and durations of the texts that inputs are', async () => {
    assert.equal(await decided('date', 'i + @"P1D" = @"2026-01-03"', '2026-01-02'), true);
    assert.equal(await decided('time', 'i < @"12:00:00"', '11:59:00'), true);
    assert.equal(await decided('date and time', 'i.year', '2026-01-02T03:04:05Z'), 2026);
    assert.equal(await decided('days and time duration', 'i * 2 = @"P4D"', 'P2D'), true);
    assert.equal(await decided('date', 'i', 'soon'), 'soon');
    const person =
      '<itemDefinition name="Person"><itemComponent name="born"><typeRef>date</typeRef></itemComponent></itemDefinition>';
    assert.equal(await decided('Person', 'i.born.year', { born: '2000-01-02' }, person), 2000);
    assert.equal(await decided('Person', 'i.name', { name: 'Ann' }, person), 'Ann');
  });

  it('are known to instance of', async () => {
    const of = (text: string) => outcomeOf(dmn(TYPES + decision('k', literal(text)))).then(({ value }) => value.value);
    assert.equal(await of('{ sum: 1 } instance of Order'), true);
    assert.equal(await of('{ total: 1 } instance of Order'), false);
    assert.equal(await of('["low"] instance of Levels'), true);
    assert.equal(await of('"low" instance of Levels'), false);
    assert.equal(await of('[{ sum: 1 }] instance of list<Order>'), true);
  });

  it('let a name with a point be a path where there is no such name', async () => {
    const f = `<businessKnowledgeModel id="f" name="f"><variable name="f"/><encapsulatedLogic><formalParameter name="i.name" typeRef="string"/>${literal('"Hello " + i.name')}</encapsulatedLogic></businessKnowledgeModel>`;
    const calling = `<invocation>${literal('f')}<binding><parameter name="i.name"/>${literal('i.name')}</binding></invocation>`;
    const xml = dmn(f + input('Any') + decision('k', calling, { requires: ['bkm:f', 'in:i'] }));
    assert.equal((await outcomeOf(xml, { i: { name: 'Ann' } })).value.value, 'Hello Ann');
  });
});

describe('boxed expressions that ask', () => {
  const boxed = async (box: string) => (await outcomeOf(dmn(decision('k', box)))).value.value;
  const child = (name: string, text: string) => `<${name}>${literal(text)}</${name}>`;

  it('are null where the answer is neither true nor false', async () => {
    const conditional = (test: string) =>
      `<conditional>${child('if', test)}${child('then', '1')}${child('else', '2')}</conditional>`;
    assert.equal(await boxed(conditional('"abc"')), null);
    assert.equal(await boxed(conditional('null')), 2);
    const filter = (test: string) => `<filter>${child('in', '[1, 2]')}${child('match', test)}</filter>`;
    assert.equal(await boxed(filter('if item = 1 then true else "x"')), null);
    assert.deepEqual(await boxed(filter('item = 1')), [1]);
    const every = (test: string) =>
      `<every iteratorVariable="each">${child('in', '[1, 2]')}${child('satisfies', test)}</every>`;
    assert.equal(await boxed(every('"x"')), null);
    assert.equal(await boxed(every('each > 0')), true);
  });
});
