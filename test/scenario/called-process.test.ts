import assert from 'node:assert/strict';
import { bpmn, element, extended, flow, flows } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed while processes call each other, and started again.

const MAPPINGS = '<camunda:in variables="all"/><camunda:out source="n" target="n"/>';
const COMPENSATION = '<bpmn:compensateEventDefinition/>';
/** Calls `step` until n is 5, and compensates all of that. */
const CALLER = bpmn(
  `${element('startEvent', 's')}${element('exclusiveGateway', 'x', { default: 'x-e' })}
  ${element('callActivity', 'c', { calledElement: 'step' }, extended(MAPPINGS))}${element('endEvent', 'e', {}, COMPENSATION)}
  ${flows('s', 'c', 'x', 'e')}${flow('x', 'c', '${n < 5}')}`,
  { key: 'caller' },
);
const STEP = bpmn(
  `${element('startEvent', 's')}${element('serviceTask', 'add', { 'camunda:asyncBefore': 'true', 'camunda:expression': "${execution.setVariable('n', n + 1)}" })}
  ${element('endEvent', 'e')}${flows('s', 'add', 'e')}
  ${element(
    'subProcess',
    'undoing',
    { triggeredByEvent: 'true' },
    `${element('startEvent', 'us', {}, COMPENSATION)}
    ${element('serviceTask', 'take', { 'camunda:asyncBefore': 'true', 'camunda:expression': "${execution.setVariable('undone', n)}" })}${flows('us', 'take')}`,
  )}`,
  { key: 'step' },
);
const COUNT = 20;

describe('processes that call each other', function () {
  this.timeout(120_000);
  let server: KillableServer;
  beforeEach(() => {
    server = new KillableServer();
  });
  afterEach(() => server.remove());

  it('lose nothing when the server is killed, and tell of each other', async () => {
    await server.start();
    const resources = [
      { name: 'caller.bpmn', content: CALLER },
      { name: 'step.bpmn', content: STEP },
    ];
    await server.client('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'calls', resources },
    });
    const start =
      'mutation { startProcess(input: { definitionKey: "caller", variables: [{ name: "n", value: 0 }] }) { id } }';
    const started = await Promise.all(Array.from({ length: COUNT }, () => server.client('admin').run(start)));
    const ids = started.map(({ startProcess }) => String(startProcess.id));
    const ended = async () => {
      const { processInstances } = await server
        .client('admin')
        .run('{ processInstances(first: 1, definitionKey: "caller", active: false) { totalCount } }');
      return Number(processInstances.totalCount);
    };
    await server.end('SIGKILL');
    await server.start();
    await eventually('some have ended', async () => (await ended()) > 0);
    await server.end('SIGKILL');
    await server.start();
    await eventually('all have ended', async () => (await ended()) === COUNT, 60_000);
    for (const id of ids) {
      const { processInstance } = await server.client('admin').run(
        `query ($id: ID!) { processInstance(id: $id) { variables { name value } superProcessInstance { id }
          subProcessInstances { totalCount edges { node {
            state variables { name value } superProcessInstance { id } compensatedProcessInstance { variables { value } }
          } } } } }`,
        { id },
      );
      assert.deepEqual(processInstance, {
        variables: [{ name: 'n', value: 5 }],
        superProcessInstance: null,
        subProcessInstances: {
          totalCount: 10,
          // Newest first: each of the five is compensated, the last one first.
          edges: [1, 2, 3, 4, 5, -5, -4, -3, -2, -1].map((n) => ({
            node: {
              state: 'completed',
              variables: [{ name: 'n', value: Math.abs(n) }, ...(n > 0 ? [{ name: 'undone', value: n }] : [])],
              superProcessInstance: { id },
              compensatedProcessInstance: n > 0 ? { variables: [{ value: n }] } : null,
            },
          })),
        },
      });
    }
    assertReplays(server.folder);
  });
});
