import assert from 'node:assert/strict';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { elementOf, problemsOf, programOf, warningsOf } from '../../support/model.js';

const ITEMS = ['int', 'long', 'double', 'string', 'boolean', 'dateTime']
  .map((type) => `<bpmn:itemDefinition id="${type}" structureRef="xsd:${type}"/>`)
  .join('');
const item = (type: string) => `itemSubjectRef="${type}"`;
const object = (id: string, type?: string, name = id) =>
  `<bpmn:dataObject id="${id}" name="${name}"${type === undefined ? '' : ` ${item(type)}`}/>`;
const association = (kind: 'Input' | 'Output', source: string, target: string, more = '') =>
  `<bpmn:data${kind}Association>${source && `<bpmn:sourceRef>${source}</bpmn:sourceRef>`}${target && `<bpmn:targetRef>${target}</bpmn:targetRef>`}${more}</bpmn:data${kind}Association>`;
const formal = (name: string, text: string, attributes = '') =>
  `<bpmn:${name} xsi:type="bpmn:tFormalExpression"${attributes}>${text}</bpmn:${name}>`;
const transformation = (text: string) => `<bpmn:transformation>${text}</bpmn:transformation>`;
const assignment = (from: string, to: string) =>
  `<bpmn:assignment>${formal('from', from)}${formal('to', to)}</bpmn:assignment>`;
const ends = (inputs: string, outputs: string) =>
  `<bpmn:ioSpecification>${inputs}${outputs}<bpmn:inputSet/><bpmn:outputSet/></bpmn:ioSpecification>`;
const input = (id: string, name = id, type = '') => `<bpmn:dataInput id="${id}" name="${name}" ${type && item(type)}/>`;
const output = (id: string, name = id, type = '') =>
  `<bpmn:dataOutput id="${id}" name="${name}" ${type && item(type)}/>`;

/** A user task `a` with this within, and data of the process; then a user task `b`. */
const model = (data: string, task: string, more = '') =>
  bpmn(`${data}${line(['a', 'b'], element('userTask', 'a', {}, task) + element('userTask', 'b') + more)}`, {
    root: ITEMS,
  });
const begun = async (xml: string, variables: Record<string, unknown> = {}) =>
  instance(await programOf(xml)).start(variables);

describe('data that is only drawn', () => {
  it('makes no variables, whatever is drawn to and from it', async () => {
    const drawn = `<bpmn:dataObjectReference id="ref" name="Order" dataObjectRef="o"/>${object('o')}<bpmn:dataStoreReference id="store" name="Orders"/>`;
    const placeholder = '<bpmn:property id="to" name="__targetRef_placeholder"/>';
    const it = await begun(
      model(drawn, placeholder + association('Input', 'ref', 'to') + association('Output', '', 'store')),
      { n: 1 },
    );
    assert.deepEqual([it.variables, it.state.scopes.length], [{ n: 1 }, 1]);
    assert.deepEqual(it.complete('a').variables, { n: 1 });
  });
});

describe('data with a type', () => {
  it('is a variable of its scope, by its name, and begins as null', async () => {
    const inner =
      object('local', 'int', 'n') +
      line(['b'], element('userTask', 'b')).replaceAll(/"(start|end|start-a|a-end|start-b|b-end)"/g, '"in-$1"');
    const it = await begun(
      bpmn(
        `${object('o', 'int', 'n')}${object('ref', 'string')}<bpmn:property id="q" name="p" ${item('boolean')}/>
        ${line(['sub'], element('subProcess', 'sub', {}, inner))}`,
        { root: ITEMS },
      ),
    );
    assert.deepEqual(it.variables, { n: null, ref: null, p: null });
    it.complete('b', { n: 5, p: true });
    assert.deepEqual(it.variables, { n: null, ref: null, p: true });
  });

  it('is given to the process that a call activity calls, and taken from it', async () => {
    const task =
      ends(input('i', 'in'), output('u', 'out')) + association('Input', 'o', 'i') + association('Output', 'u', 'o');
    const xml = bpmn(
      `${object('o', 'int')}${line(['c'], element('callActivity', 'c', { calledElement: 'q' }, task))}`,
      {
        root: ITEMS,
      },
    );
    const { call } = elementOf(await programOf(xml), 'c');
    const local = { kind: 'variable', local: true };
    assert.deepEqual(
      [call?.inputs, call?.outputs],
      [[{ ...local, source: 'in', target: 'in' }], [{ ...local, source: 'out', target: 'out' }]],
    );
  });

  it('takes what fits, without loss, and refuses everything else with the element and the cause', async () => {
    const fits: [string, unknown, unknown, string][] = [
      ['int', 5, 5, 'Integer'],
      ['long', 5, 5, 'Long'],
      ['double', 5, 5, 'Double'],
      ['dateTime', '2026-05-01T12:00:00+02:00', '2026-05-01T10:00:00.000Z', 'Date'],
      ['string', 'x', 'x', 'String'],
      ['string', null, null, 'Null'],
    ];
    for (const [type, given, value, stored] of fits) {
      const it = await begun(model(object('o', type), ''), { o: given });
      assert.deepEqual(it.state.scopes[0]?.variables.o, { type: stored, value }, type);
    }
    const refused: [string, unknown, RegExp][] = [
      [
        'int',
        'five',
        /expected a value of type Integer for data 'o' of element 'p', but it gets a value of type String/,
      ],
      ['int', 3_000_000_000, /type Integer .* but it gets a value of type Long/],
      ['int', 1.5, /type Double/],
      ['boolean', 'true', /type Boolean/],
      ['dateTime', '2026-99-01', /type Date/],
      ['string', 7, /type Integer/],
    ];
    for (const [type, given, expected] of refused) {
      await assert.rejects(begun(model(object('o', type), ''), { o: given }), expected, type);
      const it = await begun(model(object('o', type), ''));
      assert.throws(() => it.complete('a', { o: given }), expected, type);
    }
  });

  it('is a list where it is a collection', async () => {
    const data = '<bpmn:dataObject id="o" isCollection="true" itemSubjectRef="int"/>';
    assert.deepEqual((await begun(model(data, ''), { o: [1, 2] })).variables, { o: [1, 2] });
    await assert.rejects(begun(model(data, ''), { o: 1 }), /expected a list for data 'o'/);
  });

  it('may be of types that are not known, which take any value, and of types of XML Schema without a definition', async () => {
    const root = '<bpmn:itemDefinition id="order" structureRef="com.acme.Order"/>';
    const data = '<bpmn:dataObject id="o" itemSubjectRef="order"/><bpmn:dataObject id="n" itemSubjectRef="xsd:int"/>';
    const it = await begun(bpmn(`${data}${line(['a'], element('userTask', 'a'))}`, { root }), {
      o: { total: 1 },
      n: 5,
    });
    assert.deepEqual(it.variables, { o: { total: 1 }, n: 5 });
    const xml = bpmn(`${data}${line(['a'], element('userTask', 'a'))}`, { root });
    assert.match(
      (await warningsOf(xml)).join(),
      /data object 'o' is of the type 'com.acme.Order', which is not known here/,
    );
  });

  it('is the process’s own where it is a store, wherever that is drawn', async () => {
    const store = `<bpmn:dataStore id="orders" name="stock" ${item('int')}/>`;
    const inner = `<bpmn:dataStoreReference id="ref" name="drawn" dataStoreRef="orders"/>${line(['a'], element('userTask', 'a')).replaceAll(/"(start|end|start-a|a-end|start-b|b-end)"/g, '"in-$1"')}`;
    const it = await begun(bpmn(line(['sub'], element('subProcess', 'sub', {}, inner)), { root: `${ITEMS}${store}` }));
    assert.deepEqual(it.variables, { stock: null });
    assert.deepEqual(it.complete('a', { stock: 4 }).variables, { stock: 4 });
  });
});

describe('a data association', () => {
  it('copies to an input, and from an output, of an activity', async () => {
    const task =
      ends(input('i', 'in', 'long'), output('u', 'out', 'int')) +
      association('Input', 'o', 'i') +
      association('Output', 'u', 'o');
    const it = await begun(model(object('o', 'int'), task), { o: 4 });
    assert.deepEqual(it.state.scopes[1]?.variables, {
      in: { type: 'Long', value: 4 },
      out: { type: 'Null', value: null },
    });
    assert.deepEqual(it.complete('a', { out: 5, in: 6, other: 1 }).variables, { o: 5, other: 1 });
  });

  it('leaves its target as it is where its output was not written', async () => {
    const task = ends('', output('u', 'out')) + association('Output', 'u', 'o');
    assert.deepEqual((await begun(model(object('o', 'int'), task), { o: 4 })).complete('a').variables, { o: 4 });
  });

  it('transforms, and assigns values, also to parts of them', async () => {
    const task =
      ends(input('i'), '') +
      association('Input', 'o', 'i', transformation('${o * 2}')) +
      association('Output', '', 'r', assignment('${i + 1}', 'r.total.net') + assignment('EUR', '${r.currency}')) +
      association('Output', '', 'k', transformation('=i + 3')) +
      association('Output', '', 'text', assignment('7', 'text') + assignment('7', 'k7'));
    const data = object('o') + object('r') + object('k', 'int') + object('text', 'string') + object('k7', 'int');
    const it = await begun(model(data, task), { o: 4 });
    assert.deepEqual(it.state.scopes[1]?.variables, { i: { type: 'Long', value: 8 } });
    assert.deepEqual(it.complete('a').variables, {
      o: 4,
      r: { total: { net: 9 }, currency: 'EUR' },
      k: 11,
      text: '7',
      k7: 7,
    });
  });

  it('of an event writes what came with it', async () => {
    const xml = bpmn(
      `${object('o', 'int')}${line(['c'], element('intermediateCatchEvent', 'c', {}, `<bpmn:dataOutput id="d" name="paid"/>${association('Output', 'd', 'o')}<bpmn:messageEventDefinition messageRef="m"/>`))}`,
      { root: `${ITEMS}<bpmn:message id="m" name="m"/>` },
    );
    assert.deepEqual((await begun(xml)).trigger('c', { paid: 3 }).variables.o, 3);
  });

  it('of what throws a message or a signal goes with it', async () => {
    const thrown = `${input('i', 'price', 'int')}${association('Input', 'o', 'i')}<bpmn:inputSet/>`;
    const message = '<bpmn:messageEventDefinition messageRef="m"/>';
    const work =
      element('intermediateThrowEvent', 't', {}, `${thrown}${message}`) +
      element(
        'sendTask',
        's',
        { messageRef: 'm' },
        ends(input('k', 'other'), '') + association('Input', '', 'k', assignment('${o + 1}', 'k')),
      ) +
      element(
        'endEvent',
        'e',
        {},
        `${thrown.replaceAll('"i"', '"j"').replace('>i<', '>j<')}<bpmn:signalEventDefinition signalRef="g"/>`,
      );
    const xml = bpmn(`${object('o', 'int')}${element('startEvent', 'b')}${work}${flows('b', 't', 's', 'e')}`, {
      root: `${ITEMS}<bpmn:message id="m" name="m"/><bpmn:signal id="g" name="g"/>`,
    });
    const it = await begun(xml, { o: 3 });
    const told = it.effects.flatMap((effect) => ('variables' in effect ? [effect.variables] : []));
    const price = { type: 'Integer', value: 3 };
    assert.deepEqual(told, [{ price }, { other: { type: 'Long', value: 4 } }, { price }]);
  });

  it('gives a loop its list, and gathers what its instances give', async () => {
    const loop = `<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopDataInputRef>i</bpmn:loopDataInputRef>
      <bpmn:loopDataOutputRef>u</bpmn:loopDataOutputRef><bpmn:inputDataItem id="each"/><bpmn:outputDataItem id="result"/></bpmn:multiInstanceLoopCharacteristics>`;
    const task =
      ends(input('i'), output('u')) + association('Input', 'o', 'i') + association('Output', 'u', 'r') + loop;
    const list = (id: string) => `<bpmn:dataObject id="${id}" isCollection="true" itemSubjectRef="int"/>`;
    const it = await begun(model(list('o') + list('r'), task), { o: [1, 2] });
    it.complete('a', { result: 10 }).complete('a', { result: 20 });
    assert.deepEqual(it.variables, { o: [1, 2], r: [10, 20] });
  });

  it('that says nothing that can be done is refused, or told', async () => {
    const problems = await problemsOf(
      model(
        object('o'),
        association(
          'Output',
          '',
          'o',
          '<bpmn:assignment><bpmn:to xsi:type="bpmn:tFormalExpression">o</bpmn:to></bpmn:assignment>',
        ) + association('Output', '', 'o', assignment('1', 'a b')),
      ),
    );
    assert.match(problems.join(), /user task 'a' has a data association with an assignment from nothing/);
    assert.match(problems.join(), /with an assignment to 'a b', but expected a variable's name, or a path of names/);
    const untaken = model('', association('Output', '', '', transformation('${1}')));
    assert.match((await warningsOf(untaken)).join(), /nothing that takes what it gives/);
  });
});
