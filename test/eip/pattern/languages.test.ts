import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { routes } from '../support/routes.js';

describe('languages and data formats in routes', () => {
  it('take CSV apart, choose by JSONPath, and write JSON', async () => {
    const tested = await routes(`
- from:
    uri: direct:in
    steps:
      - unmarshal: { csv: { useMaps: true, lazyLoad: true } }
      - split:
          simple: "\${body}"
          streaming: true
          steps:
            - choice:
                when:
                  - jsonpath: "$[?(@.price > '5')]"
                    steps: [{ marshal: { json: {} } }, { convertBodyTo: { type: String } }, { to: { uri: "mock:out" } }]
                otherwise:
                  steps: [{ setBody: { jsonpath: $.name } }, { to: { uri: "mock:cheap" } }]
`);
    for (const body of ['name,price\nrye,3\noat,7\n', Readable.from(['name,pr', 'ice\nrye,3\no', 'at,7'])]) {
      await tested.send('direct:in', body);
    }
    assert.deepEqual(tested.bodies('out'), ['{"name":"oat","price":"7"}', '{"name":"oat","price":"7"}']);
    assert.deepEqual(tested.bodies('cheap'), ['rye', 'rye']);
  });

  it('read an archive entry by entry, and XML by XPath', async () => {
    const tested = await routes(`
- from:
    uri: direct:in
    steps:
      - marshal: { zipFile: {} }
      - unmarshal: { zipFile: { usingIterator: true } }
      - split:
          simple: "\${body}"
          streaming: true
          steps:
            - filter:
                xpath: /order/line[@price > 5]
                steps:
                  - setHeader: { name: line, xpath: { expression: "/order/line[@price > 5]", resultType: java.lang.String } }
                  - to: { uri: "mock:out" }
`);
    await tested.send('direct:in', '<order><line price="3">rye</line><line price="7">oat</line></order>', {
      CamelFileName: 'order.xml',
      kept: 'yes',
    });
    const [exchange] = tested.mock('out').exchanges;
    assert.equal(exchange?.headers.get('line'), 'oat');
    assert.equal(exchange?.headers.get('CamelFileName'), 'order.xml');
    assert.equal(exchange?.headers.get('kept'), 'yes');
  });
});
