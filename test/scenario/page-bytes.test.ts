import assert from 'node:assert/strict';
import type { Query } from '../../src/graphql/generated/schema.js';
import { bpmn, element, line } from '../support/bpmn.js';
import type { ApiReply, GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const LIMIT = 1_000_000;
const NODES = 12;
/** Longer values are no part of their documents. */
const CHARS = 12_500;
const VALUES = 8;
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';

describe('what is read for an answer', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ env: { MILLRACE_ANSWER_BYTES_MAX: `${LIMIT}` } });
    admin = server.as('admin');
    await node('/content', 'target', { mixins: ['mix:referenceable'] });
    for (const name of ['large', 'below', 'kept']) await node('/content', name);
    for (let n = 0; n < NODES; n++) {
      await node('/content/large', `n${n}`, {
        properties: [...texts, { name: 'to', value: { weakReferenceValue: target } }],
      });
      await node('/content/below', `n${n}`);
      await node(`/content/below/n${n}`, 'jcr:content', { properties: texts });
    }
  }).timeout(30_000);
  after(() => server.remove());

  const texts = Array.from({ length: VALUES }, (_, n) => ({
    name: `t${n}`,
    value: { stringValue: 'x'.repeat(CHARS) },
  }));
  let target = '';
  const node = async (path: string, name: string, more: object = {}) => {
    const input = { path, name, nodeType: 'nt:unstructured', ...more };
    const { id } = (await admin.run(CREATE, { input })).createNode;
    if (name === 'target') target = id;
  };
  const children = (path: string, first: number, fields = 'name') =>
    `children(path: "${path}", first: ${first}) { edges { node { ${fields} } } }`;
  const isRefused = ({ data, errors }: ApiReply) => {
    assert.equal(data, undefined);
    assert.deepEqual(
      errors?.map(({ extensions: { code, reason } }) => [code, reason]),
      [['LIMIT_EXCEEDED', 'answer_too_large']],
    );
    assert.match(errors?.[0]?.message ?? '', /^expected what is read for an answer to have at most 1000000 bytes/);
  };

  it('is bounded in children, however little is selected of them; page by page they come', async () => {
    isRefused(await admin.ask(`{ ${children('/content/large', 5_000)} }`));
    const page = 'edges { node { name } } pageInfo { hasNextPage endCursor }';
    const query = `query ($after: String) { children(path: "/content/large", first: 5, after: $after) { ${page} } }`;
    const names: string[] = [];
    for (let after: string | null | undefined = null; after !== undefined; ) {
      const found: Query['children'] = (await admin.run(query, { after })).children;
      names.push(...found.edges.map(({ node: { name } }) => name));
      after = found.pageInfo.hasNextPage ? found.pageInfo.endCursor : undefined;
    }
    assert.deepEqual(names.sort(), Array.from({ length: NODES }, (_, n) => `n${n}`).sort());
  });

  it('counts over all pages of one request, and not over requests', async () => {
    const [some, others] = [`a: ${children('/content/large', 6)}`, `b: ${children('/content/large', 7)}`];
    for (const one of [some, others, some]) assert.equal((await admin.ask(`{ ${one} }`)).errors, undefined);
    isRefused(await admin.ask(`{ ${some} ${others} }`));
  });

  it('is bounded in references', async () => {
    isRefused(await admin.ask('{ references(path: "/content/target", first: 50) { edges { node { name } } } }'));
    const { references } = await admin.run('{ references(path: "/content/target", first: 5) { edges { isWeak } } }');
    assert.equal(references.edges.length, 5);
  });

  it('is bounded in children that are frozen', async () => {
    const kept = { path: '/content/kept' };
    for (let n = 0; n < NODES; n++) await node('/content/kept', `n${n}`, { properties: texts });
    await admin.run('mutation ($input: AddVersionControlInput!) { addVersionControl(input: $input) { id } }', {
      input: kept,
    });
    await admin.run('mutation ($input: CheckoutInput!) { checkout(input: $input) }', { input: kept });
    const { checkin } = await admin.run(
      'mutation ($input: CheckinInput!) { checkin(input: $input) { frozenNodePath } }',
      {
        input: kept,
      },
    );
    isRefused(await admin.ask(`{ ${children(checkin.frozenNodePath ?? '', 50)} }`));
    const some = await admin.run(`{ ${children(checkin.frozenNodePath ?? '', 5)} }`);
    assert.equal(some.children.edges.length, 5);
  });

  it('is bounded in documents beside those of the page', async () => {
    isRefused(await admin.ask(`{ ${children('/content/below', 50, 'properties { name }')} }`));
    const { children: some } = await admin.run(`{ ${children('/content/below', 5, 'properties { name }')} }`);
    assert.deepEqual(
      some.edges.map((edge) => edge.node.properties.length),
      Array(5).fill(VALUES),
    );
  });

  it('is bounded in relations', async () => {
    const model = bpmn(line(['wait'], element('userTask', 'wait')), { key: 'large' });
    await admin.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'large', resources: [{ name: 'large.bpmn', content: model }] },
    });
    await admin.run('mutation { startProcess(input: { definitionKey: "large" }) { id } }');
    const [task] = (await admin.run('{ tasks { edges { node { id } } } }')).tasks.edges;
    const add = 'mutation ($id: ID!, $message: String!) { addTaskComment(taskId: $id, message: $message) { id } }';
    for (let n = 0; n < NODES * VALUES; n++) await admin.run(add, { id: task?.node.id, message: 'x'.repeat(CHARS) });
    isRefused(await admin.ask('{ tasks { edges { node { comments { id } } } } }'));
    assert.equal((await admin.run('{ tasks { edges { node { id } } } }')).tasks.edges.length, 1);
  });

  it('by a mutation that was carried out is refused at its field, and the position is answered', async () => {
    const query = `mutation ($input: CreateNodeInput!) { createNode(input: $input) { name parent { ${children('', 50).replace('path: "", ', '')} } } }`;
    const input = { path: '/content/large', name: 'last', nodeType: 'nt:unstructured' };
    const { data, errors, extensions } = await admin.ask(query, { variables: { input } });
    assert.equal(data?.createNode.name, 'last');
    assert.deepEqual(
      [errors?.length, errors?.[0]?.path?.[0], errors?.[0]?.extensions.code],
      [1, 'createNode', 'LIMIT_EXCEEDED'],
    );
    assert.match(errors?.[0]?.message ?? '', /what was changed stays changed$/);
    assert.ok(extensions?.position);
    assert.equal((await admin.run('{ node(path: "/content/large/last") { name } }')).node?.name, 'last');
  });
});
