import assert from 'node:assert/strict';
import { restRoutes } from '../../../src/eip/model/rest-routes.js';
import type { Exchange } from '../../../src/expression/routes.js';
import { ServedRoutes } from '../support/http-served.js';
import { readRoutes } from '../support/read-routes.js';
import { Routes } from '../support/routes.js';

const ORDERS = `
- restConfiguration: { component: platform-http, contextPath: /api, bindingMode: json, clientRequestValidation: true }
- rest:
    path: /orders
    consumes: application/json
    produces: application/json
    get:
      - path: /{id}
        to: direct:one
        param:
          - { name: id, type: path, dataType: integer }
          - { name: verbose, type: query, defaultValue: "false", required: false }
          - { name: color, type: query, allowableValues: [{ value: red }, { value: blue }] }
          - { name: X-Need, type: header }
      - id: lister
        to: direct:list
    post:
      - to: direct:made
        param: [{ name: body, type: body }]
    put:
      - { path: "{id}", bindingMode: "off", to: { uri: direct:raw } }
    delete:
      - { path: "/{id}", to: direct:gone }
- rest:
    path: /fl
    authentication: none
    clientRequestValidation: false
    get: [{ path: /fail, to: direct:fail }, { path: /text, to: direct:text }, { path: /off, disabled: true, to: direct:text }]
    post: [{ path: /text, to: direct:text, authentication: required }]
- route: { id: one, from: { uri: "direct:one", steps: [{ to: "outside:look" }, { setBody: { constant: '{"id":5}' } }, { unmarshal: { json: {} } }] } }
- route: { id: list, from: { uri: "direct:list", steps: [{ setBody: { constant: "[1,2]" } }, { unmarshal: { json: {} } }] } }
- route: { id: made, from: { uri: "direct:made", steps: [{ to: "outside:look" }] } }
- route: { id: raw, from: { uri: "direct:raw", steps: [{ to: "outside:look" }, { setBody: { simple: "<\${body}>" } }] } }
- route: { id: gone, from: { uri: "direct:gone", steps: [{ setBody: { simple: "\${null}" } }] } }
- route: { id: fail, from: { uri: "direct:fail", steps: [{ throwException: { exceptionType: java.lang.IllegalArgumentException, message: bad } }] } }
- route: { id: text, from: { uri: "direct:text", steps: [{ setBody: { constant: "p" } }] } }
`;

describe('rest', () => {
  let front: ServedRoutes;
  let got: Exchange[];
  const made = (yaml: string) => {
    const { rests, restConfiguration } = readRoutes(yaml);
    return restRoutes(rests, restConfiguration, 'orders');
  };
  const begin = async (yaml: string) => {
    front = new ServedRoutes();
    got = [];
    const tested = new Routes({}, { front: front.table });
    tested.outside('look', (exchange) => {
      got.push(exchange.copy());
      return undefined;
    });
    await tested.start(yaml);
    const { routes, problems } = made(yaml);
    assert.deepEqual(problems, []);
    for (const model of routes) {
      const toRun = {
        routeId: model.id,
        version: 1,
        file: 'x.yaml',
        model,
        scoped: readRoutes(yaml).scoped,
        template: null,
      };
      await tested.runtime.start({ ...toRun, deployer: { userId: 'tester', principalId: null } });
    }
  };
  const json = [['Content-Type', 'application/json']] as const;

  it('is a route for each method, named by the file, the method and the path, unless it says itself', () => {
    assert.deepEqual(
      made(ORDERS).routes.map(({ id, from: { uri } }) => `${id} ${uri}`),
      [
        'orders-get-api-orders-id rest:get:/api//orders:/{id}',
        'lister rest:get:/api//orders:',
        'orders-post-api-orders rest:post:/api//orders:',
        'orders-put-api-orders-id rest:put:/api//orders:{id}',
        'orders-delete-api-orders-id rest:delete:/api//orders:/{id}',
        'orders-get-api-fl-fail rest:get:/api//fl:/fail',
        'orders-get-api-fl-text rest:get:/api//fl:/text',
        'orders-post-api-fl-text rest:post:/api//fl:/text',
      ],
    );
  });

  it('looks at requests, reads and writes JSON, as Camel 4.18.1 does', async () => {
    await begin(ORDERS);
    const need = [...json, ['X-Need', '1']] as const;
    const missing = 'Some of the required query parameters are missing.';
    const odd = 'Some of the query parameters or HTTP headers has a not-allowed value.';
    for (const [method, url, headers, body, status, text] of [
      ['GET', '/api/orders/5?color=red', need, null, 200, '{"id":5}'],
      ['GET', '/api/orders/abc?color=red&verbose=maybe', need, null, 200, '{"id":5}'],
      ['GET', '/api/orders/5?color=green', need, null, 400, odd],
      ['GET', '/api/orders/5', need, null, 400, missing],
      ['GET', '/api/orders/5?color=red', json, null, 400, 'Some of the required HTTP headers are missing.'],
      ['GET', '/api/orders', [], null, 200, '[1,2]'],
      ['GET', '/api/orders', [['Accept', 'text/html']], null, 406, ''],
      ['POST', '/api/orders', json, '{"a":1}', 200, '{"a":1}'],
      ['POST', '/api/orders', json, '{"a":', 400, 'Invalid JSon payload.'],
      ['POST', '/api/orders', json, null, 400, 'The request body is missing.'],
      ['POST', '/api/orders', [['Content-Type', 'text/plain']], 'x', 415, ''],
      ['PUT', '/api/orders/7', json, '{"a":1}', 200, '<{"a":1}>'],
      ['DELETE', '/api/orders/7', [], null, 204, ''],
      ['PATCH', '/api/orders', [], null, 405, ''],
      ['GET', '/api/none', [], null, 404, ''],
      ['GET', '/orders', [], null, 404, ''],
      ['GET', '/api/fl/fail', [], null, 500, ''],
      ['GET', '/api/fl/text', [], null, 200, '"p"'],
      ['GET', '/api/fl/off', [], null, 404, ''],
    ] as const) {
      const reply = await front.call(url, { method, headers, body });
      assert.deepEqual([reply.status, reply.text], [status, text], `${method} ${url} ${body}`);
    }
    assert.equal((await front.call('/api/orders')).headers['Content-Type'], 'application/json');
  });

  it('gives the route parameters with their defaults, and what JSON is', async () => {
    await begin(ORDERS);
    await front.call('/api/orders/5?color=red', { headers: [['X-Need', '1']] });
    const { headers } = got[0] ?? assert.fail();
    assert.deepEqual(
      ['id', 'color', 'verbose', 'CamelHttpPath'].map((name) => headers.get(name)),
      ['5', 'red', 'false', '/api/orders/5'],
    );
    await front.call('/api/orders', { method: 'POST', headers: json, body: '{"a":[1]}' });
    assert.deepEqual(got[1]?.body, { a: [1] });
    await front.call('/api/orders/5', { method: 'PUT', headers: json, body: '{"a":[1]}' });
    assert.equal(typeof got[2]?.body, 'object');
  });

  it('says of each rest, or each method, who may ask; and of all by a property of endpoints', async () => {
    const open = () =>
      Object.fromEntries(
        [
          ['GET', 'api/orders'],
          ['GET', 'api/fl/text'],
          ['POST', 'api/fl/text'],
        ].map(([method = '', path = '']) => {
          const found = front.table.find(method, path.split('/'));
          return [`${method} ${path}`, found !== undefined && 'mount' in found && found.mount.isOpen];
        }),
      );
    await begin(ORDERS);
    assert.deepEqual(open(), { 'GET api/orders': false, 'GET api/fl/text': true, 'POST api/fl/text': false });
    await begin(ORDERS.replace('contextPath', 'endpointProperty: [{ key: authentication, value: none }], contextPath'));
    assert.equal(open()['GET api/orders'], true);
  });

  it('refuses by name what is not served, and tells of what says nothing here', () => {
    for (const [text, why] of [
      ['- rest: { openApi: { specification: petstore.json } }', /openApi comes with a later version/],
      ['- rest: { enableCORS: true, get: [{ to: direct:a }] }', /enableCORS/],
      ['- rest: { get: [{ to: direct:a, bindingMode: xml }] }', /expected bindingMode to be off or json/],
      ['- restConfiguration: { component: servlet }', /expected component to be platform-http/],
      ['- restConfiguration: { apiContextPath: /doc }', /apiContextPath comes with a later version/],
      [
        '- restConfiguration: { endpointProperty: [{ key: muteException, value: "false" }] }',
        /expected endpointProperty to be authentication/,
      ],
    ] as const)
      assert.match(made(text).problems[0]?.message ?? '', why, text);
    const { warnings } = made(
      '- restConfiguration: { host: localhost, port: "8080" }\n- rest: { get: [{ to: direct:a, security: [{ key: a }] }] }',
    );
    assert.deepEqual(
      warnings.map(({ message }) => message),
      [
        'host is that of the server',
        'port is that of the server',
        'security only documents: authentication says who may ask',
      ],
    );
  });

  it('may be where a route begins, without more', async () => {
    await begin(
      '- route: { id: me, from: { uri: "rest:get:hello:/{me}", steps: [{ setBody: { simple: "hello ${header.me}" } }] } }',
    );
    assert.equal((await front.call('/hello/ann')).text, 'hello ann');
    await assert.rejects(
      begin('- route: { id: x, from: { uri: "rest:fetch:hello", steps: [{ stop: {} }] } }'),
      /expected rest:method:path/,
    );
  });
});
