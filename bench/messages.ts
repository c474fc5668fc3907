import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineModule, messageReceivers, type ReceiversQuestion } from '../src/engine/index.js';
import { Reader } from '../src/store/index.js';
import { benchEngine, benchStore, caller } from './bench-engine.js';
import { LoopWatch } from './loop-watch.js';

// Messages among many that wait: `node build/bench/messages.js [instances] [variables]`, once `npm run bench` has built it. Each instance waits for one
// message, with a variable `order` of its own beside others; what is told is how long it takes to find one by business key and by that variable, what CPU
// time that takes in all threads, and the most that the main thread was held for at once.

const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="bench">
  <bpmn:message id="m" name="paid"/>
  <bpmn:process id="p" isExecutable="true">
    <bpmn:startEvent id="start"/><bpmn:receiveTask id="hear" messageRef="m"/><bpmn:userTask id="then"/>
    <bpmn:sequenceFlow id="a" sourceRef="start" targetRef="hear"/><bpmn:sequenceFlow id="b" sourceRef="hear" targetRef="then"/>
  </bpmn:process>
</bpmn:definitions>`;

const [count = 100_000, others = 5] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const AT_ONCE = 64;
const TIMES = 10;

const folder = mkdtempSync(join(tmpdir(), 'messages-'));
const reader = new Reader({ dataFolder: folder, modules: [engineModule.reader.href], deadlineMs: 60_000 });
const { engine, parser } = benchEngine({
  evaluators: {
    receivers: async (question) => {
      const asked = question as ReceiversQuestion;
      return (await reader.query(asked.partition, messageReceivers, asked, caller)).answer;
    },
  },
});
const { store, partition } = await benchStore(engine, [{ name: 'p.bpmn', content: MODEL }], { folder, jobSlots: 64 });

const more = Array.from({ length: others }, (_, n) => ({ name: `other${n}`, value: `the value of ${n}` }));
let started = 0;
async function startSome(): Promise<void> {
  while (started < count) {
    const order = started++;
    const variables = [{ name: 'order', value: order }, ...more];
    await partition.send(
      engine.api.startProcess,
      { definitionKey: 'p', businessKey: `order ${order}`, variables },
      { caller },
    );
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, startSome));

const loop = new LoopWatch();

async function measured(what: string, send: (order: number) => Promise<unknown>, at: number): Promise<void> {
  const took: number[] = [];
  const cpu = process.cpuUsage();
  loop.begin();
  for (let n = 0; n < TIMES; n++) {
    const begun = performance.now();
    await send(Math.floor((n + at) * (count / TIMES)));
    took.push(performance.now() - begun);
  }
  const { longestCpuMs } = loop.end();
  const { user, system } = process.cpuUsage(cpu);
  took.sort((a, b) => a - b);
  const [median = 0, longest = 0] = [took[TIMES / 2], took.at(-1)];
  console.log(
    `${what}: ${median.toFixed(1)} ms in the median, ${longest.toFixed(1)} at most; ${((user + system) / 1_000 / TIMES).toFixed(1)} ms of CPU; the main thread was held for ${longestCpuMs.toFixed(1)} ms of CPU at most`,
  );
}

const correlate = (input: object) =>
  partition.send(engine.api.correlateMessage, { messageName: 'paid', ...input }, { caller });
console.log(`${count} instances wait, each with ${others + 1} variables`);
await measured('by business key', (order) => correlate({ businessKey: `order ${order}` }), 0);
await measured(
  'by business key and variable',
  (order) => correlate({ businessKey: `order ${order}`, correlationKeys: { order } }),
  0.2,
);
await measured('by variable', (order) => correlate({ correlationKeys: { order } }), 0.4);

await store.close(1_000);
await Promise.all([reader.close(), parser.close()]);
rmSync(folder, { recursive: true });
