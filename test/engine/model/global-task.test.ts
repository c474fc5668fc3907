import assert from 'node:assert/strict';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { definitions } from '../../support/bpmn.js';

const compiled = (body: string) => compileModel(definitions(body));

describe('a global task', () => {
  it('is a process of one task, whose key is its id', async () => {
    const { programs, problems } = await compiled(`
      <bpmn:globalUserTask id="approve" name="Approve &quot;it&quot;" camunda:versionTag="v3" camunda:candidateGroups="a, b"
        camunda:formKey="f">
        <bpmn:documentation>what it is</bpmn:documentation>
        <bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="x">1</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>
      </bpmn:globalUserTask>
      <bpmn:globalTask id="plain"/><bpmn:globalManualTask id="hand"/>`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      programs.map(({ key, name, versionTag }) => [key, name, versionTag]),
      [
        ['approve', 'Approve "it"', 'v3'],
        ['plain', null, null],
        ['hand', null, null],
      ],
    );
    const task = programs[0]?.elements.find(({ type }) => type === 'userTask');
    assert.deepEqual(
      [task?.id, task?.name, task?.documentation, task?.userTask?.candidateGroups, task?.userTask?.formKey],
      ['approve.task', 'Approve "it"', 'what it is', ['a', 'b'], 'f'],
    );
    assert.equal(task?.io?.inputs[0]?.name, 'x');
    assert.deepEqual(
      programs.map(({ elements }) => elements.map(({ type }) => type)),
      ['userTask', 'task', 'manualTask'].map((type) => ['process', 'startEvent', 'endEvent', type]),
    );
  });

  it('runs a script, and decides', async () => {
    const { programs, problems } = await compiled(`
      <bpmn:globalScriptTask id="double" scriptLanguage="javascript" camunda:resultVariable="y"><bpmn:script>x * 2</bpmn:script></bpmn:globalScriptTask>
      <bpmn:globalBusinessRuleTask id="decide" camunda:decisionRef="rate" camunda:resultVariable="r"/>`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      programs.map(({ elements }) => elements[3]?.work?.kind),
      ['script', 'decision'],
    );
  });

  it('that does nothing is no process: it may be drawn', async () => {
    const { programs, problems, warnings } = await compiled(
      '<bpmn:globalScriptTask id="a"/><bpmn:globalBusinessRuleTask id="b"></bpmn:globalBusinessRuleTask>',
    );
    assert.deepEqual([programs, problems], [[], []]);
    assert.match(warnings.map(({ message }) => message).join(), /global script task 'a' says nothing of what it does/);
  });

  it('is refused as a task of a process is, with its line', async () => {
    const { problems } = await compiled(
      '\n<bpmn:globalUserTask id="u"\n camunda:priority="soon"/>\n<bpmn:globalScriptTask id="s" scriptLanguage="cobol"><bpmn:script>1</bpmn:script></bpmn:globalScriptTask>',
    );
    assert.deepEqual(
      problems.map(({ line, elementId }) => [line, elementId]),
      [
        [7, 'u.task'],
        [8, 's.task'],
      ],
    );
  });
});
