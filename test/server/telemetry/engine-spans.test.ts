import assert from 'node:assert/strict';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../../src/engine/decision-store.js';
import { advance, createEngine, Handlers, ProgramStore, tasks } from '../../../src/engine/index.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { engineSpans } from '../../../src/server/telemetry/engine-spans.js';
import { observeEngine } from '../../../src/server/telemetry/gauges.js';
import type { Cause } from '../../../src/shared/caller.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import { inSpan } from '../../../src/shared/trace.js';
import { type Committed, type Partition, Store } from '../../../src/store/index.js';
import { commitBodyOf } from '../../../src/store/log/packed.js';
import { bpmn, element, flow, line, timer } from '../../support/bpmn.js';
import { admin } from '../../support/engine-harness.js';
import { callerNamed } from '../../support/harness.js';
import { recordSpans, type SpanRecorder } from '../../support/span-recorder.js';

/** The engine in a store in memory, told of in spans. */
class TracedEngine {
  readonly handlers = new Handlers();
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 15));
  readonly commits: Committed[] = [];
  readonly engine;
  readonly #store: Store;
  #partition: Partition | undefined;

  constructor() {
    const programs = new ProgramStore();
    this.engine = createEngine({
      decisions: new DecisionStore(),
      parseDecisions: compileDecisions,
      advance,
      programs,
      handlers: this.handlers,
      parseModel: compileModel,
      evaluators: {},
    });
    const spans = engineSpans({
      state: (id) => this.#store.find(id).replica.read(),
      program: (state, id) => programs.find(state, id),
      now: () => this.clock.now(),
    });
    this.#store = new Store({
      ...this.engine,
      folder: null,
      reactions: [],
      clock: this.clock,
      jobSlots: 8,
      callerOf: (userId, _workspace, cause) => callerNamed(userId, { cause, roles: ['administrator'] }),
      followers: (partition) => [{ committed: (commit) => this.commits.push(commit) }, spans(partition)],
    });
  }

  async deployed(model: string): Promise<this> {
    this.#partition = await this.#store.open('test', 'test');
    const input = { name: 'model', resources: [{ name: 'model.bpmn', content: model }] };
    await this.partition.send(this.engine.api.deployProcess, input, { caller: admin });
    return this;
  }

  get partition(): Partition {
    assert.ok(this.#partition !== undefined);
    return this.#partition;
  }

  /** Starts an instance and waits until nothing goes on by itself; gives its id. */
  async start(): Promise<string> {
    const input = { definitionKey: 'p', businessKey: 'order-1' };
    const { answer, commandId } = await this.partition.send(this.engine.api.startProcess, input, { caller: admin });
    await this.partition.replica.settled(commandId, 5_000);
    await told();
    return answer;
  }

  async completeTask(): Promise<void> {
    const [task] = this.partition.replica.read().range(tasks, 'created', [0], 1);
    await this.partition.send(this.engine.api.completeTask, { taskId: task?.id ?? '' }, { caller: admin });
  }

  /** Sets the clock forward and lets run what is due. */
  async pass(ms: number): Promise<void> {
    this.clock.set(this.clock.now() + ms);
    while ((await this.partition.decider.jobs.takeDue()) > 0) await this.partition.decider.jobs.quiet();
    await told();
  }

  causeOf(type: string): Cause | undefined {
    return this.commits.find(({ command }) => command.type === type)?.command.cause;
  }

  close(): Promise<void> {
    return this.#store.close(1_000);
  }
}

/** A job is through before its span has ended. */
const told = () => new Promise(setImmediate);

const HOUR = 3_600_000;
const call = line(['charge'], element('serviceTask', 'charge', { 'camunda:delegateExpression': `\${cardService}` }));
const catchTimer = (id: string, duration: string) =>
  element('intermediateCatchEvent', id, {}, timer('duration', duration));

describe('the spans of the engine', () => {
  let recorder: SpanRecorder;
  let engine: TracedEngine;
  beforeEach(() => {
    recorder = recordSpans();
    engine = new TracedEngine();
  });
  afterEach(async () => {
    await engine.close();
    await recorder.stop();
  });

  const traceOf = (name: string) => recorder.span(name).spanContext().traceId;
  const idOf = (name: string) => recorder.span(name).spanContext().spanId;
  const parentOf = (name: string) => recorder.span(name).parentSpanContext?.spanId;
  const linksOf = (name: string) => recorder.span(name).links.map(({ context }) => context.spanId);
  const msOf = ([s, ns]: readonly [number, number]) => s * 1_000 + ns / 1e6;

  it('show a call as the attempt of a job that is sent to the handler', async () => {
    let traceparent: string | undefined;
    engine.handlers.register('cardService', () =>
      inSpan('outside', {}, (span) => {
        traceparent = span.spanContext().spanId;
      }),
    );
    const instanceId = await (await engine.deployed(bpmn(call))).start();
    const attempt = recorder.span('process call charge');
    assert.equal(attempt.kind, SpanKind.CONSUMER);
    assert.equal(attempt.attributes['messaging.destination.name'], 'cardService');
    assert.equal(attempt.attributes['bpm.process.instance.id'], instanceId);
    assert.equal(parentOf('process call charge'), idOf('command startProcess'));
    assert.equal(parentOf('outside'), idOf('process call charge'));
    assert.equal(traceparent, idOf('outside'));
    assert.equal(parentOf('command completeCall'), idOf('process call charge'));
    assert.equal(parentOf('end p'), idOf('command completeCall'));
    assert.deepEqual(linksOf('end p'), [idOf('command startProcess')]);
    assert.equal(parentOf('serviceTask charge'), idOf('start p'));
  });

  it('follow from causes that are kept with each commit', async () => {
    engine.handlers.register('cardService', () => 1);
    const instanceId = await (await engine.deployed(bpmn(call))).start();
    const cause = engine.causeOf('completeCall');
    const start = engine.commits.find(({ command }) => command.type === 'startProcess');
    assert.equal(cause?.instanceId, instanceId);
    assert.equal(cause?.businessKey, 'order-1');
    assert.equal(cause?.commandId, start?.command.id);
    assert.match(cause?.jobId ?? '', /^[\da-f-]{36}$/);
    assert.equal(cause?.traceparent, `00-${traceOf('command completeCall')}-${idOf('command completeCall')}-01`);
    const body = commitBodyOf(engine.commits.find(({ command }) => command.type === 'completeCall')?.record.body ?? '');
    assert.deepEqual(body.cause, cause);
  });

  it('tell which instance threw what others catch', async () => {
    const signal = '<bpmn:signalEventDefinition signalRef="paid"/>';
    const root = '<bpmn:signal id="paid" name="paid"/>';
    const caught = `${element('startEvent', 'hear', {}, signal)}${element('endEvent', 'heard')}${flow('hear', 'heard')}`;
    await engine.deployed(bpmn(caught, { key: 'q', root }));
    const model = line(['tell'], element('intermediateThrowEvent', 'tell', {}, signal));
    await engine.deployed(bpmn(model, { root }));
    const instanceId = await engine.start();
    assert.equal(engine.causeOf('startByEvent')?.instanceId, instanceId);
    assert.equal(parentOf('process eventStart hear'), idOf('command startProcess'));
  });

  it('say why an attempt failed, each with a span of its own', async () => {
    engine.handlers.register('cardService', () => {
      throw new Error('the service is away');
    });
    await (await engine.deployed(bpmn(call))).start();
    await engine.pass(0);
    const attempts = recorder.spans().filter(({ name }) => name === 'process call charge');
    assert.deepEqual(
      attempts.map(({ attributes, status }) => [attributes['bpm.job.attempt'], attributes['error.type'], status.code]),
      [1, 2, 3].map((attempt) => [attempt, 'INTERNAL_ERROR', SpanStatusCode.ERROR]),
    );
    const named = JSON.stringify({ 'messaging.destination.name': 'cardService' });
    const failed = JSON.stringify({ 'messaging.destination.name': 'cardService', 'error.type': 'INTERNAL_ERROR' });
    assert.deepEqual(await recorder.measured('bpm.job.retries'), { [named]: 2 });
    assert.deepEqual(await recorder.measured('bpm.job.duration'), { [failed]: 3 });
    assert.deepEqual(await recorder.measured('bpm.job.wait.duration'), { [named]: 3 });
  });

  it('keep taking jobs apart from what the jobs do', async () => {
    await (await engine.deployed(bpmn(line(['pause'], catchTimer('pause', 'PT10M'))))).start();
    await engine.pass(HOUR / 2);
    assert.equal(parentOf('command runUntaken'), undefined);
    assert.equal(parentOf('process timer pause'), idOf('command startProcess'));
  });

  it('begin a trace when the old one is older than an hour, however short each wait was', async () => {
    const ids = ['first', 'second', 'third'];
    const model = line(ids, ids.map((id) => catchTimer(id, 'PT40M')).join(''));
    await (await engine.deployed(bpmn(model))).start();
    for (const _ of ids) await engine.pass((40 / 60) * HOUR);
    assert.equal(traceOf('process timer first'), traceOf('command startProcess'));
    assert.notEqual(traceOf('process timer second'), traceOf('process timer first'));
    assert.equal(recorder.span('process timer second').links[0]?.context.traceId, traceOf('process timer first'));
    assert.equal(traceOf('process timer third'), traceOf('process timer second'));
  });

  it('have the times of the history', async () => {
    const from = engine.clock.now();
    await (await engine.deployed(bpmn(line(['approve'], element('userTask', 'approve'))))).start();
    await engine.pass(HOUR / 4);
    assert.equal(recorder.spans().filter(({ name }) => name === 'userTask approve').length, 0);
    await engine.completeTask();
    const { startTime, endTime } = recorder.span('userTask approve');
    assert.deepEqual([msOf(startTime), msOf(endTime)], [from, from + HOUR / 4]);
    assert.equal(parentOf('userTask approve'), idOf('start p'));
    assert.deepEqual(linksOf('userTask approve'), [idOf('command completeTask')]);
    assert.deepEqual(linksOf('complete task'), [idOf('start p')]);
    const definition = JSON.stringify({ 'bpm.task.definition.key': 'approve' });
    assert.deepEqual(await recorder.measured('bpm.task.age'), { [definition]: 1 });
    const ended = { 'bpm.process.definition.key': 'p', 'bpm.process.instance.outcome': 'completed' };
    assert.deepEqual(await recorder.measured('bpm.process.instance.duration'), { [JSON.stringify(ended)]: 1 });
  });

  it('are in the trace of the end when the wait was long, linked to the start', async () => {
    await (await engine.deployed(bpmn(line(['approve'], element('userTask', 'approve'))))).start();
    await engine.pass(HOUR + 1);
    await engine.completeTask();
    assert.equal(parentOf('userTask approve'), idOf('command completeTask'));
    assert.deepEqual(linksOf('userTask approve'), [idOf('start p')]);
  });

  it('show what was cancelled', async () => {
    const id = await (await engine.deployed(bpmn(line(['approve'], element('userTask', 'approve'))))).start();
    await engine.partition.send(engine.engine.api.cancelProcessInstance, { id, reason: 'wrong' }, { caller: admin });
    assert.equal(recorder.span('userTask approve').attributes['bpm.activity.canceled'], true);
    assert.equal(recorder.span('end p').attributes['bpm.process.instance.outcome'], 'cancelled');
    assert.equal(recorder.span('cancel task').attributes['bpm.task.definition.key'], 'approve');
  });

  it('are not there for what was refused', async () => {
    await engine.deployed(bpmn(call));
    const unknown = engine.partition.send(engine.engine.api.startProcess, { definitionKey: 'q' }, { caller: admin });
    await assert.rejects(unknown);
    assert.equal(recorder.span('command startProcess').attributes['error.type'], 'NOT_FOUND');
    assert.equal(
      recorder.spans().some(({ name }) => name.startsWith('start ')),
      false,
    );
  });

  it('are not there, nor their causes, when nobody collects them', async () => {
    await recorder.stop();
    engine.handlers.register('cardService', () => 1);
    await (await engine.deployed(bpmn(call))).start();
    assert.deepEqual(recorder.spans(), []);
    assert.equal(engine.causeOf('startProcess')?.traceparent, undefined);
    assert.equal(engine.causeOf('completeCall')?.traceparent, undefined);
  });
});

describe('the gauges of the engine', () => {
  it('report at a collection what was counted at the one before, partitions together', async () => {
    const recorder = recordSpans();
    const counted = {
      instances: [{ key: 'order', state: 'active', count: 3 }],
      incidents: [{ type: 'failedJob', count: 1 }],
      dueJobs: 2,
    };
    let counts = 0;
    const count = async () => {
      counts++;
      return counted;
    };
    const stop = observeEngine({ partitions: () => ['a', 'b'], count });
    await new Promise(setImmediate);
    const active = { 'bpm.process.definition.key': 'order', 'bpm.process.instance.state': 'active' };
    assert.deepEqual(await recorder.measured('bpm.process.instance.active'), { [JSON.stringify(active)]: 6 });
    assert.equal(counts, 4);
    assert.deepEqual(await recorder.measured('bpm.incident.active'), { '{"bpm.incident.type":"failedJob"}': 2 });
    assert.deepEqual(await recorder.measured('bpm.job.backlog'), { '{}': 4 });
    stop();
    const before = counts;
    await recorder.measured('bpm.job.backlog');
    assert.equal(counts, before);
    await recorder.stop();
  });

  it('count nothing when nobody collects them', () => {
    observeEngine({ partitions: () => assert.fail('counted'), count: () => assert.fail('counted') })();
  });
});
