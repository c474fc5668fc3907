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
