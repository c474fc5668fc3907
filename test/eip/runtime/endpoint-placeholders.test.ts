import assert from 'node:assert/strict';
import { Routes } from '../support/routes.js';

describe('placeholders of an endpoint', () => {
  const mocks = async (to: string, step = 'to') => {
    const tested = new Routes({ name: 'out', count: '1' });
    await tested.start(`- from: {uri: direct:in, steps: [{${step}: ${to}}]}`);
    const { exception } = await tested.send('direct:in', 'hello');
    assert.equal(exception, undefined);
    return tested.mock('out').counter;
  };

  it('are resolved in its URI and in parameters', async () => {
    assert.equal(await mocks('"mock:{{name}}?expectedCount={{count}}"'), 1);
    assert.equal(await mocks('{uri: mock, parameters: {name: "{{name}}", expectedCount: "{{count}}"}}'), 1);
  });

  it('leave out an option that has no value', async () => {
    assert.equal(await mocks('"mock:{{name}}?expectedCount={{?nope}}"'), 1);
    assert.equal(await mocks('{uri: mock, parameters: {name: "{{name}}", expectedCount: "{{?nope}}"}}'), 1);
    assert.equal(await mocks('"mock:{{name}}?retainFirst={{?nope}}&retainLast={{?nope}}"', 'toD'), 1);
    const parameters = 'parameters: {retainFirst: "{{?nope}}", expectedCount: "{{count}}"}';
    assert.equal(await mocks(`{uri: "mock:{{name}}", ${parameters}}`, 'toD'), 1);
  });

  it('are told of where there is no such property', () =>
    assert.rejects(mocks('"mock:{{nope}}"'), /Property with key \[nope\] not found/));
});
