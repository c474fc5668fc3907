import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';

const ENDS = `<bpmn:ioSpecification><bpmn:dataInput id="in" name="sum"/><bpmn:dataOutput id="out" name="granted"/><bpmn:inputSet/><bpmn:outputSet/></bpmn:ioSpecification>
  <bpmn:dataInputAssociation><bpmn:sourceRef>amount</bpmn:sourceRef><bpmn:targetRef>in</bpmn:targetRef></bpmn:dataInputAssociation>
  <bpmn:dataOutputAssociation><bpmn:sourceRef>out</bpmn:sourceRef><bpmn:targetRef>ref</bpmn:targetRef></bpmn:dataOutputAssociation>`;
const MODEL = bpmn(
  `<bpmn:dataObject id="amount" itemSubjectRef="int"/><bpmn:dataObjectReference id="ref" name="Amount" dataObjectRef="amount"/>
  ${line(['ask', 'pay'], element('callActivity', 'ask', { calledElement: 'grant' }, ENDS) + element('userTask', 'pay'))}`,
  {
    key: 'grants',
    root: `<bpmn:itemDefinition id="int" structureRef="xsd:int"/>
    <bpmn:globalUserTask id="grant" name="Grant \${sum}" camunda:candidateGroups="controlling"/>`,
  },
);

describe('data and global tasks over the API', () => {
  let company: Company;
  before(async () => {
    company = await openCompany();
    const { admin } = company.people;
    await admin.client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'grants', resources: [{ name: 'grants.bpmn', content: MODEL }] },
    });
  });
  after(() => company.close());

  it('are typed variables, and a process that is called by the task’s id', async () => {
    const { admin, carl } = company.people;
    const wrong = await refusal(admin.start('grants', { Amount: 'much' }));
    assert.equal(wrong.code, 'EXECUTION_FAILED');
    assert.match(wrong.message, /a value of type Integer for data 'Amount' of element 'grants'/);
    const id = await admin.start('grants', { Amount: 500 });
    await admin.advanceClock('PT0S');
    const { processInstances } = await admin.client.run(
      '{ processInstances(definitionKey: "grant") { edges { node { id superProcessInstance { id } } } } }',
    );
    const [edge] = processInstances.edges;
    assert.equal(edge?.node.superProcessInstance?.id, id);
    const grant = await carl.task(edge.node.id, 'grant.task');
    assert.equal(grant.name, 'Grant 500');
    await carl.complete(await carl.claim(grant), { granted: 450 });
    await admin.advanceClock('PT0S');
    assert.deepEqual(await admin.variables(id), { Amount: 450 });
    await admin.complete(await admin.task(id, 'pay'));
  });
});
