import assert from 'node:assert/strict';
import { routes } from '../support/routes.js';

describe('transacted', () => {
  it('is refused, as what its steps do is not one commit', async () => {
    const yaml =
      '[{ from: { uri: "direct:in", steps: [ { transacted: { steps: [ { to: { uri: "mock:out" } } ] } } ] } }]';
    await assert.rejects(routes(yaml), /transacted in line 1: what its steps do is not one commit/);
  });
});
