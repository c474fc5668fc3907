import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { elementOf, idsOf } from '../../support/model.js';

const compile = (file: string) => compileModel(readFileSync(`test/engine/model/files/${file}`, 'utf8'));

async function programOf(file: string) {
  const { programs, problems, warnings } = await compile(file);
  assert.deepEqual(problems, []);
  return { program: programs[0] ?? assert.fail(), warnings: warnings.map(({ message }) => message) };
}

describe('files as editors write them', () => {
  it('may have pools, lanes, data, annotations, colours, forms and templates', async () => {
    const { program, warnings } = await programOf('camunda-modeler-collaboration.bpmn');
    assert.deepEqual(
      program.elements.map(({ id }) => id),
      ['Process_shop', 'StartEvent_order', 'Activity_review', 'Event_end'],
    );
    assert.equal(elementOf(program, 'Activity_review').name, 'Review\norder');
    const passedOver = warnings.map((sentence) => /^(.*) has (.*?),/.exec(sentence)?.slice(1).join(' '));
    assert.deepEqual(passedOver, ["user task 'Activity_review' a data association that is only drawn"]);
  });

  it('may have mappings, listeners, retries and sub-processes', async () => {
    const { program, warnings } = await programOf('camunda-modeler-services.bpmn');
    assert.deepEqual(warnings, []);
    const book = elementOf(program, 'Activity_book');
    assert.equal(book.work?.kind === 'handler' && book.work.name, 'book-carrier');
    assert.deepEqual([book.asyncBefore, book.asyncAfter, book.exclusive], [true, true, false]);
    assert.equal(book.retryCycle, 'PT1M,PT10M,PT1H');
    assert.deepEqual(idsOf(program, book.boundaries), ['Event_late']);
    assert.equal(elementOf(program, 'StartEvent_1').startFormKey, 'embedded:app:forms/start.html');
  });

  it('may have any prefix and a schema location', async () => {
    const { program, warnings } = await programOf('bpmn-js.bpmn');
    assert.deepEqual(warnings, []);
    assert.equal(elementOf(program, 'Event_2').activityType, 'terminateEndEvent');
  });

  it('may have no prefix, defaults spelt out, data types, qualified references and extensions of another vendor', async () => {
    const { program, warnings } = await programOf('other-editor.bpmn');
    assert.deepEqual(warnings, [
      "extensions of 'http://www.example.com/bpmn20-extensions' are not executed; this is the first of them",
    ]);
    assert.deepEqual(elementOf(program, 'sid-receive').event, { kind: 'message', name: 'Paid', work: null });
  });

  it('may start with a byte order mark and end lines in any way', async () => {
    const text = readFileSync('test/engine/model/files/bpmn-js.bpmn', 'utf8');
    for (const end of ['\r\n', '\r']) {
      const broken = `\uFEFF${text.replaceAll('\n', end)}`
        .replace('bpmn2:task', 'bpmn2:callActivity')
        .replace('/bpmn2:task', '/bpmn2:callActivity');
      const { problems } = await compileModel(broken);
      assert.deepEqual(
        problems.map(({ line, column, elementId }) => [line, column, elementId]),
        [[7, 5, 'Activity_1']],
      );
    }
  });

  it('may have white space around the equals signs of attributes', async () => {
    const text = readFileSync('test/engine/model/files/camunda-modeler-services.bpmn', 'utf8');
    const spread = text.replace(/(<bpmn[^>]*) name="/g, '$1 name =\n  "').replaceAll(' sourceRef="', ' sourceRef\t= "');
    assert.notEqual(spread, text);
    const [before, after] = [await compileModel(text), await compileModel(spread)];
    assert.deepEqual(after.problems, []);
    assert.deepEqual(after.programs, before.programs);
  });

  it('may have white space around their ids, and around what refers to them', async () => {
    const text = readFileSync('test/engine/model/files/camunda-modeler-services.bpmn', 'utf8');
    const spread = text.replace(/ (id|sourceRef|attachedToRef)="([^"]*)"/g, ' $1=" $2&#10;"');
    assert.notEqual(spread, text);
    const [before, after] = [await compileModel(text), await compileModel(spread)];
    assert.deepEqual(after.problems, []);
    assert.deepEqual(after.programs, before.programs);
  });

  it('may be of Camunda 8, whose extensions say what to do', async () => {
    const { program, warnings } = await programOf('camunda-modeler-cloud.bpmn');
    assert.match(warnings[0] ?? '', /^this is a Camunda 8 model: /);
    const { work, io } = elementOf(program, 'Activity_mail');
    assert.equal(work?.kind === 'handler' && work.external !== undefined && work.name, 'mail');
    const value = { kind: 'script', language: 'feel', text: 'customer.mail' };
    assert.deepEqual(io, { inputs: [{ name: 'to', value }], outputs: [] });
  });

  it('may name a form in a file of the deployment by its key', async () => {
    const xml = bpmn(
      line(['a'], element('userTask', 'a', { 'camunda:formKey': 'camunda-forms:deployment:forms/ask.form' })),
    );
    const form = JSON.stringify({ type: 'default', id: 'ask', components: [] });
    const { programs, warnings } = await compileModel(xml, { 'forms/ask.form': form });
    const { userTask } = elementOf(programs[0] ?? assert.fail(), 'a');
    assert.deepEqual(userTask?.form, { ref: { key: 'ask', binding: 'deployment', version: null } });
    assert.deepEqual(warnings, []);
  });
});
