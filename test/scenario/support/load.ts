import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import type { ApiData, ApiReply } from '../../support/graphql-client.js';
import type { KillableServer } from './killable-server.js';

/** One mutation of the load: sent under its key as often as needed, it happens once. */
interface Call {
  readonly key: string;
  readonly userId: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A call that was answered. */
export interface Answered extends Call {
  readonly answer: Pick<ApiReply, 'data' | 'errors'>;
}

/** How far a lane is with an instance. */
interface At {
  readonly number: number;
  step: number;
  instanceId: string;
  taskId: string;
}

/** The server has gone in the middle of a call. */
class Gone extends Error {}

/** A model with two tasks, a continuation between them, and a timer behind. */
export const LOAD_MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="test">
  <process id="load" isExecutable="true" camunda:historyTimeToLive="P1D">
    <startEvent id="start" />
    <sequenceFlow id="f1" sourceRef="start" targetRef="first" />
    <userTask id="first" camunda:candidateGroups="accounting" />
    <sequenceFlow id="f2" sourceRef="first" targetRef="work" />
    <scriptTask id="work" scriptFormat="javascript" camunda:asyncBefore="true" camunda:resultVariable="square">
      <script>number * number</script>
    </scriptTask>
    <sequenceFlow id="f3" sourceRef="work" targetRef="second" />
    <userTask id="second" camunda:candidateGroups="accounting" />
    <sequenceFlow id="f4" sourceRef="second" targetRef="pause" />
    <intermediateCatchEvent id="pause">
      <timerEventDefinition><timeDuration xsi:type="tFormalExpression">PT1S</timeDuration></timerEventDefinition>
    </intermediateCatchEvent>
    <sequenceFlow id="f5" sourceRef="pause" targetRef="end" />
    <endEvent id="end" />
  </process>
</definitions>`;

const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id businessKey } }';
const CLAIM = 'mutation ($id: ID!) { claimTask(taskId: $id) { id } }';
const COMPLETE = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id state assignee } }';

/**
 * One after the other this lane starts instances and brings each to its timer; when the server goes, it waits, and takes up again the very
 * call that was not answered.
 */
export class Lane {
  readonly #server: KillableServer;
  readonly #name: string;
  readonly answered: Answered[] = [];
  /** The instances that it has started, by number. */
  readonly started: string[] = [];
  /** Tasks that ann has claimed, and whose completion was not yet asked for. */
  readonly held = new Set<string>();
  /** The instance at hand. */
  #at: At | undefined;

  constructor(server: KillableServer, name: string) {
    this.#server = server;
    this.#name = name;
  }

  /** Works until the server goes, or until `stop` and the instance at hand is through. */
  async work(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted || this.#at !== undefined) await this.#bringToTimer();
    } catch (thrown) {
      if (!(thrown instanceof Gone)) throw thrown;
    }
  }

  /** Takes up where the lane stopped: at the call that was not answered. */
  async #bringToTimer(): Promise<void> {
    this.#at ??= { number: this.started.length, step: 0, instanceId: '', taskId: '' };
    const at = this.#at;
    const key = `${this.#name}-${at.number}`;
    const steps = [() => this.#start(at, key), ...this.#perform(at, 'first', key), ...this.#perform(at, 'second', key)];
    for (; at.step < steps.length; at.step++) await steps[at.step]?.();
    this.started.push(at.instanceId);
    this.#at = undefined;
  }

  async #start(at: At, key: string): Promise<void> {
    const input = { definitionKey: 'load', businessKey: key, variables: [{ name: 'number', value: at.number }] };
    const { startProcess } = await this.#call({
      key: `${key}-start`,
      userId: 'ann',
      query: START,
      variables: { input },
    });
    at.instanceId = startProcess.id;
  }

  /** Ann claims a task, dora cannot, ann completes it. */
  #perform(at: At, elementId: string, instanceKey: string): (() => Promise<void>)[] {
    const key = `${instanceKey}-${elementId}`;
    const claim = (userId: string, taskId: string) => ({
      key: `${key}-${userId}`,
      userId,
      query: CLAIM,
      variables: { id: taskId },
    });
    return [
      async () => {
        at.taskId = await this.#taskOf(at.instanceId, elementId);
      },
      async () => {
        await this.#call(claim('ann', at.taskId));
        this.held.add(at.taskId);
      },
      async () => {
        await this.#refused(claim('dora', at.taskId));
        this.held.delete(at.taskId);
      },
      async () => {
        const input = { taskId: at.taskId, variables: [{ name: elementId, value: key }] };
        await this.#call({ key: `${key}-complete`, userId: 'ann', query: COMPLETE, variables: { input } });
      },
    ];
  }

  /** The open task of an element, as soon as it is there. */
  async #taskOf(instanceId: string, elementId: string): Promise<string> {
    const query = `query ($id: String!, $key: String!) {
      tasks(processInstanceId: $id, taskDefinitionKey: $key) { edges { node { id } } } }`;
    let id: string | undefined;
    await eventually('the task is there', async () => {
      const { data } = await this.#ask('ann', query, { id: instanceId, key: elementId });
      id = data?.tasks.edges[0]?.node.id;
      return id !== undefined;
    });
    return id ?? '';
  }

  async #call(call: Call): Promise<ApiData> {
    const { data, errors } = await this.#answer(call);
    assert.equal(errors, undefined, `${call.key}: ${JSON.stringify(errors)}`);
    assert.ok(data != null);
    return data;
  }

  async #refused(call: Call): Promise<void> {
    const { errors } = await this.#answer(call);
    assert.equal(errors?.[0]?.extensions.code, 'CONFLICT', `${call.key} was not refused`);
  }

  async #answer(call: Call): Promise<ApiReply> {
    const reply = await this.#ask(call.userId, call.query, call.variables, call.key);
    const { data, errors } = reply;
    this.answered.push({ ...call, answer: { ...(data !== undefined && { data }), ...(errors && { errors }) } });
    return reply;
  }

  async #ask(
    userId: string,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    idempotencyKey?: string,
  ): Promise<ApiReply> {
    try {
      const client = this.#server.client(userId);
      return await client.ask(query, { variables, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    } catch (thrown) {
      throw new Gone(`the server has gone: ${thrown}`);
    }
  }
}

/** Sends a call again under its key. */
export async function again(server: KillableServer, { key, userId, query, variables }: Answered) {
  const { data, errors } = await server.client(userId).ask(query, { variables, idempotencyKey: key });
  return { ...(data !== undefined && { data }), ...(errors && { errors }) };
}
