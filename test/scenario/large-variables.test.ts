import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import { type Person, type Values, variablesOf } from './support/person.js';

/** Characters of JSON of the largest variable. */
const VARIABLE_MAX = 4_000_000;

const script = (id: string, text: string) =>
  element('scriptTask', id, { scriptFormat: 'javascript' }, `<bpmn:script><![CDATA[${text}]]></bpmn:script>`);

/** A task, then scripts that look at the variable and change it, and a task again. */
const model = bpmn(
  line(
    ['read', 'count', 'look', 'grow', 'written'],
    `${element('userTask', 'read')}
    ${script('count', 'execution.setVariable("length", big.length)')}
    ${element('serviceTask', 'look', { 'camunda:expression': '${big.length()}', 'camunda:resultVariable': 'again' })}
    ${script('grow', 'execution.setVariables({ big: big.slice(1) + "z", rows: rows.map((row) => ({ ...row, seen: true })) })')}
    ${element('userTask', 'written')}`,
  ),
  { key: 'large' },
);

describe('large variables', () => {
  let company: Company;
  let admin: Person;
  before(async () => {
    company = await openCompany({ env: { MILLRACE_SCRIPT_TIMEOUT: '30s' } });
    ({ admin } = company.people);
    await admin.client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'large', resources: [{ name: 'large.bpmn', content: model }] },
    });
  });
  after(() => company.close());

  const big = 'x'.repeat(VARIABLE_MAX - 2);
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ n, name: `row ${n} with ü and "quotes"` }));

  it('are given, read and changed by scripts and expressions, and given back', async () => {
    const id = await admin.start('large', { big, rows });
    assert.deepEqual(await admin.variables(id), { big, rows });
    await admin.perform(id, 'read');
    const { length, again, ...after } = await admin.variables(id);
    assert.deepEqual([length, again], [big.length, big.length]);
    assert.equal(after.big, `${big.slice(1)}z`);
    assert.deepEqual(
      after.rows,
      rows.map((row) => ({ ...row, seen: true })),
    );
    await admin.perform(id, 'written');
    assert.equal((await admin.instance(id)).state, 'completed');
    assert.equal((await admin.variables(id)).big, `${big.slice(1)}z`);
  }).timeout(60_000);

  it('are set by every command that takes variables', async () => {
    const id = await admin.start('large', { big: '', rows: [] });
    await admin.setVariables(id, { big, rows });
    assert.deepEqual(await admin.variables(id), { big, rows });
    const task = await admin.task(id, 'read');
    await admin.client.run(
      'mutation ($id: ID!, $variables: [ProcessVariableInput!]!) { setTaskVariables(taskId: $id, variables: $variables) { id } }',
      { id: task.id, variables: variablesOf({ big: big.replaceAll('x', 'y') }) },
    );
    assert.equal((await admin.variables(id)).big, big.replaceAll('x', 'y'));
    await admin.complete(task, { big });
    assert.equal((await admin.variables(id)).length, big.length);
  }).timeout(60_000);

  it('are refused when there are too many at once, in words of variables', async () => {
    const id = await admin.start('large', { big: '', rows: [] });
    const task = await admin.task(id, 'read');
    const many = (count: number, chars: number): Values =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, 'x'.repeat(chars)]));
    for (const values of [many(401, 4_000), many(500, 15_000), many(9_000, 6)]) {
      const commands = [
        () => admin.start('large', values),
        () => admin.setVariables(id, values),
        () => admin.complete(task, values),
      ];
      for (const command of commands) {
        const { code, message } = await refusal(command());
        assert.equal(code, 'LIMIT_EXCEEDED');
        assert.match(message, /expected at most 400 variables to be written at once .*, but found \d+$/);
      }
    }
    const numbers = (count: number, name: string): Values =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, 1]));
    for (const values of [numbers(9_000, 'v'), numbers(1_200, 'v'.repeat(250))]) {
      const { code, message } = await refusal(admin.setVariables(id, values));
      assert.equal(code, 'LIMIT_EXCEEDED');
      assert.match(
        message,
        /^LIMIT_EXCEEDED: expected at most 262144 characters of small variables .*, but found \d+$/,
      );
    }
    await admin.setVariables(id, numbers(6_000, 'v'));
    await admin.setVariables(id, many(400, 4_000));
    assert.deepEqual(await admin.variables(id), many(400, 4_000));
  }).timeout(60_000);

  it('have one rule for their names, whoever gives them', async () => {
    const id = await admin.start('large', { big: '', rows: [] });
    const task = await admin.task(id, 'read');
    for (const name of ['', 'x'.repeat(256), 'constructor', 'prototype', 'a\0b', '\ud800']) {
      const values = { [name]: 1 };
      const commands = [
        () => admin.start('large', values),
        () => admin.setVariables(id, values),
        () => admin.complete(task, values),
        () =>
          admin.client.run(
            'mutation ($id: ID!, $variables: [ProcessVariableInput!]!) { setTaskVariables(taskId: $id, variables: $variables) { id } }',
            { id: task.id, variables: variablesOf(values) },
          ),
        () =>
          admin.client.run(
            'mutation ($input: PublishSignalInput!) { publishSignal(input: $input) { receivers { id } } }',
            {
              input: { signalName: 'none', variables: variablesOf(values) },
            },
          ),
      ];
      for (const command of commands) {
        const { code, message: sentence } = await refusal(command());
        assert.equal(code, 'BAD_REQUEST', JSON.stringify(name));
        assert.match(sentence, /expected a variable name of 1 to 255 characters/);
      }
    }
    await admin.setVariables(id, { ['x'.repeat(255)]: 1, 'ü \ud83d\ude00': 2 });
    assert.equal((await admin.variables(id))['ü \ud83d\ude00'], 2);
  });

  it('are refused beyond the limit, and change nothing', async () => {
    const id = await admin.start('large', { big: 'small', rows: [] });
    const tooBig: Values = { big: `${big}x` };
    const task = await admin.task(id, 'read');
    const commands = [
      () => admin.start('large', tooBig),
      () => admin.setVariables(id, tooBig),
      () => admin.complete(task, tooBig),
    ];
    for (const command of commands) {
      const { code, message } = await refusal(command());
      assert.equal(code, 'LIMIT_EXCEEDED');
      assert.match(message, /at most 4000000 characters of JSON as the value of variable 'big', but found 4000001/);
    }
    assert.deepEqual(await admin.variables(id), { big: 'small', rows: [] });
  }).timeout(60_000);
});
