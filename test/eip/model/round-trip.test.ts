import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ReadDefinition, readXml, readYaml } from '../../../src/eip/model/read-routes.js';
import type { RouteFile } from '../../../src/eip/model/route-model.js';
import { writeXml, writeYaml } from '../../../src/eip/model/write-routes.js';
import { routeTexts } from '../support/route-texts.js';

/** Without the places: they are another text's. */
const plain = (file: RouteFile): unknown =>
  JSON.parse(JSON.stringify(file, (key, value) => (key === 'at' ? undefined : value)));
const fileOf = ({ file, errors }: ReadDefinition): RouteFile => file ?? assert.fail(JSON.stringify(errors));

const EVERYTHING = `
- beans: [{ name: b, type: "#class:a.B", properties: { c: { d: "1" } }, constructors: { "0": x }, script: "a < b" }]
- dataFormats: [{ json: { id: j, library: Jackson } }]
- restConfiguration: { bindingMode: json, corsHeaders: [{ key: a, value: b }] }
- routeConfiguration:
    id: quiet
    errorHandler: { noErrorHandler: {} }
    onCompletion: [{ onCompletion: { mode: BeforeConsumer, steps: [{ to: mock:done }] } }]
- errorHandler: { deadLetterChannel: { deadLetterUri: mock:dead, redeliveryPolicy: { maximumRedeliveries: 3 } } }
- onException: { exception: [a.B, a.C], onWhen: { simple: a }, handled: { constant: "true" }, steps: [{ to: mock:a }] }
- interceptSendToEndpoint: { uri: "mock:*", skipSendToOriginalEndpoint: true, steps: [{ stop: {} }] }
- rest: { path: /a, get: [{ path: /b, param: [{ name: c, type: query, required: false }], to: direct:b }] }
- routeTemplate:
    id: tick
    parameters: [{ name: period, defaultValue: 5 }, { name: name }]
    beans: [{ name: b, type: a.B }]
    from: { uri: "timer:{{name}}?period={{period}}", steps: [{ to: mock:a }] }
- templatedRoute: { routeTemplateRef: tick, routeId: one, parameters: [{ name: name, value: n }] }
- route:
    id: r
    routeProperty: [{ key: a, value: b }]
    errorHandler: { deadLetterChannel: { deadLetterUri: e } }
    from:
      uri: direct:a
      id: begin
      steps:
        - setBody: { xpath: { expression: "/p:a", namespace: [{ key: p, value: urn:p }] } }
        - loadBalance: { stickyLoadBalancer: { correlationExpression: { header: a } }, steps: [{ to: mock:b }] }
        - circuitBreaker: { resilience4jConfiguration: { slidingWindowSize: 5 }, steps: [{ to: mock:c }], onFallback: { steps: [{ stop: {} }] } }
        - setHeaders: { headers: [{ name: a, constant: "" }, { name: b, simple: " x\\n" }] }
- from: { uri: direct:c, steps: [{ log: a }] }
`;

describe('routes that are written', () => {
  it('in YAML are read as they were', () => {
    const file = fileOf(readYaml(EVERYTHING));
    assert.deepEqual(plain(fileOf(readYaml(writeYaml(file)))), plain(file));
  });

  it('in XML are read as they were', () => {
    const file = fileOf(readYaml(EVERYTHING));
    assert.deepEqual(plain(fileOf(readXml(writeXml(file)))), plain(file));
  });

  it('are read as they were, whatever their steps and options are', () => {
    fc.assert(
      fc.property(routeTexts, (yaml) => {
        const file = fileOf(readYaml(yaml));
        assert.deepEqual(plain(fileOf(readYaml(writeYaml(file)))), plain(file));
        assert.deepEqual(plain(fileOf(readXml(writeXml(file)))), plain(file));
      }),
      { numRuns: 150 },
    );
  });

  it('have their parameters in the URI, where they are XML', () => {
    const file = fileOf(
      readYaml(
        '- from: {uri: timer, parameters: {timerName: t, period: 5}, steps: [{to: {uri: "log:a", parameters: {marker: "a&b"}}}]}',
      ),
    );
    const xml = writeXml(file);
    assert.match(xml, /<from uri="timer:t\?period=5"\/>/);
    assert.match(xml, /<to uri="log:a\?marker=a%26b"\/>/);
  });

  it('are one alone, where it is asked for', () => {
    const [route] = fileOf(readYaml('- route: {id: a, from: {uri: direct:a, steps: [{stop: {}}]}}')).routes;
    assert.ok(route);
    assert.equal(writeXml(route), '<route id="a">\n  <from uri="direct:a"/>\n  <stop/>\n</route>\n');
    assert.equal(
      writeYaml(route),
      '- route:\n    id: a\n    from:\n      uri: direct:a\n      steps:\n        - stop: {}\n',
    );
  });
});
