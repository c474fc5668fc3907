import assert from 'node:assert/strict';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import type { Person } from './support/person.js';

const ORDER = { orderId: 'A-7', items: ['mill', 'race'], amount: 99.5, card: 'valid' };

describe('order fulfilment', () => {
  let company: Company;
  let sal: Person;
  let will: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ sal, will, admin } = company.people);
  });
  after(() => company.close());

  /** Places an order; the card is charged in a job of its own, which a clock that stands still holds back. */
  const order = async (card: string, businessKey?: string) => {
    const id = await sal.start('order-fulfilment', { ...ORDER, card }, businessKey);
    await admin.advanceClock('PT0S');
    return id;
  };
  const elements = async (id: string) => (await admin.tasks(id)).map((task) => task.taskDefinitionKey).sort();

  it('packs while the card is charged, and ships when both are done', async () => {
    const id = await sal.start('order-fulfilment', ORDER, 'A-7');
    const [charge] = await admin.jobs(id);
    assert.deepEqual([charge?.type, charge?.activityId, charge?.state], ['continuation', 'charge', 'waiting']);
    await admin.advanceClock('PT0S');
    assert.equal((await sal.variables(id)).paymentReference, 'PAY-A-7');
    assert.deepEqual(await elements(id), ['pick']);
    assert.equal((await will.task(id, 'pick')).description, '2 items for order A-7');
    await will.perform(id, 'pick');
    await will.perform(id, 'pack', { weight: 1.5 });
    await will.perform(id, 'ship', { trackingNumber: 'T-1' });
    assert.equal((await sal.instance(id)).state, 'completed');
    assert.deepEqual(await sal.variables(id), {
      ...ORDER,
      customer: 'sal',
      itemCount: 2,
      paymentReference: 'PAY-A-7',
      weight: 1.5,
      trackingNumber: 'T-1',
    });
    const path = await sal.path(id);
    assert.deepEqual(path.slice(0, 3), ['placed', 'check', 'fork']);
    assert.deepEqual([...path].sort(), [
      'charge',
      'charged',
      'check',
      'fork',
      'join',
      'join',
      'pack',
      'pick',
      'placed',
      'ship',
      'shipped',
    ]);
    assert.equal(path.at(-1), 'shipped');
  });

  it('waits at the join for the card when packing was faster', async () => {
    const id = await order('declined');
    await will.perform(id, 'pick');
    await will.perform(id, 'pack', { weight: 1 });
    assert.deepEqual(await elements(id), ['settle']);
    assert.deepEqual([...(await sal.instance(id)).activeActivityIds].sort(), ['join', 'settle']);
    const path = await sal.path(id);
    assert.deepEqual(path.filter((it) => it.endsWith('…')).sort(), ['join…', 'settle…']);
    await sal.perform(id, 'settle', { settled: true });
    assert.deepEqual(await elements(id), ['ship']);
  });

  it('lets sales settle a declined card, with what the bank said', async () => {
    const id = await order('declined');
    assert.deepEqual(await elements(id), ['pick', 'settle']);
    const { paymentError, paymentProblem } = await sal.variables(id);
    assert.deepEqual([paymentError, paymentProblem], ['PAYMENT_DECLINED', 'the bank has declined 99.5']);
    const settle = await sal.task(id, 'settle');
    assert.match(settle.description ?? '', /^Order A-7: the bank has declined 99\.5\./);
    assert.deepEqual(await sal.incidents(id), [], 'a declined card is no incident');
    await sal.perform(id, 'settle', { settled: true });
    await will.perform(id, 'pick');
    await will.perform(id, 'pack', { weight: 1 });
    await will.perform(id, 'ship', { trackingNumber: 'T-2' });
    const path = await sal.path(id);
    assert.ok(path.includes('charge✗') && path.includes('declined') && path.at(-1) === 'shipped', path.join());
  });

  it('cancels what is being packed when the card cannot be settled', async () => {
    const id = await order('declined');
    const pick = await will.task(id, 'pick');
    await sal.perform(id, 'settle', { settled: false });
    assert.equal((await sal.instance(id)).ended, true);
    assert.deepEqual(await elements(id), []);
    assert.equal((await refusal(will.complete(pick))).code, 'NOT_FOUND');
    const path = await sal.path(id);
    assert.ok(path.includes('pick✗'), path.join());
    assert.ok(path.includes('cancelled'), path.join());
  });

  it('tries an unreachable payment service three times, five minutes apart, then asks an operator', async () => {
    const id = await order('unreachable');
    const [first] = await admin.jobs(id);
    assert.deepEqual([first?.state, first?.retries, first?.attempts], ['waiting', 2, 1]);
    assert.match(first?.exceptionMessage ?? '', /the payment service does not answer/);
    await admin.advanceClock('PT5M');
    assert.equal((await admin.jobs(id))[0]?.retries, 1);
    assert.equal((await sal.instance(id)).incidentCount, 0);
    await admin.advanceClock('PT5M');
    const [dead] = await admin.jobs(id);
    assert.deepEqual([dead?.state, dead?.retries, dead?.attempts], ['dead', 0, 3]);
    const [incident] = await admin.incidents(id);
    assert.deepEqual([incident?.type, incident?.activityId, incident?.jobId], ['failedJob', 'charge', dead?.id]);
    assert.match(incident?.message ?? '', /the payment service does not answer/);
    assert.equal((await sal.instance(id)).incidentCount, 1);
    await admin.advanceClock('P1D');
    assert.equal((await admin.jobs(id))[0]?.attempts, 3, 'a dead job is not tried');
    assert.deepEqual(await elements(id), ['pick'], 'the warehouse goes on meanwhile');

    await admin.setVariables(id, { ...(await admin.variables(id)), card: 'valid' });
    assert.equal((await refusal(sal.setJobRetries(incident?.id ?? '', 1))).code, 'FORBIDDEN');
    await admin.setJobRetries(incident?.id ?? '', 1);
    await admin.advanceClock('PT0S');
    assert.deepEqual(await admin.incidents(id), []);
    assert.deepEqual(await admin.jobs(id), []);
    const { incidentCount } = await sal.instance(id);
    assert.equal(incidentCount, 0);
    assert.equal((await sal.variables(id)).paymentReference, 'PAY-A-7');
    await will.perform(id, 'pick');
    await will.perform(id, 'pack', { weight: 1 });
    await will.perform(id, 'ship', { trackingNumber: 'T-3' });
    assert.equal((await sal.instance(id)).state, 'completed');
  });

  it('opens the incident again when the new retries are used up', async () => {
    const id = await order('unreachable');
    await admin.advanceClock('PT10M');
    const [incident] = await admin.incidents(id);
    await admin.setJobRetries(incident?.id ?? '', 2);
    await admin.advanceClock('PT1H');
    const [again] = await admin.incidents(id);
    assert.ok(again !== undefined && again.id !== incident?.id);
  });

  it('holds everything while it is suspended, and goes on when it is activated', async () => {
    const id = await order('unreachable');
    const change = (field: string) => admin.client.run(`mutation ($id: ID!) { ${field}(id: $id) { state } }`, { id });
    await change('suspendProcessInstance');
    await admin.advanceClock('P1D');
    const [held] = await admin.jobs(id);
    assert.deepEqual([held?.state, held?.attempts], ['waiting', 1]);
    const pick = await will.task(id, 'pick');
    assert.equal((await refusal(will.claim(pick))).code, 'CONFLICT');
    await change('activateProcessInstance');
    await admin.advanceClock('PT5M');
    assert.equal((await admin.jobs(id))[0]?.state, 'dead');
    await will.perform(id, 'pick');
  });

  it('is cancelled with all that waits in it', async () => {
    const id = await order('unreachable');
    const { cancelProcessInstance } = await sal.client.run(
      'mutation ($id: ID!) { cancelProcessInstance(id: $id, reason: "ordered twice") }',
      { id },
    );
    assert.equal(cancelProcessInstance, true);
    const { state, deleteReason } = await sal.instance(id);
    assert.deepEqual([state, deleteReason], ['cancelled', 'ordered twice']);
    assert.deepEqual([await elements(id), await admin.jobs(id)], [[], []]);
    assert.ok((await sal.path(id)).includes('pick✗'));
  });

  it('is cancelled while one of its branches waits for the other', async () => {
    const id = await order('declined');
    await will.perform(id, 'pick');
    await will.perform(id, 'pack', { weight: 1 });
    await admin.client.run('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { id });
    const history = await sal.history(id);
    const [joining] = history.filter(({ activityId }) => activityId === 'join');
    assert.equal(joining?.canceled, true);
    assert.notEqual(joining?.endTime, null);
    assert.deepEqual((await sal.instance(id)).activeActivityIds, []);
  });
});
