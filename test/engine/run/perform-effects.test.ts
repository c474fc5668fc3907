import assert from 'node:assert/strict';
import { type ProcessInstance, type Subscription, subscriptions } from '../../../src/engine/collections.js';
import { newInstance } from '../../../src/engine/element/advance.js';
import type { Effect, RunJob } from '../../../src/engine/element/instance-state.js';
import { typed } from '../../../src/engine/element/native.js';
import { processInstanceMachine } from '../../../src/engine/machine/process-instance.js';
import { Changes } from '../../../src/engine/run/changes.js';
import { performEffects } from '../../../src/engine/run/perform-effects.js';
import { seedOf } from '../../../src/shared/ids.js';
import { incidentOf, incidents, put, start, type Write } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { program, service, start as startEvent } from '../../support/program.js';

const NOW = 1_000;
const model = program({ s: startEvent(), a: service('${1}') }, ['s -> a']);
const A = 2;

const instance: ProcessInstance = {
  id: 'i',
  definitionId: 'd',
  definitionKey: 'p',
  businessKey: null,
  startUserId: 'ann',
  startTime: NOW,
  endTime: null,
  deleteReason: null,
  incidentCount: 0,
  runs: 1,
  sweep: null,
  calledBy: null,
  actor: start(processInstanceMachine, { started: true }),
  state: newInstance(),
  spilled: [],
};

const waiting = (id: string, more: Partial<Subscription>): Subscription => ({
  id,
  eventType: 'message',
  eventName: 'go',
  instanceId: 'other',
  businessKey: null,
  definitionId: 'd',
  definitionKey: 'p',
  elementId: 'hear',
  executionId: 'other:1',
  created: NOW,
  revision: 0,
  ...more,
});

/** What these effects of a run of the instance come to. `before`: how many jobs the commit has already. */
function performed(
  effects: readonly Effect[],
  more: { readonly stored?: readonly Write[]; readonly before?: number } & Partial<ProcessInstance> = {},
) {
  const { stored = [], before = 0, ...facts } = more;
  const documents = new MemoryDocuments();
  documents.apply(stored);
  const changes = new Changes();
  for (let n = 0; n < before; n++) changes.job({ id: `job-${n}`, type: 'other', dueAt: NOW, input: null });
  const state = new MemoryState(documents, seedOf('effects'), NOW);
  const scene = {
    state,
    changes,
    instance: { ...instance, ...facts },
    program: model,
    pathOf: () => undefined,
    incidents: 0,
  };
  performEffects(scene, effects);
  const { write = [], jobs = [] } = changes.decision(null);
  return { write, jobs: jobs.slice(before), incidents: scene.incidents };
}

const job = (more: Partial<RunJob>): Effect => ({
  type: 'createJob',
  job: {
    ...{ id: 'job', type: 'call', dueAt: NOW, immediate: true, exclusive: true, retryCycle: null, element: A },
    ...{ tokenId: 1, ...more },
  },
});

describe('a call that a run makes', () => {
  const called = (text: string, field = '') => {
    const call = { handler: 'h', fields: { f: field }, variables: { v: typed(text) } };
    return performed([job({ call })]).jobs[0]?.input as { readonly variables: object | null };
  };
  const around = JSON.stringify({ v: typed('') }).length;

  it('holds its variables up to 16,384 characters of JSON, else it looks them up when it runs', () => {
    assert.ok(called('x'.repeat(16_384 - around)).variables !== null);
    assert.equal(called('x'.repeat(16_385 - around)).variables, null);
  });

  it('has at most 65,536 characters in its fields', () => {
    const most = 65_536 - JSON.stringify({ f: '' }).length;
    assert.ok(called('', 'x'.repeat(most)));
    assert.throws(() => called('', 'x'.repeat(most + 1)), {
      code: 'LIMIT_EXCEEDED',
      message: "expected at most 65536 characters in the fields of handler 'h'",
    });
  });
});

describe('what a run makes', () => {
  it('tells as its cause the instance, with its business key where it has one', () => {
    const cause = (businessKey: string | null) => performed([job({ type: 'timer' })], { businessKey }).jobs[0]?.cause;
    assert.deepEqual(cause(null), { instanceId: 'i' });
    assert.deepEqual(cause('key'), { instanceId: 'i', businessKey: 'key' });
  });

  it('is refused where its element is not in the program', () => {
    assert.throws(() => performed([job({ element: 9 })]), { message: "program 'process' has no element 9" });
  });
});

describe('what a run takes back', () => {
  it('may be a dead job: its incident is resolved, and counts no more', () => {
    const failure = { message: 'away' };
    const state = new MemoryState(new MemoryDocuments(), seedOf('incident'), NOW);
    const incident = incidentOf(state, { id: 'job', failure }, { instanceId: 'i' });
    const { write, incidents: by } = performed([{ type: 'removeJob', jobId: 'job' }], {
      stored: [put(incidents, incident)],
      incidentCount: 1,
    });
    assert.equal(by, -1);
    assert.deepEqual(
      write.map(({ collection, id, document }) => [collection.name, id, document]),
      [
        ['job', 'job', null],
        ['incident', incident.id, null],
      ],
    );
  });

  it('may be gone already: a task', () => {
    assert.deepEqual(performed([{ type: 'endTask', taskId: 'gone', outcome: 'completed' }]).write, []);
  });
});

describe('another business key', () => {
  it('is given to what still waits for messages, and to nothing that has it or does not wait any more', () => {
    const own = (id: string, businessKey: string | null) =>
      put(subscriptions, waiting(id, { instanceId: 'i', businessKey }));
    const { write } = performed(
      [
        { type: 'unsubscribe', subscriptionId: 'gone' },
        { type: 'businessKey', businessKey: 'new' },
      ],
      { stored: [own('gone', null), own('old', null), own('new', 'new')], businessKey: 'new' },
    );
    assert.deepEqual(
      write.map(({ id, document }) => [id, (document as Subscription | null)?.businessKey]),
      [
        ['gone', undefined],
        ['old', 'new'],
      ],
    );
  });
});

describe('what a run throws', () => {
  const signal: Effect = {
    type: 'throwSignal',
    name: 'go',
    elementId: 'a',
    steps: 3,
    businessKey: null,
    variables: {},
  };
  const message: Effect = { type: 'throwMessage', name: 'go', elementId: 'a', steps: 3 };
  const stored = [put(subscriptions, waiting('w', { eventType: 'signal' }))];

  it('is spread at once, a signal, or by a job where the commit has 2,000 documents already', () => {
    const types = (before: number) => performed([signal], { stored, before }).jobs.map(({ type }) => type);
    assert.deepEqual([types(0), types(1_999), types(2_000)], [['delivery'], ['delivery'], ['signal']]);
  });

  it('starts an instance that is caused by the thrower, and is about no instance', () => {
    const starting = waiting('w', { instanceId: null, executionId: null });
    for (const [thrown, eventType] of [
      [signal, 'signal'],
      [message, 'message'],
    ] as const) {
      const [made, ...more] = performed([thrown], {
        stored: [put(subscriptions, { ...starting, eventType })],
        businessKey: 'key',
      }).jobs;
      assert.deepEqual(more, []);
      assert.deepEqual(made, {
        id: made?.id,
        type: 'eventStart',
        dueAt: NOW,
        immediate: true,
        definitionId: 'd',
        definitionKey: 'p',
        activityId: 'hear',
        cause: { instanceId: 'i', businessKey: 'key' },
        input: { elementId: 'hear', businessKey: thrown === message ? 'key' : null, variables: {}, steps: 3 },
      });
    }
  });
});
