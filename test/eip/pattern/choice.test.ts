import assert from 'node:assert/strict';
import { routes } from '../support/routes.js';

describe('choice', () => {
  it('takes the first branch that holds, and goes on behind it', async () => {
    const tested = await routes(`
- from:
    uri: direct:in
    steps:
      - choice:
          when:
            - simple: "\${header.n} > 5"
              steps: [{ setBody: { constant: many } }]
            - simple: "\${header.n} > 1"
              steps: [{ setBody: { constant: some } }]
          otherwise:
            steps: [{ setBody: { constant: few } }]
      - to: { uri: "mock:out" }
`);
    for (const n of [9, 3, 1]) await tested.send('direct:in', 'x', { n });
    assert.deepEqual(tested.bodies('out'), ['many', 'some', 'few']);
  });
});
