import type { Random } from '../support/random.js';
import { GivenUp, type Ledger, sleep } from './ledger.js';

const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id businessKey } }';
const CLAIM = 'mutation ($id: ID!) { claimTask(taskId: $id) { id assignee } }';
const COMPLETE = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id state } }';
const TASKS = `query ($id: String!, $key: String!) {
  tasks(processInstanceId: $id, taskDefinitionKey: $key) { edges { node { id } } } }`;
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }';
const SET = `mutation ($path: String!, $properties: [PropertyInput!]!) {
  setProperties(path: $path, properties: $properties) { errors { message } } }`;
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const NODE = 'query ($path: String!) { node(path: $path) { path } }';

/** An instance that a caller has brought to its timer. */
export interface Started {
  readonly id: string;
  readonly businessKey: string;
  readonly number: number;
}

/** One after the other it starts instances and brings each to its timer, and changes nodes; what was not answered it sends again. */
export class Caller {
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #random: Random;
  readonly started: Started[] = [];
  /** What its nodes must hold, by path, in the order of their making. */
  readonly nodes = new Map<string, number>();
  /** All that it has made, also what is gone by now. */
  readonly made: string[] = [];
  #number = 0;

  /** `name`: of this caller in this round. The folder of its nodes is to be there. */
  constructor(ledger: Ledger, name: string, random: Random) {
    this.#ledger = ledger;
    this.#name = name;
    this.#random = random;
  }

  get folder(): string {
    return `/content/${this.#name}`;
  }

  /** Works until it is stopped and what is at hand is through, or the round is given up. */
  async work(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted) {
        if (this.#random.chance(0.5)) await this.#bringToTimer();
        else await this.#changeNodes();
      }
    } catch (thrown) {
      if (!(thrown instanceof GivenUp)) throw thrown;
      this.#ledger.givenUp++;
    }
  }

  async #bringToTimer(): Promise<void> {
    const number = ++this.#number;
    const key = `${this.#name}-${number}`;
    const input = { definitionKey: 'load', businessKey: key, variables: [{ name: 'number', value: number }] };
    const call = (what: string, query: string, variables: Readonly<Record<string, unknown>>) =>
      this.#ledger.call({ key: `${key}-${what}`, query, variables });
    const { startProcess } = await call('start', START, { input });
    this.started.push({ id: startProcess.id, businessKey: key, number });
    for (const element of ['first', 'second']) {
      const taskId = await this.#taskOf(startProcess.id, element);
      await call(`${element}-claim`, CLAIM, { id: taskId });
      const complete = { taskId, variables: [{ name: element, value: key }] };
      await call(`${element}-complete`, COMPLETE, { input: complete });
    }
  }

  /** The open task of an element, as soon as it is there. */
  async #taskOf(id: string, key: string): Promise<string> {
    for (;;) {
      const found = await this.#ledger.look(TASKS, { id, key });
      const task = found?.tasks.edges[0]?.node.id;
      if (task !== undefined) return task;
      if (performance.now() > this.#ledger.deadline) {
        this.#ledger.wrong(`standing still: instance ${id} has no task '${key}'`);
        throw new GivenUp(id);
      }
      await sleep(20);
    }
  }

  async #changeNodes(): Promise<void> {
    const number = ++this.#number;
    const name = `n${number}`;
    const path = `${this.folder}/${name}`;
    const value = (n: number) => [{ name: 'n', value: { longValue: n } }];
    const key = `${this.#name}-${name}`;
    const input = { path: this.folder, name, nodeType: 'nt:unstructured', properties: value(number) };
    await this.#ledger.call({ key: `${key}-create`, query: CREATE, variables: { input } });
    this.made.push(path);
    this.nodes.set(path, number);
    const seen = await this.#ledger.look(NODE, { path });
    if (seen !== undefined && seen.node?.path !== path)
      this.#ledger.wrong(`lost: ${path} was answered as made, and is not read`);
    const properties = value(number + 1_000);
    await this.#ledger.call({ key: `${key}-set`, query: SET, variables: { path, properties } });
    this.nodes.set(path, number + 1_000);
    const [oldest = ''] = this.nodes.keys();
    if (this.nodes.size < 4 || this.#random.chance(0.5)) return;
    await this.#ledger.call({ key: `${key}-delete`, query: DELETE, variables: { path: oldest } });
    this.nodes.delete(oldest);
  }
}
