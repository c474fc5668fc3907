import assert from 'node:assert/strict';
import {
  definitionModels,
  departures,
  instanceParts,
  processDefinitions,
  processInstances,
  runs,
} from '../../../src/engine/collections.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { put } from '../../../src/store/index.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, EngineHarness, supervisor } from '../../support/engine-harness.js';

const system = systemCaller('test');
const multi = `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x"/>`;
const VERSIONS = 3;
const model = (version: number) =>
  bpmn(line(['a'], element('userTask', 'a', { name: `version ${version}` }, multi)), { key: 'p' });

/** A process in three versions. After each decision, as a crash would leave it, whatever instance there is finds all programs that its runs name. */
class Versions {
  readonly engine = new EngineHarness();
  definitionIds: string[] = [];

  async deploy(): Promise<this> {
    for (let n = 0; n < VERSIONS; n++) this.definitionIds.push(...(await this.engine.deploy(model(n), `v${n}`)));
    const { documents } = this.engine;
    const apply = documents.apply.bind(documents);
    documents.apply = (writes) => {
      apply(writes);
      this.#assertTold();
    };
    return this;
  }

  #assertTold(): void {
    const known = new Set(this.models());
    const instances = new Set(this.engine.all(processInstances).map(({ id }) => id));
    for (const { instanceId, definitionId } of this.engine.all(runs)) {
      if (instances.has(instanceId)) assert.ok(known.has(definitionId), `the program of ${definitionId}`);
    }
  }

  /** An instance of the first version, with so many tasks, that goes through the others up to this one. */
  async begin(size: number, until: number): Promise<string> {
    const { api, jobs } = this.engine.engine;
    const list = Array.from({ length: size }, (_, n) => n);
    const variables = [{ name: 'list', value: list }];
    const id = await this.engine.run(
      api.startProcess,
      { definitionId: this.definitionIds[0] ?? null, variables },
      admin,
    );
    await this.engine.settle();
    for (let n = 1; n <= until; n++) {
      const [sourceProcessDefinitionId = '', targetProcessDefinitionId = ''] = this.definitionIds.slice(n - 1, n + 1);
      const input = { processInstanceId: id, sourceProcessDefinitionId, targetProcessDefinitionId };
      await this.engine.run(jobs.migrateInstance, input, supervisor);
    }
    return id;
  }

  async cancel(id: string): Promise<void> {
    await this.engine.run(this.engine.api.cancelProcessInstance, { id }, admin);
    await this.engine.settle();
  }

  async deleteVersion(n: number, cascade = false): Promise<void> {
    const { deploymentId: id = '' } = this.engine.get(processDefinitions, this.definitionIds[n] ?? '') ?? {};
    await this.engine.run(this.engine.api.deleteDeployment, { id, cascade }, admin);
    await this.engine.settle();
  }

  async clean(): Promise<void> {
    this.engine.now += 1_000;
    const input = { endedBefore: this.engine.now };
    while (await this.engine.run(this.engine.engine.jobs.cleanHistory, input, system));
  }

  /** The definitions whose programs are there. */
  models(): string[] {
    return this.engine.all(definitionModels).map(({ id }) => id);
  }

  left(): number[] {
    return this.models()
      .map((id) => this.definitionIds.indexOf(id))
      .sort();
  }
}

const versions = () => new Versions().deploy();

describe('the program of a definition that is deleted', () => {
  it('stays until the last instance is erased that has left it, wherever that is by then', async () => {
    const it = await versions();
    const [first, second] = [await it.begin(2, 1), await it.begin(2, 2)];
    await it.deleteVersion(0);
    assert.deepEqual(it.left(), [0, 1, 2]);
    await it.cancel(first);
    await it.clean();
    assert.deepEqual(it.left(), [0, 1, 2], 'the second one has left it, too');
    await it.deleteVersion(1);
    assert.deepEqual(it.left(), [0, 1, 2]);
    await it.cancel(second);
    await it.clean();
    assert.deepEqual(it.left(), [2], 'that can still be started');
    assert.deepEqual(it.engine.all(departures), []);
  });

  it('stays where instances of it have ended, and others have left it', async () => {
    const it = await versions();
    const [ended, moved] = [await it.begin(2, 0), await it.begin(2, 1)];
    await it.cancel(ended);
    await it.deleteVersion(0);
    await it.clean();
    assert.deepEqual([it.left(), it.engine.all(processInstances).map(({ id }) => id)], [[0, 1, 2], [moved]]);
    await it.cancel(moved);
    await it.clean();
    assert.deepEqual(it.left(), [1, 2]);
  });

  it('goes with the instances that a deletion takes along', async () => {
    const it = await versions();
    for (let n = 0; n < 5; n++) await it.begin(2, 2);
    await it.deleteVersion(0);
    assert.deepEqual(it.left(), [0, 1, 2]);
    await it.deleteVersion(2, true);
    assert.deepEqual([it.left(), it.engine.all(departures), it.engine.all(processInstances)], [[1], [], []]);
  });

  it('is there for what rests in large scopes, and has not followed yet', async () => {
    const it = await versions();
    const id = await it.begin(60, 2);
    assert.equal(it.engine.all(instanceParts).length, 60);
    await it.deleteVersion(0);
    await it.deleteVersion(1);
    const { stored, again } = it.engine.replayed(id);
    assert.deepEqual(again, stored);
    await it.cancel(id);
    assert.deepEqual(it.left(), [0, 1, 2]);
    await it.clean();
    assert.deepEqual(it.left(), [2]);
  });

  it('is kept where a former version noted that instances had left it, but not which', async () => {
    const it = await versions();
    const id = await it.begin(2, 1);
    for (const departure of it.engine.all(departures)) assert.equal(departure.instanceId, id);
    const model = it.engine.get(definitionModels, it.definitionIds[0] ?? '');
    if (model !== undefined) it.engine.documents.apply([put(definitionModels, { ...model, left: true })]);
    await it.deleteVersion(0);
    await it.cancel(id);
    await it.clean();
    assert.deepEqual(it.left(), [0, 1, 2]);
  });
});
