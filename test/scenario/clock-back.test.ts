import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';
import { fillAsStarted } from '../support/first-start.js';
import { logSettings } from '../support/log-of-run.js';
import { clientOf } from '../support/server.js';
import { serverProcess } from '../support/server-process.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { Person } from './support/person.js';

/** Lets a process take its clock for an hour less when it gets SIGUSR2. */
const SHIFTABLE = `data:text/javascript,${encodeURIComponent(
  'const now = Date.now; let shift = 0; Date.now = () => now() - shift; process.on("SIGUSR2", () => { shift = 3600000; });',
)}`;

const TIMER = bpmn(`<bpmn:startEvent id="start"/>
  <bpmn:intermediateCatchEvent id="wait">
    <bpmn:timerEventDefinition><bpmn:timeDuration>PT2S</bpmn:timeDuration></bpmn:timerEventDefinition>
  </bpmn:intermediateCatchEvent>
  <bpmn:endEvent id="end"/>
  ${flows('start', 'wait', 'end')}`);

const DEPLOY = `mutation ($content: String!) {
  deployProcess(input: { name: "timer", resources: [{ name: "timer.bpmn", content: $content }] }) { id }
}`;

describe('a server whose clock is set back by an hour', () => {
  it('lets timers ring that were waiting, and no time that it shows goes back', async () => {
    const folder = dataFolder();
    await fillAsStarted(folder.path);
    const server = await serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      NODE_OPTIONS: `--import=${SHIFTABLE}`,
      ...(await logSettings(folder.path)),
    });
    const admin = new Person(clientOf(server.baseUrl, 'admin'));
    await admin.client.run(DEPLOY, { content: TIMER });
    const before = await admin.start('p');
    server.child.kill('SIGUSR2');
    await eventually('the timer rings', async () => (await admin.instance(before)).state === 'completed');
    const after = await admin.start('p');
    const [early, late] = [await admin.instance(before), await admin.instance(after)];
    assert.ok(Date.parse(String(late.startTime)) >= Date.parse(String(early.endTime)));
    await server.end();
    folder.remove();
  });
});
