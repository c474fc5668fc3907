import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import type { Program } from '../../../src/engine/model/program.js';

const files = readdirSync('processes').filter((file) => file.endsWith('.bpmn'));
const read = (file: string) => readFileSync(`processes/${file}`, 'utf8');

describe('the samples', () => {
  it('are a claim, the opinion that it asks for, an invoice, an order and an incident', () => {
    assert.deepEqual(files.sort(), [
      'claim-settlement.bpmn',
      'expert-opinion.bpmn',
      'incident-handling.bpmn',
      'invoice-approval.bpmn',
      'order-fulfilment.bpmn',
    ]);
  });

  for (const file of files) {
    describe(file, () => {
      let program: Program;
      before(async () => {
        const { programs, problems, warnings } = await compileModel(read(file));
        assert.deepEqual([problems, warnings], [[], []]);
        program = programs[0] ?? assert.fail();
      });

      it('is the process of its name', () => assert.equal(`${program.key}.bpmn`, file));

      it('needs no handler', () => {
        const handlers = program.elements.filter(
          ({ work, listeners }) => (work?.kind === 'handler' && work.external === undefined) || listeners.length > 0,
        );
        assert.deepEqual(handlers, []);
      });

      it('has people for every user task', () => {
        const tasks = program.elements.filter(({ type }) => type === 'userTask');
        assert.ok(tasks.length > 0);
        for (const { id, userTask } of tasks) assert.ok(userTask?.candidateGroups.length, id);
      });

      it('is drawn whole', () => drawnWhole(program, read(file)));
    });
  }
});

/** Every element has a shape, every flow an edge that begins and ends at the shapes of what it connects. */
function drawnWhole(program: Program, xml: string): void {
  const number = (text: string, name: string) => Number(new RegExp(`${name}="([^"]*)"`).exec(text)?.[1]);
  const shapes = new Map(
    [...xml.matchAll(/<bpmndi:BPMNShape [^>]*bpmnElement="([^"]*)"[^>]*>\s*<dc:Bounds ([^>]*)\/>/g)].map(
      ([, id = '', bounds = '']) => [id, ['x', 'y', 'width', 'height'].map((name) => number(bounds, name))],
    ),
  );
  const at = (id: string, [x, y]: readonly number[]) => {
    const [left = 0, top = 0, width = 0, height = 0] = shapes.get(id) ?? assert.fail(`${id} has no shape`);
    const [dx, dy] = [Math.abs((x ?? 0) - left - width / 2), Math.abs((y ?? 0) - top - height / 2)];
    assert.ok(Math.max(dx - width / 2, dy - height / 2) <= 1 && Math.max(dx - width / 2, dy - height / 2) >= -1, id);
  };
  for (const { id, type } of program.elements) assert.ok(type === 'process' || shapes.has(id), `${id} has no shape`);
  for (const { id, source, target } of program.flows) {
    const edge = new RegExp(`<bpmndi:BPMNEdge [^>]*bpmnElement="${id}"[^>]*>([\\s\\S]*?)</bpmndi:BPMNEdge>`).exec(xml);
    const points = [...(edge?.[1] ?? '').matchAll(/<di:waypoint ([^>]*)\/>/g)].map(([, p = '']) => [
      number(p, 'x'),
      number(p, 'y'),
    ]);
    assert.ok(points.length >= 2, `${id} has no edge`);
    at(program.elements[source]?.id ?? '', points[0] ?? []);
    at(program.elements[target]?.id ?? '', points.at(-1) ?? []);
  }
}
