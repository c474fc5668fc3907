import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WaitingWorkers } from '../src/server/worker/waiting-workers.js';
import { systemTime } from '../src/shared/time.js';
import { benchEngine, benchStore, caller } from './bench-engine.js';

// External tasks by the thousand: `node build/bench/external-tasks.js [tasks] [workers]`, once `npm run bench` has built it. Each worker fetches one at a
// time and completes it; what is told is the CPU time of this process for a task, of starting its instance, of fetching it, and of completing it, and that
// none was refused or given twice.

const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" id="d" targetNamespace="bench">
  <bpmn:process id="p" isExecutable="true">
    <bpmn:startEvent id="start"/><bpmn:serviceTask id="work" camunda:type="external" camunda:topic="work"/><bpmn:endEvent id="end"/>
    <bpmn:sequenceFlow id="a" sourceRef="start" targetRef="work"/><bpmn:sequenceFlow id="b" sourceRef="work" targetRef="end"/>
  </bpmn:process>
</bpmn:definitions>`;

const [count = 10_000, workers = 64, atOnce = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  const answer = await work();
  const { user, system } = process.cpuUsage(cpu);
  const perTask = ((user + system) / count).toFixed(0);
  console.log(`${what}: ${perTask} µs of CPU a task, ${((performance.now() - begun) / 1_000).toFixed(1)} s in all`);
  return answer;
}

const folder = mkdtempSync(join(tmpdir(), 'external-'));
const { engine, parser } = benchEngine();
const line = new WaitingWorkers(engine.api, systemTime);
const { store, partition } = await benchStore(engine, [{ name: 'p.bpmn', content: MODEL }], {
  followers: (name) => [line.follower(name)],
  folder,
  jobSlots: 64,
});
const start = { definitionKey: 'p', businessKey: null, variables: [] };

await timed('starting', async () => {
  for (let n = 0; n < count; n += 500) {
    const some = Array.from({ length: Math.min(500, count - n) }, () =>
      partition.send(engine.api.startProcess, start, { caller }),
    );
    await Promise.all(some);
  }
});

const seen = new Set<string>();
let refused = 0;
let twice = 0;
const work = async (_: unknown, n: number) => {
  const topics = [{ topicName: 'work', lockDurationMs: 600_000 }];
  for (;;) {
    const worker = { partition, caller, waitMs: 0 };
    const { tasks } = await line.fetch(worker, { workerId: `w${n}`, maxTasks: atOnce, topics });
    if (tasks.length === 0) return;
    for (const { id: taskId, lock } of tasks) {
      if (seen.has(taskId)) twice++;
      seen.add(taskId);
      await partition
        .send(engine.api.completeExternalTask, { taskId, lockToken: lock?.token ?? '' }, { caller })
        .catch(() => refused++);
    }
  }
};
await timed('fetching and completing', () => Promise.all(Array.from({ length: workers }, work)));
console.log(
  `${seen.size} of ${count} done by ${workers} workers, ${atOnce} at once; ${refused} refused, ${twice} twice`,
);
await store.close(1_000);
await parser.close();
rmSync(folder, { recursive: true });
