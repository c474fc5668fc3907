import assert from 'node:assert/strict';
import { bpmn, element, flow, flows } from '../support/bpmn.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import type { Person } from './support/person.js';

const FRAME = 'cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount';
const ACTIVITY = `id activityId activityName activityType startTime endTime canceled completeScope taskId parentActivityInstanceId`;
const HISTORY = `query ($id: ID!, $first: Int, $after: String) { page: activityHistoryConnection(processInstanceId: $id, first: $first, after: $after) {
  edges { node { ${ACTIVITY} } ${FRAME} } }`;
const OF_INSTANCE = `query ($id: ID!, $first: Int, $after: String) { processInstance(id: $id) { page: activityInstancesConnection(first: $first, after: $after) {
  edges { node { ${ACTIVITY} } ${FRAME} } } }`;
const VARIABLES = `query ($id: ID!, $first: Int, $after: String) { processInstance(id: $id) { page: variablesConnection(first: $first, after: $after) {
  edges { node { name type value } ${FRAME} } } }`;
const TASK_VARIABLES = `query ($id: ID!, $first: Int, $after: String) { task(id: $id) { page: variablesConnection(first: $first, after: $after) {
  edges { node { name type value } ${FRAME} } localVariablesConnection { totalCount } } }`;
const VERSIONS = `query ($id: String!, $first: Int, $after: String) { page: versionHistory(path: $id, first: $first, after: $after) {
  versions { name } baseVersion { name } edges { node { name predecessors successors labels } ${FRAME} } }`;

interface Page {
  readonly edges: readonly { readonly node: unknown; readonly cursor: string }[];
  readonly versions?: readonly { readonly name: string }[];
  readonly baseVersion?: { readonly name: string } | null;
  readonly pageInfo: Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>> & {
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

/** The page of an answer: at its root, or of the one thing there. */
function pageOf(data: object): Page {
  const [found] = Object.values(data) as (Page | { readonly page: Page })[];
  if (found === undefined) throw new Error('expected a page');
  return 'page' in found ? found.page : found;
}

/** All items of a connection, read page by page, each page checked against what it says of itself. */
async function paged(client: GraphqlClient, query: string, id: string, first: number): Promise<unknown[]> {
  const items: unknown[] = [];
  let after: string | null = null;
  for (;;) {
    const { edges, pageInfo, totalCount } = pageOf(await client.run(query, { id, first, after }));
    assert.equal(pageInfo.hasPreviousPage, after !== null);
    assert.deepEqual(
      [pageInfo.startCursor, pageInfo.endCursor],
      [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null],
    );
    items.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) {
      assert.equal(totalCount, items.length);
      return items;
    }
    assert.equal(edges.length, first);
    after = pageInfo.endCursor;
  }
}

describe('what is long', () => {
  let company: Company;
  let sue: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ sue, admin } = company.people);
  });
  after(() => company.close());

  /** The whole list of a field without pages. */
  const list = async (field: string, id: string, selection: string): Promise<unknown> => {
    const query = `query ($id: ID!) { processInstance(id: $id) { ${field} { ${selection} } } }`;
    const { processInstance } = await admin.client.run(query, { id });
    return Object.values(processInstance ?? {})[0];
  };

  it('is the same page by page: a history with what goes on, what was cancelled, and what ended later', async () => {
    const id = await sue.start('incident-handling', { summary: 'paged' });
    await sue.perform(id, 'assess', { affectsCustomers: true, securityRelevant: true });
    await company.people.kim.perform(id, 'inform');
    const whole = await list('activityInstances', id, ACTIVITY);
    for (const first of [1, 2, 3, 5_000]) {
      assert.deepEqual(await paged(admin.client, HISTORY, id, first), whole);
      assert.deepEqual(await paged(admin.client, OF_INSTANCE, id, first), whole);
    }
    await admin.client.run('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { id });
    const ended = await list('activityInstances', id, ACTIVITY);
    for (const first of [1, 4]) assert.deepEqual(await paged(admin.client, HISTORY, id, first), ended);
  });

  it('is read in pages where it is longer than a result: a history of 60,000 activities', async () => {
    const model = bpmn(
      element('startEvent', 'start') +
        element('exclusiveGateway', 'again', { default: 'again-end' }) +
        element('serviceTask', 'count', { 'camunda:expression': '${n + 1}', 'camunda:resultVariable': 'n' }) +
        element('endEvent', 'end') +
        flows('start', 'again', 'end') +
        flow('again', 'count', '${n < 30000}') +
        flow('count', 'again'),
      { key: 'rounds' },
    );
    const input = { name: 'rounds', resources: [{ name: 'rounds.bpmn', content: model }] };
    await admin.client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
    const id = await admin.start('rounds', { n: 0 });
    assert.equal((await refusal(list('activityInstances', id, 'id'))).code, 'LIMIT_EXCEEDED');
    const items = (await paged(admin.client, HISTORY, id, 5_000)) as { id: string; activityId: string }[];
    assert.equal(items.length, 60_003);
    assert.equal(new Set(items.map((item) => item.id)).size, 60_003);
    assert.deepEqual([items[0]?.activityId, items.at(-1)?.activityId], ['start', 'end']);
  });

  it('is the same page by page: variables, large ones too', async () => {
    const values = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, n) => [`v${n}`, n % 100 === 0 ? 'x'.repeat(2_000) : n]),
    );
    const id = await sue.start('incident-handling', { summary: 'many', ...values });
    const whole = await list('variables', id, 'name type value');
    for (const first of [7, 400, 5_000]) assert.deepEqual(await paged(admin.client, VARIABLES, id, first), whole);
    const { id: taskId } = await sue.task(id, 'assess');
    assert.deepEqual(await paged(admin.client, TASK_VARIABLES, taskId, 500), whole);
  });

  it('is the same page by page: versions', async () => {
    const path = '/content/paged';
    await admin.client.run('mutation { createFolder(input: { path: "/content", name: "paged" }) { id } }');
    await admin.client.run('mutation ($path: String!) { addVersionControl(input: { path: $path }) { id } }', { path });
    await admin.client.run('mutation ($path: String!) { checkout(input: { path: $path }) }', { path });
    for (let n = 0; n < 30; n++) {
      await admin.client.run('mutation ($path: String!) { checkpoint(input: { path: $path }) { name } }', { path });
    }
    const whole = await paged(admin.client, VERSIONS, path, 5_000);
    assert.equal(whole.length, 31);
    for (const first of [1, 10, 31]) assert.deepEqual(await paged(admin.client, VERSIONS, path, first), whole);
    const page = pageOf(
      await admin.client.run(
        `query ($id: String!) { page: versionHistory(path: $id) { versions { name } baseVersion { name } pageInfo { hasNextPage } } }`,
        { id: path },
      ),
    );
    assert.equal(page.versions?.length, 31, 'without a page size it is all of them');
    assert.equal(page.baseVersion?.name, page.versions?.at(-1)?.name);
    assert.equal(page.pageInfo.hasNextPage, false);
  });

  it('refuses a cursor of another list, and sizes that are none', async () => {
    const [one, other] = [
      await sue.start('incident-handling', { a: 1, b: 2 }),
      await sue.start('incident-handling', {}),
    ];
    const after = pageOf(await admin.client.run(VARIABLES, { id: one, first: 1, after: null })).edges[0]?.cursor;
    for (const query of [VARIABLES, HISTORY, OF_INSTANCE]) {
      assert.equal((await refusal(admin.client.run(query, { id: other, first: 1, after }))).code, 'BAD_REQUEST');
      assert.equal((await refusal(admin.client.run(query, { id: one, first: -1 }))).code, 'BAD_REQUEST');
      assert.equal((await refusal(admin.client.run(query, { id: one, first: 5_001 }))).code, 'LIMIT_EXCEEDED');
    }
  });
});
