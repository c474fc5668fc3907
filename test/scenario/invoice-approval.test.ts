import assert from 'node:assert/strict';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import type { Person } from './support/person.js';

const INVOICE = { invoiceNumber: 'R-1', creditor: 'Mill & Sons', amount: 1200 };

describe('invoice approval', () => {
  let company: Company;
  let ann: Person;
  let carl: Person;
  let dora: Person;
  let mia: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ ann, carl, dora, mia, admin } = company.people);
  });
  after(() => company.close());

  it('pays a small invoice that one person approves', async () => {
    const id = await ann.start('invoice-approval', INVOICE, 'R-1');
    const open = await ann.instance(id);
    assert.equal(open.state, 'active');
    assert.equal(open.businessKey, 'R-1');
    assert.equal(open.startUserId, 'ann');
    assert.deepEqual(open.activeActivityIds, ['approve']);
    const task = await ann.task(id, 'approve');
    assert.equal(task.name, 'Approve invoice');
    assert.equal(task.description, 'Invoice R-1 of Mill & Sons: 1200. Complete it with approved true or false.');
    assert.equal(task.formKey, 'invoice-approval/approve');
    assert.equal(task.priority, 50);
    assert.deepEqual(task.candidateGroups, ['accounting']);
    assert.equal(Date.parse(String(task.due)) - Date.parse(String(task.created)), 2 * 86_400_000);
    const claimed = await ann.claim(task);
    assert.deepEqual([claimed.state, claimed.assignee], ['assigned', 'ann']);
    await ann.complete(claimed, { approved: true });
    const ended = await ann.instance(id);
    assert.deepEqual([ended.state, ended.ended, ended.activeActivityIds], ['completed', true, []]);
    assert.deepEqual(await ann.variables(id), {
      ...INVOICE,
      submitter: 'ann',
      fourEyes: false,
      approved: true,
      firstApprover: 'ann',
      paymentReference: 'PAY-R-1',
    });
    assert.deepEqual(await ann.path(id), [
      'received',
      'check',
      'approve',
      'is_approved',
      'needs_second',
      'may_pay',
      'pay',
      'paid',
    ]);
    assert.deepEqual(await ann.jobs(id), [], 'the timer of the task went with it');
  });

  it('ends a rejected invoice without a payment', async () => {
    const id = await ann.start('invoice-approval', INVOICE);
    await ann.perform(id, 'approve', { approved: false });
    assert.equal((await ann.instance(id)).state, 'completed');
    assert.equal((await ann.path(id)).at(-1), 'rejected');
    assert.ok(!('paymentReference' in (await ann.variables(id))));
  });

  it('asks a second person from 5,000 on, and asks again when it was the same', async () => {
    const id = await dora.start('invoice-approval', { ...INVOICE, amount: 5000 });
    await dora.perform(id, 'approve', { approved: true });
    const confirm = await dora.task(id, 'confirm');
    assert.equal(
      confirm.description,
      'dora has approved 5000 for Mill & Sons. Complete it, as somebody else, with confirmed true or false.',
    );
    await dora.perform(id, 'confirm', { confirmed: true });
    const again = await carl.task(id, 'confirm');
    assert.notEqual(again.id, confirm.id);
    await carl.perform(id, 'confirm', { confirmed: true });
    const { firstApprover, secondApprover, paymentReference } = await dora.variables(id);
    assert.deepEqual([firstApprover, secondApprover, paymentReference], ['dora', 'carl', 'PAY-R-1']);
    assert.deepEqual((await dora.path(id)).slice(3), [
      'is_approved',
      'needs_second',
      'confirm',
      'is_confirmed',
      'confirm',
      'is_confirmed',
      'may_pay',
      'pay',
      'paid',
    ]);
  });

  it('rejects what the second person does not confirm', async () => {
    const id = await ann.start('invoice-approval', { ...INVOICE, amount: 9000 });
    await ann.perform(id, 'approve', { approved: true });
    await carl.perform(id, 'confirm', { confirmed: false });
    assert.equal((await ann.path(id)).at(-1), 'rejected');
  });

  it('tells the management after two days, once, and goes on when both have done their part', async () => {
    const id = await ann.start('invoice-approval', INVOICE);
    const [timer] = await admin.jobs(id);
    assert.deepEqual([timer?.state, timer?.activityId], ['waiting', 'overdue']);
    await admin.advanceClock('PT47H');
    assert.deepEqual(
      (await admin.tasks(id)).map((task) => task.taskDefinitionKey),
      ['approve'],
    );
    await admin.advanceClock('PT1H');
    assert.deepEqual((await admin.tasks(id)).map((task) => task.taskDefinitionKey).sort(), ['approve', 'follow_up']);
    await admin.advanceClock('P10D');
    assert.equal((await admin.tasks(id)).length, 2);
    await ann.perform(id, 'approve', { approved: true });
    assert.equal((await ann.instance(id)).state, 'active', 'the manager is not done yet');
    await mia.perform(id, 'follow_up');
    const ended = await ann.instance(id);
    assert.equal(ended.state, 'completed');
    const history = await ann.history(id);
    const approval = history.find(({ activityId }) => activityId === 'approve');
    assert.equal(Number(approval?.durationInMillis), 12 * 86_400_000);
  });

  it('refuses an invoice that lacks something, and leaves nothing behind', async () => {
    const count = async () =>
      (await admin.client.run('{ processInstances(definitionKey: "invoice-approval") { totalCount } }'))
        .processInstances.totalCount;
    const before = await count();
    const refused = await refusal(ann.start('invoice-approval', { invoiceNumber: 'R-2', creditor: 'X' }));
    assert.equal(refused.code, 'EXECUTION_FAILED');
    assert.match(refused.message, /an invoice needs the variable amount/);
    assert.equal((await refusal(ann.start('invoice-approval', { ...INVOICE, amount: -1 }))).code, 'EXECUTION_FAILED');
    assert.equal(await count(), before);
  });

  it('is started by accounting, and its tasks are taken by their candidates', async () => {
    assert.equal((await refusal(carl.start('invoice-approval', INVOICE))).code, 'FORBIDDEN');
    const id = await ann.start('invoice-approval', INVOICE);
    const task = await ann.task(id, 'approve');
    assert.equal((await refusal(carl.claim(task))).code, 'NOT_FOUND', 'carl does not even see it');
    assert.equal((await refusal(carl.complete(task, { approved: true }))).code, 'NOT_FOUND');
    await ann.claim(task);
    assert.equal((await ann.claim(task)).assignee, 'ann', 'claiming one’s own task again is no error');
    const refused = await refusal(dora.claim(task));
    assert.equal(refused.code, 'CONFLICT');
    assert.match(refused.message, /assigned to 'ann'/);
    assert.equal((await refusal(dora.complete(task, { approved: true }))).code, 'FORBIDDEN');
  });

  it('refuses a completion without the variable that the gateway reads, and keeps the task', async () => {
    const id = await ann.start('invoice-approval', INVOICE);
    const refused = await refusal(ann.perform(id, 'approve'));
    assert.equal(refused.code, 'EXECUTION_FAILED');
    assert.match(refused.message, /approved/);
    assert.equal((await ann.task(id, 'approve')).state, 'assigned');
    await ann.perform(id, 'approve', { approved: true });
    assert.equal((await ann.instance(id)).state, 'completed');
  });
});
