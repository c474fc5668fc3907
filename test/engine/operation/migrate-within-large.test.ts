import assert from 'node:assert/strict';
import { instanceParts, runs, type Task, tasks } from '../../../src/engine/collections.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, extended, flows, line } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const SIZE = 60;
const times = (count: string) =>
  `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${count}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
const multi = times(String(SIZE));
/** A sub-process with a line of activities in it. */
const sub = (id: string, ids: readonly string[], body: string, loop = '') =>
  element('subProcess', id, {}, loop + line(ids, body).replaceAll(/"(start|end)/g, `"in-${id}-$1`));
const task = (id: string, loop = '') => element('userTask', id, {}, loop);
const behind = task('z');

/** Each of 60: a task. */
const flat = line(['g', 'z'], sub('g', ['c'], task('c'), multi) + behind);
/** Each of 60: a sub-process, which tells of its start and has a variable of its own, with the task. */
const told = extended(
  `<camunda:inputOutput><camunda:inputParameter name="own">\${loopCounter}</camunda:inputParameter></camunda:inputOutput><camunda:executionListener event='start' expression="\${execution.setVariable('begun', begun + 1)}"/>`,
);
const wrapped = line(['g', 'z'], sub('g', ['h'], sub('h', ['c'], task('c')).replace('>', `>${told}`), multi) + behind);

class Moving {
  readonly engine = new EngineHarness();
  id = '';
  #versions = 1;

  async start(body: string): Promise<this> {
    await this.engine.deploy(bpmn(body), 'v1');
    this.id = await this.engine.start({ begun: 0 });
    await this.engine.settle();
    return this;
  }

  async to(body: string): Promise<void> {
    const { definitionId: sourceProcessDefinitionId } = this.engine.instance(this.id);
    const [targetProcessDefinitionId = ''] = await this.engine.deploy(bpmn(body), `v${++this.#versions}`);
    const input = { processInstanceId: this.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    await this.engine.run(this.engine.engine.jobs.migrateInstance, input, supervisor);
  }

  tasks(elementId: string): Task[] {
    return this.engine.all(tasks).filter((each) => each.elementId === elementId);
  }

  async complete(one: Task | undefined): Promise<void> {
    await this.engine.run(this.engine.api.completeTask, { taskId: one?.id ?? '' }, admin);
  }

  /** How many activity instances of it go on, and in how many others these are. */
  active(activityId: string): number[] {
    const kept = this.engine.all(runs).sort((a, b) => a.n - b.n);
    const programOf = (id: string) => this.engine.programs.of(this.engine.state(), id);
    const all = activityInstances(kept, programOf).filter((each) => each.endTime === null);
    const own = all.filter((each) => each.activityId === activityId);
    return [own.length, new Set(own.map((each) => each.parentActivityInstanceId)).size];
  }

  get state(): string {
    return this.engine.instance(this.id).actor.value;
  }

  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }
}

const moving = (body: string) => new Moving().start(body);

describe('what is stored apart of an instance that migrates', () => {
  it('makes conditions true by the way, also where it takes several migrations at once', async () => {
    const begins = `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">\${begun == 1}</bpmn:condition></bpmn:conditionalEventDefinition>`;
    const watch = element(
      'subProcess',
      'watch',
      { triggeredByEvent: 'true' },
      element('startEvent', 'seen', { isInterrupting: 'false' }, begins) + task('look') + flows('seen', 'look'),
    );
    const it = await moving(flat + watch);
    await it.to(wrapped + watch);
    await it.to(wrapped + watch);
    await it.complete(it.tasks('c')[40]);
    assert.deepEqual([it.engine.variables(it.id).begun, it.tasks('look').length], [1, 1]);
    it.assertReplays();
  });

  it('gets scopes around it, each by itself: as it is done, or by and by', async () => {
    const it = await moving(flat);
    assert.equal(it.engine.all(instanceParts).length, SIZE);
    await it.to(wrapped);
    const written = it.engine.lastDecision?.write?.length ?? 0;
    assert.ok(written <= 5, `${written} documents were written`);
    it.assertReplays();
    await it.complete(it.tasks('c')[40]);
    assert.deepEqual([it.engine.variables(it.id).begun, it.active('h')], [1, [0, 0]]);
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual([it.engine.variables(it.id).begun, it.active('h')], [SIZE, [SIZE - 1, SIZE - 1]]);
    assert.deepEqual([it.active('c'), it.engine.all(instanceParts).length], [[SIZE - 1, SIZE - 1], SIZE - 1]);
    it.assertReplays();
    for (const one of it.tasks('c')) await it.complete(one);
    assert.deepEqual([it.tasks('z').length, it.engine.all(instanceParts).length], [1, 0]);
    it.assertReplays();
  });

  it('loses scopes around it', async () => {
    const it = await moving(wrapped);
    await it.to(flat);
    await it.complete(it.tasks('c')[40]);
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual(
      [it.active('h'), it.active('c')],
      [
        [0, 0],
        [SIZE - 1, SIZE - 1],
      ],
    );
    it.assertReplays();
    for (const one of it.tasks('c')) await it.complete(one);
    assert.deepEqual([it.tasks('z').length, it.engine.all(instanceParts).length], [1, 0]);
    it.assertReplays();
  });

  it('takes one change of scopes after the other: the next one waits until the last has reached all', async () => {
    const it = await moving(flat);
    await it.to(wrapped);
    assert.match(
      await refusalOf(it.to(flat)),
      /^UNAVAILABLE: expected all of process instance '.*' to have followed its last migration/,
    );
    await it.engine.settle();
    await it.to(flat);
    await it.to(flat.replace('"c"', '"c" name="other"'));
    await it.engine.settle();
    assert.deepEqual([it.tasks('c').length, it.active('h')], [SIZE, [0, 0]]);
    it.assertReplays();
  });

  it('stays where it is while scopes come and go around all of it', async () => {
    const bare = line(['a', 'z'], task('a', multi) + behind);
    const around = line(['h', 'z'], sub('h', ['a'], task('a', multi)) + behind);
    const it = await moving(bare);
    await it.to(around);
    it.assertReplays();
    await it.complete(it.tasks('a')[30]);
    await it.engine.settle();
    assert.deepEqual(
      [it.active('h'), it.active('a')],
      [
        [1, 1],
        [SIZE - 1, 1],
      ],
    );
    await it.to(bare);
    await it.engine.settle();
    for (const one of it.tasks('a')) await it.complete(one);
    assert.deepEqual([it.tasks('z').length, it.engine.all(instanceParts).length], [1, 0]);
    it.assertReplays();
  });

  it('keeps large scopes that are in it, around which others come and go', async () => {
    // Two of the instances of g have a large scope of their own.
    const inner = times('${loopCounter &lt; 2 ? 55 : 1}');
    const nested = line(['g', 'z'], sub('g', ['c'], task('c', inner), multi) + behind);
    const around = line(['g', 'z'], sub('g', ['h'], sub('h', ['c'], task('c', inner)), multi) + behind);
    const it = await moving(nested);
    const all = 2 * 55 + SIZE - 2;
    assert.deepEqual([it.tasks('c').length, it.engine.all(instanceParts).length], [all, SIZE + 110]);
    const single = nested.replace(inner, '');
    assert.match(
      await refusalOf(it.to(single)),
      /^CONFLICT: .*'c' not to be taken away while there are so many tokens in it/,
    );
    await it.to(around);
    await it.complete(it.tasks('c')[60]);
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual([it.active('h')[0], it.active('c')[0]], [SIZE, all - 1]);
    it.assertReplays();
    await it.to(nested);
    await it.engine.settle();
    assert.deepEqual([it.active('h')[0], it.active('c')[0]], [0, all - 1]);
    for (const one of it.tasks('c')) await it.complete(one);
    assert.deepEqual([it.tasks('z').length, it.engine.all(instanceParts).length], [1, 0]);
    it.assertReplays();
  });

  it('is refused where it would leave a large scope within what rests', async () => {
    const many = element('task', 'm', { completionQuantity: '70' });
    const within = await moving(line(['g', 'z'], sub('g', ['m', 'c'], many + task('c'), multi) + behind));
    assert.match(
      await refusalOf(
        within.to(line(['g', 'z'], sub('g', ['m', 'h'], many + sub('h', ['c'], task('c')), multi) + behind)),
      ),
      /^CONFLICT: .*expected what is directly around 'c' to stay while so many tokens are in it/,
    );
    assert.equal(within.state, 'active');
  }).timeout(60_000);

  it('is refused where something may have completed in it that is compensated elsewhere then', async () => {
    const undone = (id: string) =>
      `${element('boundaryEvent', 'undo', { attachedToRef: id }, '<bpmn:compensateEventDefinition/>')}
      ${element('userTask', 'undoing', { isForCompensation: 'true' })}
      <bpmn:association id="by" sourceRef="undo" targetRef="undoing" associationDirection="One"/>`;
    const pair = task('b') + task('c') + undone('b');
    const it = await moving(line(['g', 'z'], sub('g', ['b', 'c'], pair, multi) + behind));
    assert.match(
      await refusalOf(it.to(line(['g', 'z'], sub('g', ['h'], sub('h', ['b', 'c'], pair), multi) + behind))),
      /^CONFLICT: .*'b', which may have completed and be compensated/,
    );
  });
});
