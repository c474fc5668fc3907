import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { HttpPeer } from '../eip/support/http-peer.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { basic, call, type Reply } from '../support/test-server.js';

/** A step of Simple that sets a header. */
const header = (name: string, simple: string) => `{ setHeader: { name: ${name}, simple: "${simple}" } }`;
const ECHO = [header('X-User', '$'.concat('{header[mi:userId]}')), header('X-Seen', '<$'.concat('{headers}>'))].join(
  ', ',
);

describe('routes over HTTP', () => {
  const peer = new HttpPeer();
  let server: LiveServer;
  let admin: GraphqlClient;
  let port: number;
  before(async () => {
    await peer.listen();
    server = await liveServer({
      clock: 'system',
      users: [{ userId: 'dora', roles: ['deployer'] }, { userId: 'ann' }],
      env: {
        ...{ MILLRACE_ROUTE_REQUEST: '5MB', MILLRACE_ROUTE_BODY: '100kB', MILLRACE_HTTP_HOSTS: peer.host },
        MILLRACE_ALLOWED_ORIGINS: 'https://shop.example',
      },
    });
    admin = server.as('admin');
    port = Number(new URL(server.baseUrl).port);
    await admin.run(`mutation { setAccessControl(input: { path: "/etc/eip/routes", entries: [
      { principal: "dora", privileges: ["jcr:all"], allow: true } ] }) { entries { principal } } }`);
  });
  after(async () => {
    await server.remove();
    await peer.close();
  });

  const deploy = async (id: string, uri: string, steps: string, workspace = 'web') => {
    const yaml = `- route:
    id: ${id}
    from:
      uri: ${JSON.stringify(uri)}
      steps: [${steps}]
`;
    const by = workspace === 'web' ? server.as('dora') : server.as('admin', workspace);
    const { createRoute } = (await by.run(
      'mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status fault { message } } }',
      { input: { routeId: id, yaml, autoStart: true } },
    )) as { createRoute: { status: string; fault: { message: string } | null } };
    return createRoute;
  };
  const started = async (id: string, uri: string, steps: string, workspace = 'web') =>
    assert.equal((await deploy(id, uri, steps, workspace)).status, 'Started');
  const as = (userId: string) => basic(userId, userId);
  const get = (path: string, headers: Record<string, string> = as('ann')) => call(port, path, { headers });
  const posted = (path: string, body: string, agent?: Agent) =>
    new Promise<{ readonly text: string; readonly from: number | undefined }>((resolve, reject) => {
      const options = { port, path, method: 'POST', headers: as('ann'), ...(agent && { agent }) };
      const req = request(options, (res) => {
        let text = '';
        const from = res.socket.localPort;
        res.on('data', (piece) => (text += piece)).on('end', () => resolve({ text, from }));
      });
      req.on('error', reject).end(body);
    });
  const operate = (verb: string, id: string) => admin.run(`mutation { ${verb}Route(input: { id: "${id}" }) { id } }`);
  const signedIn = async (userId: string) => {
    const body = JSON.stringify({ username: userId, password: userId });
    const reply = await call(port, '/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return String(reply.headers['set-cookie']).split(';')[0] ?? '';
  };
  const reasonOf = ({ text }: Reply) =>
    (JSON.parse(text) as { errors: readonly { extensions: { reason: string } }[] }).errors[0]?.extensions.reason;

  it('answers whoever is signed in, and tells the route who that is and nothing by which that was shown', async () => {
    await started('echo', 'platform-http:/echo', ECHO);
    const cookie = await signedIn('ann');
    for (const headers of [as('ann'), { Cookie: `a=1; ${cookie}; b=2` }]) {
      const reply = await get('/routes/web/echo?mi:userId=admin&CamelHttpResponseCode=500', headers);
      assert.deepEqual(
        [reply.status, reply.headers['x-user'], reply.headers['cache-control']],
        [204, 'ann', 'no-store'],
      );
      assert.doesNotMatch(String(reply.headers['x-seen']), /authorization/i);
    }
    const { headers } = await get('/routes/web/echo', { Cookie: `a=1; ${cookie}; b=2` });
    assert.match(String(headers['x-seen']), /Cookie=a=1; b=2[,}]/);
    const own = await call(port, '/routes/web/echo', {
      method: 'POST',
      headers: { ...as('ann'), mi: 'userId: admin' },
      body: 'hello',
    });
    assert.deepEqual([own.status, own.text, own.headers['x-user']], [200, 'hello', 'ann']);
  });

  it('lets nobody in who is not, but where the route says so', async () => {
    await started('open', 'platform-http:/open?authentication=none', ECHO);
    const reply = await get('/routes/web/open', { Cookie: await signedIn('ann') });
    assert.deepEqual([reply.status, reply.headers['x-user']], [204, undefined]);
    assert.doesNotMatch(String(reply.headers['x-seen']), /cookie/i);
    const texts = new Set<string>();
    for (const path of ['/routes/web/echo', '/routes/web/none', '/routes/none/echo', '/routes/web', '/routes/web/']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { status, text, headers } = await call(port, path, { method });
        assert.deepEqual([status, typeof headers['www-authenticate']], [401, 'string'], `${method} ${path}`);
        texts.add(text);
      }
    }
    assert.equal(texts.size, 1);
    assert.equal((await get('/routes/web/echo', basic('ann', 'wrong'))).status, 401);
    assert.equal((await get('/routes', {})).status, 401);
  });

  it('refuses what another site made a browser send with the cookie of a session', async () => {
    const Cookie = await signedIn('ann');
    for (const [headers, status] of [
      [{ Origin: 'https://evil.example' }, 403],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
      [{ Origin: server.baseUrl, 'Sec-Fetch-Site': 'same-origin' }, 204],
      [{ Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' }, 204],
      [{ 'Service-Worker': 'script' }, 403],
    ] as const)
      assert.equal(
        (await get('/routes/web/echo', { Cookie, ...headers } as Record<string, string>)).status,
        status,
        JSON.stringify(headers),
      );
    const shared = await get('/routes/web/echo', { ...as('ann'), Origin: 'https://shop.example' });
    assert.equal(shared.headers['access-control-allow-origin'], 'https://shop.example');
  });

  it('holds tokens to their scopes', async () => {
    const secretOf = async (input: object) => {
      const made = await server
        .as('ann', 'system')
        .run('mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret } }', {
          input: { name: 'ci', ...input },
        });
      return { Authorization: `Bearer ${(made as { createApiToken: { secret: string } }).createApiToken.secret}` };
    };
    const [all, reading, content] = [
      await secretOf({ scopes: ['READ', 'WRITE'] }),
      await secretOf({ name: 'r', scopes: ['READ'], domains: ['EIP'] }),
      await secretOf({ name: 'c', scopes: ['READ', 'WRITE'], domains: ['CONTENT'] }),
    ];
    const post = (headers: Record<string, string>) =>
      call(port, '/routes/web/echo', { method: 'POST', headers, body: 'x' });
    assert.deepEqual([(await post(all)).status, (await get('/routes/web/echo', all)).headers['x-user']], [200, 'ann']);
    assert.deepEqual([(await get('/routes/web/echo', reading)).status, (await post(reading)).status], [204, 403]);
    assert.equal(reasonOf(await get('/routes/web/echo', content)), 'token_scope');
  });

  it('tells what there is none of, and what a path is asked by', async () => {
    await started('get', 'platform-http:/get/{id}?httpMethodRestrict=GET', '{ setBody: { simple: "<${header.id}>" } }');
    const ask = (method: string) => call(port, '/routes/web/get/a%20b', { method, headers: as('ann') });
    assert.equal((await ask('GET')).text, '<a b>');
    const head = await ask('HEAD');
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '5']);
    const options = await ask('OPTIONS');
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    const post = await ask('POST');
    assert.deepEqual(
      [post.status, post.headers.allow, reasonOf(post)],
      [405, 'GET, HEAD, OPTIONS', 'method_not_allowed'],
    );
    assert.equal(reasonOf(await get('/routes/web/none')), 'route_not_found');
    assert.equal((await get('/routes/none/get/1')).status, 404);
    for (const [path, status] of [
      ['/routes/web/get/..', 403],
      ['/routes/web/get/%00', 400],
      ['/routes/web/get/%zz', 400],
    ] as const)
      assert.equal((await get(path)).status, status, path);
  });

  it('keeps pages of routes from acting for whoever looks at them', async () => {
    const set = (name: string, value: string) => `{ setHeader: { name: "${name}", constant: "${value}" } }`;
    const steps = [
      ...[set('Content-Type', 'text/html'), set('Set-Cookie', 'millrace=stolen'), set('Clear-Site-Data', '*')],
      ...[set('X-Content-Type-Options', 'sniff'), set('Content-Security-Policy', "default-src 'none'")],
      '{ setBody: { constant: "<script>1</script>" } }',
    ];
    await started('page', 'platform-http:/page', steps.join(', '));
    const { headers } = await get('/routes/web/page');
    assert.match(String(headers['content-security-policy']), /default-src 'none', sandbox allow-downloads/);
    assert.deepEqual(
      [headers['set-cookie'], headers['clear-site-data'], headers['x-content-type-options']],
      [undefined, undefined, 'nosniff'],
    );
  });

  it('takes and gives bodies of any size piece by piece, up to the limit', async () => {
    const large = 'x'.repeat(4_000_000);
    const reply = await call(port, '/routes/web/echo', { method: 'POST', headers: as('ann'), body: large });
    assert.equal(reply.text.length, large.length);
    const announced = await call(port, '/routes/web/echo', {
      method: 'POST',
      headers: as('ann'),
      body: 'x'.repeat(5_000_001),
    });
    assert.equal(announced.status, 413);
    const { status } = await new Promise<Reply>((resolve, reject) => {
      const headers = { ...as('ann'), 'Transfer-Encoding': 'chunked' };
      const req = request({ port, path: '/routes/web/open', method: 'POST', headers }, (res) => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: '', json: () => null });
        res.resume();
      });
      req.on('error', reject);
      req.end(Buffer.alloc(5_100_000));
    });
    // The beginning has gone back before that was known, or it is told.
    assert.ok(status === 413 || status === 200, String(status));
    assert.equal((await get('/routes/web/echo')).status, 204);
  });

  it('hands on what another server answers, however long that is', async () => {
    peer.on('/long', (response) => {
      for (let count = 0; count < 30; count++) response.write('x'.repeat(100_000));
      response.end();
    });
    await started(
      'bridge',
      'platform-http:/bridge',
      `{ removeHeaders: { pattern: "CamelHttp*" } }, { to: "http://${peer.host}/long" }`,
    );
    for (let round = 0; round < 3; round++) assert.equal((await get('/routes/web/bridge')).text.length, 3_000_000);
    const head = await call(port, '/routes/web/bridge', { method: 'HEAD', headers: as('ann') });
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('answers though nobody reads the body, and takes the next request on the same connection', async () => {
    await started('unread', 'platform-http:/unread', '{ setBody: { constant: done } }');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const size of [300_000, 700_000, 10]) {
      const { text, from } = await posted('/routes/web/unread', 'x'.repeat(size), agent);
      assert.equal(text, 'done');
      ports.add(from);
    }
    assert.equal(ports.size, 1);
    agent.destroy();
  });

  it('cuts no body short in silence that is read behind the answer', async () => {
    await started(
      'later',
      'platform-http:/later',
      '{ to: "seda:later?waitForTaskToComplete=Never" }, { setBody: { constant: ok } }',
    );
    await started(
      'reads',
      'seda:later',
      '{ delay: { constant: 200 } }, { setBody: { simple: "<${body}>" } }, { to: "mock:read" }',
    );
    for (const [size, received] of [
      [50, 1],
      [1_000_000, 1],
    ] as const) {
      assert.equal((await posted('/routes/web/later', 'x'.repeat(size))).text, 'ok');
      await eventually('the exchange ends', async () => {
        const { route } = await admin.run('{ route(id: "reads") { exchangesTotal } }');
        return Number(route?.exchangesTotal) === (size === 50 ? 1 : 2);
      });
      const { mockEndpoint } = await admin.run('{ mockEndpoint(name: "read") { receivedCounter } }');
      assert.equal(mockEndpoint?.receivedCounter, received);
    }
  });

  it('lets an exchange go on whose client has gone', async () => {
    await started('slow', 'platform-http:/slow', '{ delay: { constant: 300 } }, { to: "mock:went-on" }');
    const req = request({ port, path: '/routes/web/slow', headers: as('ann') }).end();
    req.on('error', () => {});
    await once(req, 'socket');
    await eventually('an exchange to be under way', async () => {
      const { route } = await admin.run('{ route(id: "slow") { exchangesInflight } }');
      return (route as { exchangesInflight?: number } | null)?.exchangesInflight === 1;
    });
    req.destroy();
    await eventually('the exchange to go on', async () => {
      const { mockEndpoint } = await admin.run('{ mockEndpoint(name: "went-on") { receivedCounter } }');
      return mockEndpoint?.receivedCounter === 1;
    });
  });

  it('is 503 while the route is suspended or stopped, and as before when it runs again', async () => {
    await started('life', 'platform-http:/life/{x}', ECHO);
    for (const [verb, status] of [
      ['suspend', 503],
      ['resume', 204],
      ['stop', 503],
      ['start', 204],
    ] as const) {
      await operate(verb, 'life');
      assert.equal((await get('/routes/web/life/1')).status, status, verb);
    }
    await operate('stop', 'life');
    assert.equal((await get('/routes/web/life/1', {})).status, 401);
    assert.equal(reasonOf(await get('/routes/web/life/1')), 'route_not_started');
    await admin.run('mutation { deleteRoute(id: "life") }');
    await eventually('the path to be gone', async () => (await get('/routes/web/life/1')).status === 404);
  });

  it('answers exchanges under way when their route stops', async () => {
    await started('drained', 'platform-http:/drained', '{ delay: { constant: 300 } }, { setBody: { constant: done } }');
    const reply = get('/routes/web/drained');
    await eventually('an exchange to be under way', async () => {
      const { route } = await admin.run('{ route(id: "drained") { exchangesInflight } }');
      return (route as { exchangesInflight?: number } | null)?.exchangesInflight === 1;
    });
    await operate('stop', 'drained');
    assert.equal((await reply).text, 'done');
  });

  it('does not start a route that claims what another one serves, and says why', async () => {
    const why = /the route echo serves every method of \/echo already/;
    await assert.rejects(deploy('claims', 'platform-http:/echo?httpMethodRestrict=PUT', '{ log: x }'), why);
    const { route } = await admin.run('{ route(id: "claims") { status fault { message } } }');
    assert.notEqual(route?.status, 'Started');
    assert.match(route?.fault?.message ?? '', why);
    assert.equal((await get('/routes/web/echo')).status, 204);
  });

  it('serves what a file says by rest', async () => {
    const yaml = `- restConfiguration: { contextPath: /api, bindingMode: json, clientRequestValidation: true }
- rest:
    path: /orders
    get: [{ path: "/{id}", to: direct:order, param: [{ name: color, type: query }] }]
    post: [{ id: newOrder, to: direct:order }]
- route:
    id: order
    from: { uri: direct:order, steps: [{ setBody: { simple: "\${header.id}" } }] }
`;
    const input = { path: '/etc/eip/routes', name: 'orders.yaml', content: Buffer.from(yaml).toString('base64') };
    const query = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }';
    await server.as('dora').run(query, { input });
    await eventually('the routes to run', async () => (await get('/routes/web/api/orders/5?color=red')).status === 200);
    assert.equal((await get('/routes/web/api/orders/5?color=red')).text, '"5"');
    const wrong = await get('/routes/web/api/orders/5');
    assert.deepEqual([wrong.status, wrong.text], [400, 'Some of the required query parameters are missing.']);
    const { routes } = await admin.run('{ routes(search: "order") { edges { node { id } } } }');
    assert.deepEqual(
      routes?.edges.map(({ node }) => node.id),
      ['newOrder', 'order', 'orders-get-api-orders-id'],
    );
  });

  it('are not changed by themselves where they are methods of one rest, and are where each has one', async () => {
    const served = async () =>
      (await admin.run('{ routes(search: "books") { edges { node { id description } } } }')).routes?.edges.map(
        ({ node }) => node.id,
      );
    const yaml = `- rest: { path: /books, get: [{ id: books, to: direct:books }], put: [{ id: books-put, to: direct:books }] }
- rest:
    path: /books/old
    get: [{ id: books-old, to: direct:books }]
- route: { id: books-route, from: { uri: direct:books, steps: [{ setBody: { constant: all } }] } }
`;
    const dora = server.as('dora');
    const input = { path: '/etc/eip/routes', name: 'books.yaml', content: Buffer.from(yaml).toString('base64') };
    await dora.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', { input });
    await eventually('the routes to run', async () => (await get('/routes/web/books/old')).status === 200);
    const all = ['books', 'books-old', 'books-put', 'books-route'];
    const why = /route 'books' to have a definition of its own, but it is one of a rest with 'books-put'/;
    await assert.rejects(dora.run('mutation { deleteRoute(id: "books") }'), why);
    for (const changed of [
      'description: "all books"',
      'yaml: "- route: { id: books, from: { uri: direct:b, steps: [] } }"',
    ])
      await assert.rejects(dora.run(`mutation { updateRoute(input: { id: "books", ${changed} }) { id } }`), why);
    assert.deepEqual(await served(), all);
    await assert.rejects(
      dora.run('mutation { updateRoute(input: { id: "books-old", description: "old ones" }) { id } }'),
      /expected the description of 'books-old' within its definition, which is none of a route alone/,
    );
    const rest = '- rest: { path: /books/older, get: [{ id: books-old, to: direct:books }] }';
    await dora.run('mutation ($yaml: String) { updateRoute(input: { id: "books-old", yaml: $yaml }) { id } }', {
      yaml: rest,
    });
    assert.deepEqual(
      [(await get('/routes/web/books/older')).text, (await get('/routes/web/books/old')).status],
      ['all', 404],
    );
    assert.deepEqual(await dora.run('mutation { deleteRoute(id: "books-old") }'), { deleteRoute: true });
    assert.deepEqual(await served(), ['books', 'books-put', 'books-route']);
    assert.equal((await get('/routes/web/books')).text, 'all');
  });

  it('gives each workspace its own', async () => {
    await started('system-echo', 'platform-http:/echo', '{ setBody: { constant: system } }', 'system');
    assert.equal((await get('/routes/system/echo')).text, 'system');
    assert.equal((await get('/routes/web/echo')).text, '');
  });
});
