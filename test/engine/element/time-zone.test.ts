import assert from 'node:assert/strict';
import { ModelParser } from '../../../src/engine/model/model-parser.js';
import type { Program } from '../../../src/engine/model/program.js';
import { bpmn, element, flows, timer } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { programOf } from '../../support/model.js';

const waiting = (content: string) =>
  bpmn(`${element('startEvent', 's')}${element('intermediateCatchEvent', 'c', {}, content)}${flows('s', 'c')}`);
const dueIn = (program: Program, variables: Readonly<Record<string, unknown>> = {}): string => {
  const [job] = instance(program).start(variables).jobs.values();
  return new Date(job?.dueAt ?? 0).toISOString().slice(0, 16);
};

describe('a timer', () => {
  it('is in the time zone that its text names, or the value of its expression', async () => {
    const dated = (text: string) => programOf(waiting(timer('date', text)));
    assert.equal(dueIn(await dated('2030-07-01T08:00:00[Europe/Berlin]')), '2030-07-01T06:00');
    assert.equal(dueIn(await dated('${at}'), { at: '2030-07-01T08:00:00[Europe/Berlin]' }), '2030-07-01T06:00');
    assert.equal(dueIn(await dated('2030-07-01T08:00:00')), '2030-07-01T08:00');
  });

  it('else is in the one of its program, which is the one that counted when it was deployed', async () => {
    const parser = new ModelParser({ timeZone: 'America/New_York' });
    try {
      const parsed = async (text: string) => {
        const { programs } = await parser.parse(waiting(timer('date', text)));
        assert.ok(programs[0]);
        return dueIn(programs[0], { at: '2030-01-01T08:00:00' });
      };
      assert.equal(await parsed('2030-07-01T08:00:00'), '2030-07-01T12:00');
      assert.equal(await parsed('${at}'), '2030-01-01T13:00');
      assert.equal(await parsed('2030-07-01T08:00:00Z'), '2030-07-01T08:00');
      assert.equal(await parsed('2030-07-01T08:00:00[Europe/Berlin]'), '2030-07-01T06:00');
    } finally {
      await parser.close();
    }
  });
});
