import assert from 'node:assert/strict';
import { contextNumbers } from '../../../src/eip/runtime/route-statistics.js';
import { Routes } from '../support/routes.js';

const OTHERS = `
- route: { id: b, from: { uri: "direct:b", steps: [{ setBody: { constant: b } }] } }
- route: { id: c, from: { uri: "direct:c", steps: [{ to: "direct:b" }] } }
- route: { id: f, from: { uri: "direct:f", steps: [{ throwException: { exceptionType: java.io.IOException, message: m } }] } }
- route: { id: s, from: { uri: "seda:s", steps: [{ setBody: { constant: s } }] } }
`;
const GROUPED = '#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy';

/** What route a does; how many have ended in the context, and failed; how many in all of its routes. As Camel 4.22 counts. */
const CASES: readonly (readonly [steps: string, ended: number, failed: number, inRoutes: number])[] = [
  ['to: "direct:c"', 1, 0, 3],
  ['toD: { uri: "direct:b" }', 1, 0, 2],
  ['wireTap: { uri: "direct:b" }', 1, 0, 2],
  ['wireTap: { uri: "direct:f" }', 1, 0, 2],
  ['multicast: { steps: [{ to: "direct:b" }, { to: "direct:c" }] }', 1, 0, 4],
  ['multicast: { shareUnitOfWork: true, steps: [{ to: "direct:b" }, { to: "direct:c" }] }', 1, 0, 4],
  ['multicast: { parallelProcessing: true, steps: [{ to: "direct:b" }, { to: "direct:c" }] }', 1, 0, 4],
  ['multicast: { steps: [{ to: "direct:f" }, { to: "direct:b" }] }', 1, 1, 3],
  ['split: { tokenize: { token: "," }, steps: [{ to: "direct:b" }] }', 1, 0, 4],
  ['recipientList: { constant: "direct:b,direct:c" }', 1, 0, 4],
  ['routingSlip: { constant: "direct:b,direct:c" }', 1, 0, 4],
  ['enrich: { constant: "direct:b", shareUnitOfWork: true }', 1, 0, 2],
  ['loop: { constant: "3", copy: true, steps: [{ to: "direct:b" }] }', 1, 0, 4],
  [
    `aggregate: { correlationExpression: { constant: x }, aggregationStrategy: "${GROUPED}", completionSize: 1, steps: [{ to: "direct:b" }] }`,
    1,
    0,
    2,
  ],
  ['to: "seda:s?waitForTaskToComplete=Always"', 2, 0, 2],
  ['to: "direct:f"', 1, 1, 2],
  [
    'doTry: { steps: [{ to: "direct:f" }], doCatch: [{ exception: [java.io.IOException], steps: [{ to: "direct:b" }] }] }',
    1,
    0,
    3,
  ],
];

describe('what is counted of a context', () => {
  for (const [steps, ended, failed, inRoutes] of CASES)
    it(`has ${ended} ended and ${failed} failed of what goes through: ${steps}`, async () => {
      const tested = new Routes({}, {}, () => {});
      await tested.start(`- route: { id: a, from: { uri: "direct:a", steps: [{ ${steps} }] } }${OTHERS}`);
      await tested.send('direct:a', '1,2,3');
      const each = ['a', 'b', 'c', 'f', 's'].map((id) => tested.runtime.statistics(id));
      const all = contextNumbers(each);
      assert.deepEqual([all.completed + all.failed, all.failed, all.inflight], [ended, failed, 0]);
      assert.equal(
        each.reduce((sum, route) => sum + route.completed + route.failed, 0),
        inRoutes,
      );
    });
});
