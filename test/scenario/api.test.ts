import assert from 'node:assert/strict';
import { type ApiReply, refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import { type Person, variablesOf } from './support/person.js';

const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id businessKey } }';
const inputOf = (amount: number) => ({
  definitionKey: 'invoice-approval',
  businessKey: `of ${amount}`,
  variables: variablesOf({ invoiceNumber: 'R-6', creditor: 'Mill', amount }),
});
const codeOf = ({ errors }: ApiReply) => errors?.[0]?.extensions.code;

describe('the API', () => {
  let company: Company;
  let ann: Person;
  let nora: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ ann, nora, admin } = company.people);
  });
  after(() => company.close());

  const count = async () => (await admin.client.run('{ processInstances { totalCount } }')).processInstances.totalCount;

  it('knows long jobs by their ids', async () => {
    assert.deepEqual(await ann.client.run('{ jobProgress(jobId: "1767225600000-0a1b") { status } }'), {
      jobProgress: null,
    });
    assert.equal((await refusal(ann.client.run('{ jobProgress(jobId: "1") { status } }'))).code, 'BAD_REQUEST');
  });

  describe('with an idempotency key', () => {
    const start = (person: Person, idempotencyKey: string, amount = 1) =>
      person.client.ask(START, { variables: { input: inputOf(amount) }, idempotencyKey });

    it('does a thing once, however often and however fast it is asked for', async () => {
      const before = await count();
      const replies = await Promise.all(Array.from({ length: 8 }, () => start(ann, 'one')));
      replies.push(await start(ann, 'one'));
      assert.equal(new Set(replies.map(({ data }) => data?.startProcess.id)).size, 1);
      assert.equal(await count(), before + 1);
    });

    it('refuses the key with other input', async () => {
      await start(ann, 'two', 1);
      const reply = await start(ann, 'two', 2);
      assert.equal(codeOf(reply), 'BAD_REQUEST');
      assert.match(reply.errors?.[0]?.message ?? '', /key|input/);
    });

    it('keeps keys of two users apart', async () => {
      const [one, other] = [await start(ann, 'three'), await start(company.people.dora, 'three')];
      assert.notEqual(one.data?.startProcess.id, other.data?.startProcess.id);
    });

    it('gives a refusal again too, also when it would go well by now', async () => {
      const id = await ann.start('invoice-approval', { invoiceNumber: 'R', creditor: 'M', amount: 1 });
      const task = await ann.task(id, 'approve');
      const claim = 'mutation ($id: ID!) { claimTask(taskId: $id) { id } }';
      await ann.claim(task);
      const ask = () => company.people.dora.client.ask(claim, { variables: { id: task.id }, idempotencyKey: 'four' });
      assert.equal(codeOf(await ask()), 'CONFLICT');
      await ann.client.run('mutation ($id: ID!) { unclaimTask(taskId: $id) { id } }', { id: task.id });
      assert.equal(codeOf(await ask()), 'CONFLICT');
      await company.people.dora.claim(task);
    });

    it('knows the fields of one request apart by their names', async () => {
      const reply = await ann.client.ask(
        'mutation ($input: StartProcessInput!) { one: startProcess(input: $input) { id } other: startProcess(input: $input) { id } }',
        { variables: { input: inputOf(3) }, idempotencyKey: 'five' },
      );
      const { one, other } = reply.data as unknown as Record<string, { id: string }>;
      assert.ok(one && other && one.id !== other.id);
    });

    it('refuses a key that is none', async () => {
      const reply = await start(ann, '');
      assert.equal(reply.status, 400);
    });
  });

  it('lets a reader see what a writer was told, by the position of the answer', async () => {
    const { data, extensions } = await ann.client.ask(START, { variables: { input: inputOf(7) } });
    assert.match(extensions?.position ?? '', /^[\w-]+$/);
    const read = await company.people.admin.client.ask(
      'query ($id: ID!) { processInstance(id: $id) { businessKey } }',
      {
        variables: { id: data?.startProcess.id },
        headers: { 'Millrace-Position': extensions?.position ?? '' },
      },
    );
    assert.equal(read.data?.processInstance?.businessKey, 'of 7');
  });

  it('refuses to read at a position that is none, or of another history', async () => {
    const { extensions } = await ann.client.ask(START, { variables: { input: inputOf(8) } });
    const [place] = JSON.parse(Buffer.from(extensions?.position ?? '', 'base64url').toString());
    const at = async (position: string) =>
      codeOf(await ann.client.ask('{ __typename }', { headers: { 'Millrace-Position': position } }));
    const encoded = (places: unknown) => Buffer.from(JSON.stringify(places)).toString('base64url');
    const [partition, epoch, revision, index] = place;
    assert.equal(await at('nowhere'), 'BAD_REQUEST');
    assert.equal(await at(encoded([[partition, 'another', revision, index]])), 'RESYNC_REQUIRED');
    assert.equal(await at(encoded([[partition, epoch, revision + 1_000, index]])), 'RESYNC_REQUIRED');
    assert.equal(await at(encoded([['elsewhere', 'another', 1, 1]])), undefined);
    assert.equal(await at(encoded([place])), undefined);
  });

  it('answers a guest with 401 and says how to sign in', async () => {
    for (const workspace of ['web', 'system', 'nowhere']) {
      const reply = await company.server.as(undefined, workspace).ask('{ __typename }');
      assert.equal(reply.status, 401);
      assert.equal(codeOf(reply), 'UNAUTHORIZED');
    }
    const wrong = await fetch(ann.client.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('ann:wrong')}` },
      body: '{"query":"{ __typename }"}',
    });
    assert.equal(wrong.status, 401);
    await wrong.body?.cancel();
  });

  it('knows the workspaces web and system, and no other', async () => {
    for (const workspace of ['web', 'system']) {
      const { data } = await company.server.as('ann', workspace).ask('{ processDefinitions { totalCount } }');
      assert.equal(data?.processDefinitions.totalCount, workspace === 'web' ? 5 : 0);
    }
    const reply = await company.server.as('ann', 'nowhere').ask('{ __typename }');
    assert.equal(codeOf(reply), 'BAD_REQUEST');
    assert.match(reply.errors?.[0]?.message ?? '', /'nowhere'/);
  });

  it('lets operators alone do what is theirs', async () => {
    const id = await ann.start('invoice-approval', { invoiceNumber: 'R', creditor: 'M', amount: 1 });
    const { definitionKey } = await ann.instance(id);
    const { processDefinition } = await ann.client.run('query ($key: String) { processDefinition(key: $key) { id } }', {
      key: definitionKey,
    });
    const definition = JSON.stringify(processDefinition?.id);
    const refused = [
      `deployProcess(input: { name: "x", resources: [{ name: "x.bpmn", content: "" }] }) { id }`,
      `deleteDeployment(id: "x")`,
      `suspendProcessDefinition(id: ${definition}) { id }`,
      `activateProcessDefinition(id: ${definition}) { id }`,
      `suspendProcessInstance(id: "${id}") { id }`,
      `cancelProcessInstance(id: "${id}")`,
      `setProcessVariables(processInstanceId: "${id}", variables: []) { id }`,
      `setJobRetries(input: { incidentId: "x", retries: 1 }) { id }`,
      `createIncident(input: { type: "x", processInstanceId: "${id}" }) { id }`,
      `advanceClock(by: "PT1S")`,
      `startProcess(input: { definitionKey: "invoice-approval" }) { id }`,
    ];
    for (const field of refused) {
      const reply = await nora.client.ask(`mutation { ${field} }`);
      assert.equal(codeOf(reply), 'FORBIDDEN', `${field}: ${JSON.stringify(reply.errors ?? reply.data)}`);
    }
  });

  it('answers what it does not know with a code, or with null where the field may be null', async () => {
    const none = '01a1fc2c-0000-7000-8000-000000000000';
    const nulls = [
      `processInstance(id: "${none}") { id }`,
      `processDefinition(id: "x:1:${none}") { id }`,
      `processDefinition(key: "x") { id }`,
      `processDefinitionXml(id: "x")`,
      `task(id: "${none}") { id }`,
      `incident(id: "${none}") { id }`,
    ];
    for (const field of nulls) {
      const { data, errors } = await admin.client.ask(`{ it: ${field} }`);
      assert.deepEqual([errors, data], [undefined, { it: null }], field);
    }
    const refused: Record<string, string> = {
      [`claimTask(taskId: "${none}") { id }`]: 'NOT_FOUND',
      [`completeTask(input: { taskId: "${none}" }) { id }`]: 'NOT_FOUND',
      'startProcess(input: { definitionKey: "x" }) { id }': 'NOT_FOUND',
      'startProcess(input: {}) { id }': 'BAD_REQUEST',
      'correlateMessage(input: { messageName: "x" }) { id }': 'NOT_FOUND',
      'correlateMessage(input: { messageName: "" }) { id }': 'BAD_REQUEST',
      [`setJobRetries(input: { incidentId: "${none}", retries: 1 }) { id }`]: 'BAD_REQUEST',
      'advanceClock(by: "soon")': 'BAD_REQUEST',
      'advanceClock(to: "2001-01-01T00:00:00Z")': 'BAD_REQUEST',
      advanceClock: 'BAD_REQUEST',
    };
    for (const [field, code] of Object.entries(refused)) {
      assert.equal(codeOf(await admin.client.ask(`mutation { ${field} }`)), code, field);
    }
  });

  describe('given variables that cannot be taken', () => {
    const bad: Record<string, unknown> = {
      'a whole number that is a text': { name: 'amount', type: 'Long', value: 'many' },
      'a date that is none': { name: 'when', type: 'Date', value: 'tomorrow' },
      'a truth that is a number': { name: 'flag', type: 'Boolean', value: 3 },
      'a type that nobody knows': { name: 'thing', type: 'Gadget', value: 1 },
      'an integer beyond its range': { name: 'count', type: 'Integer', value: 3_000_000_000 },
      'no name': { name: '', value: 1 },
    };
    for (const [what, variable] of Object.entries(bad)) {
      it(`as ${what}, refuses them and starts nothing`, async () => {
        const before = await count();
        const input = { ...inputOf(1), variables: [...inputOf(1).variables, variable] };
        const refused = await refusal(ann.client.run(START, { input }));
        assert.equal(refused.code, 'BAD_REQUEST', refused.message);
        assert.equal(await count(), before);
      });
    }

    it('as a list that is none, names the place', async () => {
      const reply = await ann.client.ask(START, { variables: { input: { ...inputOf(1), variables: [{ value: 1 }] } } });
      assert.equal(codeOf(reply), 'BAD_REQUEST');
      assert.match(reply.errors?.[0]?.message ?? '', /name/);
    });
  });

  it('gives every type of variable back as it was given', async () => {
    const given = [
      { name: 'text', type: 'String', value: 'für “Müller” 🦫' },
      { name: 'whole', type: 'Integer', value: 42 },
      { name: 'long', type: 'Long', value: '9007199254740993' },
      { name: 'real', type: 'Double', value: 1.5 },
      { name: 'truth', type: 'Boolean', value: true },
      { name: 'when', type: 'Date', value: '2026-02-03T04:05:06.789Z' },
      { name: 'data', type: 'Json', value: { list: [1, { deep: null }] } },
      { name: 'nothing', type: 'Null', value: null },
      { name: 'large', type: 'String', value: 'x'.repeat(100_000) },
    ];
    const { startProcess } = await admin.client.run(START, {
      input: { definitionKey: 'incident-handling', variables: given },
    });
    const { variables } = await admin.instance(startProcess.id);
    const back = new Map(variables.map((variable) => [variable.name, variable]));
    for (const { name, type, value } of given) {
      const got = back.get(name);
      assert.equal(got?.type, type, name);
      if (type === 'Date') assert.equal(Date.parse(String(got?.value)), Date.parse(String(value)));
      else assert.deepEqual(got?.value, value, name);
    }
  });
});
