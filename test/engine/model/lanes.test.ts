import assert from 'node:assert/strict';
import { lanesOf } from '../../../src/engine/model/lanes.js';
import { bpmn, element, flows } from '../../support/bpmn.js';
import { programOf, warningsOf } from '../../support/model.js';

const lane = (id: string, name: string, nodes: readonly string[], inner = '') =>
  `<bpmn:lane id="${id}" ${name && `name="${name}"`}>${nodes.map((node) => `<bpmn:flowNodeRef>${node}</bpmn:flowNodeRef>`).join('')}${inner && `<bpmn:childLaneSet id="${id}-set">${inner}</bpmn:childLaneSet>`}</bpmn:lane>`;
const within = (...lanes: readonly string[]) => `<bpmn:laneSet id="set">${lanes.join('')}</bpmn:laneSet>`;

const model = bpmn(
  `${within(lane('sales', 'Sales', ['start', 'ask', 'part'], lane('office', '', ['ask'])), lane('law', 'Law', ['check']))}
  ${element('startEvent', 'start')}${element('userTask', 'ask')}${element('userTask', 'check')}
  ${element('subProcess', 'part', {}, element('startEvent', 'in') + element('userTask', 'inner') + flows('in', 'inner'))}
  ${element('task', 'free')}${flows('start', 'ask', 'check', 'part', 'free')}`,
);

describe('lanes', () => {
  it('are known of what is drawn in them, from the outermost on, and of what a sub-process there holds', async () => {
    const { elements } = await programOf(model);
    const found = elements.map(({ id }, at) => [id, lanesOf(elements, at).join(' / ')]);
    assert.deepEqual(Object.fromEntries(found), {
      p: '',
      start: 'Sales',
      ask: 'Sales / office',
      check: 'Law',
      part: 'Sales',
      in: 'Sales',
      inner: 'Sales',
      free: '',
    });
  });

  it('are deployed without a warning', async () => assert.deepEqual(await warningsOf(model), []));
});
