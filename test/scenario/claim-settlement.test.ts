import assert from 'node:assert/strict';
import { type Company, openCompany } from './support/company.js';
import type { Person } from './support/person.js';

const CLAIM = { claimNumber: 'C-1', kind: 'glass', amount: 250 };
const FETCH = `mutation { fetchAndLock(input: { workerId: "bank", topics: [{ topic: "payout" }], maxTasks: 5 }) {
  id lockToken processInstanceId priority variables { name value } } }`;

interface Payout {
  readonly id: string;
  readonly lockToken: string;
  readonly processInstanceId: string;
  readonly priority: number;
  readonly variables: readonly { readonly name: string; readonly value: unknown }[];
}

describe('claim settlement', () => {
  let company: Company;
  let sue: Person;
  let carl: Person;
  let ann: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ sue, carl, ann, admin } = company.people);
  });
  after(() => company.close());

  /** The one payout that waits, as a worker gets it. */
  const fetched = async (): Promise<Payout> => {
    const { fetchAndLock } = (await admin.client.run(FETCH)) as unknown as { fetchAndLock: Payout[] };
    assert.equal(fetchAndLock.length, 1);
    return fetchAndLock[0] as Payout;
  };
  const pay = async ({ id: taskId, lockToken }: Payout, paymentReference: string) =>
    admin.client.run(
      'mutation ($input: CompleteExternalTaskInput!) { completeExternalTask(input: $input) { state } }',
      {
        input: { taskId, lockToken, variables: [{ name: 'paymentReference', value: paymentReference }] },
      },
    );
  const amountOf = ({ variables }: Payout) => variables.find(({ name }) => name === 'payout')?.value;
  /** The instance that the claim has called, once it has begun. */
  const opinionOf = async (id: string) => {
    await admin.advanceClock('PT0S');
    const { processInstance } = await admin.client.run(
      'query ($id: ID!) { processInstance(id: $id) { subProcessInstances { edges { node { id definitionKey businessKey startUserId suspended } } } } }',
      { id },
    );
    const [edge, ...more] = processInstance?.subProcessInstances.edges ?? [];
    assert.ok(edge !== undefined && more.length === 0);
    return edge.node;
  };

  it('pays at once where the decision says so, by a worker', async () => {
    const id = await sue.start('claim-settlement', CLAIM, 'C-1');
    const payout = await fetched();
    assert.deepEqual([payout.processInstanceId, payout.priority, amountOf(payout)], [id, 10, 250]);
    await pay(payout, 'PAY-1');
    assert.equal((await sue.instance(id)).state, 'completed');
    assert.deepEqual(await sue.variables(id), { ...CLAIM, clerk: 'sue', route: 'pay', paymentReference: 'PAY-1' });
    assert.deepEqual(await sue.path(id), ['reported', 'assess', 'which_way', 'pay', 'payout', 'settled']);
  });

  it('tells the customer of what is never covered', async () => {
    const id = await sue.start('claim-settlement', { ...CLAIM, kind: 'wear' });
    assert.match((await sue.task(id, 'inform')).description ?? '', /Claim C-1 is not covered/);
    await sue.perform(id, 'inform');
    assert.deepEqual((await sue.path(id)).slice(-2), ['inform', 'rejected']);
  });

  it('asks an expert by a process of its own, and takes what that says', async () => {
    const id = await sue.start('claim-settlement', { ...CLAIM, kind: 'theft', amount: 8000 }, 'C-3');
    const opinion = await opinionOf(id);
    assert.deepEqual(
      [opinion.definitionKey, opinion.businessKey, opinion.startUserId],
      ['expert-opinion', 'C-3', 'sue'],
    );
    assert.equal((await carl.task(opinion.id, 'judge')).description?.slice(0, 23), 'Claim C-1: theft, 8000.');
    await carl.perform(opinion.id, 'judge', { covered: true, payable: 6500 });
    await admin.advanceClock('PT0S');
    const payout = await fetched();
    assert.deepEqual([payout.processInstanceId, payout.priority, amountOf(payout)], [id, 50, 6500]);
    await pay(payout, 'PAY-3');
    assert.equal((await sue.instance(id)).state, 'completed');
  });

  it('does not pay where the expert says no', async () => {
    const id = await sue.start('claim-settlement', { ...CLAIM, kind: 'water', amount: 900 });
    const opinion = await opinionOf(id);
    await carl.perform(opinion.id, 'judge', { covered: false });
    await admin.advanceClock('PT0S');
    await sue.perform(id, 'inform');
    assert.equal((await sue.path(id)).at(-1), 'rejected');
  });

  it('clarifies what the bank declines, and pays again', async () => {
    const id = await sue.start('claim-settlement', CLAIM);
    const { id: taskId, lockToken } = await fetched();
    await admin.client.run(
      'mutation ($input: ExternalTaskBpmnErrorInput!) { externalTaskBpmnError(input: $input) { state } }',
      { input: { taskId, lockToken, errorCode: 'PAYOUT_DECLINED', errorMessage: 'no such account' } },
    );
    assert.match((await ann.task(id, 'clarify')).description ?? '', /^Claim C-1: no such account\./);
    await ann.perform(id, 'clarify', { account: 'DE-2' });
    await pay(await fetched(), 'PAY-5');
    assert.equal((await sue.variables(id)).paymentReference, 'PAY-5');
    assert.ok((await sue.path(id)).includes('payout✗'));
  });

  it('is suspended with the opinion that it waits for, and goes on with it', async () => {
    const id = await sue.start('claim-settlement', { ...CLAIM, kind: 'theft' });
    const opinion = await opinionOf(id);
    const change = (field: string) => admin.client.run(`mutation ($id: ID!) { ${field}(id: $id) { state } }`, { id });
    await change('suspendProcessInstance');
    assert.equal((await opinionOf(id)).suspended, true);
    await assert.rejects(carl.perform(opinion.id, 'judge', { covered: false }), /suspended/);
    await change('activateProcessInstance');
    assert.equal((await opinionOf(id)).suspended, false);
    await carl.perform(opinion.id, 'judge', { covered: false });
    await admin.advanceClock('PT0S');
    await sue.perform(id, 'inform');
  });
});
