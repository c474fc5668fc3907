import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createActor } from 'xstate';
import { tasks } from '../../../src/engine/collections.js';
import { type UserTaskEvent, userTaskMachine } from '../../../src/engine/machine/user-task.js';
import { type ActorOf, accepts, snapshotOf, start, step } from '../../../src/store/index.js';
import { moved } from '../../support/actor.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

type TaskActor = ActorOf<typeof userTaskMachine>;

const users = fc.constantFrom('ann', 'bob', 'carl');
const named = (type: 'claim' | 'assign' | 'delegate') => fc.record({ type: fc.constant(type), userId: users });
const plain = (type: 'unclaim' | 'resolve' | 'complete' | 'setVariables' | 'cancel') => fc.constant({ type });
const events = fc.oneof(
  named('claim'),
  named('assign'),
  named('delegate'),
  plain('unclaim'),
  plain('resolve'),
  plain('setVariables'),
  plain('complete'),
  plain('cancel'),
) as fc.Arbitrary<UserTaskEvent>;

const given = (...sequence: UserTaskEvent[]): TaskActor =>
  sequence.reduce<TaskActor>(
    (actor, event) => moved(userTaskMachine, actor, event) ?? actor,
    start(userTaskMachine, { assignee: null, owner: null }),
  );

describe('the user task machine', () => {
  it('says what each state accepts, where there is something to do', () => {
    const offers = (...sequence: UserTaskEvent[]) => accepts(userTaskMachine, given(...sequence)).sort();
    const held = ['assign', 'cancel', 'change', 'complete', 'delegate', 'setVariables', 'unclaim'];
    const delegate = { type: 'delegate', userId: 'bob' } as const;
    assert.deepEqual(offers(), ['assign', 'cancel', 'change', 'claim', 'complete', 'delegate', 'setVariables']);
    assert.deepEqual(offers({ type: 'claim', userId: 'ann' }), held);
    assert.deepEqual(offers(delegate), held.map((type) => (type === 'complete' ? 'resolve' : type)).sort());
    assert.deepEqual(offers(delegate, { type: 'resolve' }), [...held, 'claim'].sort());
    assert.deepEqual(offers({ type: 'complete' }), []);
  });

  const causes = (actor: TaskActor, event: UserTaskEvent) =>
    step(userTaskMachine, actor, event)[1].map(({ type }) => type);
  const heldBy = (value: TaskActor['value'], assignee: string | null, owner: string | null = null): TaskActor => ({
    value,
    context: { assignee, owner },
  });

  for (const [what, actor, event, caused] of [
    ['is claimed', heldBy('created', null), { type: 'claim', userId: 'ann' }, ['store', 'tellAssigned']],
    ['is claimed by its assignee', heldBy('assigned', 'ann'), { type: 'claim', userId: 'ann' }, []],
    ['is taken from nobody', heldBy('created', null), { type: 'unclaim' }, []],
    ['is taken from somebody', heldBy('assigned', 'ann'), { type: 'unclaim' }, ['store', 'tellUpdated']],
    ['is given to another', heldBy('assigned', 'ann'), { type: 'assign', userId: 'bob' }, ['store', 'tellAssigned']],
    ['is given to its assignee', heldBy('assigned', 'ann'), { type: 'assign', userId: 'ann' }, []],
    ['came back and is kept', heldBy('resolved', 'ann'), { type: 'assign', userId: 'ann' }, ['store', 'tellUpdated']],
    ['is delegated', heldBy('assigned', 'ann'), { type: 'delegate', userId: 'bob' }, ['store', 'tellAssigned']],
    [
      'is delegated to its assignee',
      heldBy('assigned', 'ann'),
      { type: 'delegate', userId: 'ann' },
      ['store', 'tellUpdated'],
    ],
    ['is delegated to its delegate', heldBy('delegated', 'bob', 'ann'), { type: 'delegate', userId: 'bob' }, []],
    ['returns to its owner', heldBy('delegated', 'bob', 'ann'), { type: 'resolve' }, ['store', 'tellAssigned']],
    ['returns to nobody', heldBy('delegated', 'bob'), { type: 'resolve' }, ['store', 'tellUpdated']],
    ['is completed', heldBy('assigned', 'ann'), { type: 'complete' }, ['remove', 'tellCompleted']],
    ['is cancelled', heldBy('delegated', 'bob', 'ann'), { type: 'cancel' }, ['remove', 'tellDeleted']],
  ] as const satisfies [string, TaskActor, UserTaskEvent, string[]][]) {
    it(`says what it causes that a task ${what}: ${caused.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(causes(actor, event), caused));
  }

  it('lets a task that came back to nobody be claimed, and none that somebody holds', () => {
    const claim = (actor: TaskActor) => moved(userTaskMachine, actor, { type: 'claim', userId: 'ann' });
    assert.deepEqual(claim(heldBy('resolved', null)), heldBy('assigned', 'ann'));
    for (const state of ['assigned', 'delegated', 'resolved'] as const) {
      assert.equal(claim(heldBy(state, 'bob')), undefined);
      assert.deepEqual(claim(heldBy(state, 'ann')), heldBy(state, 'ann'));
    }
  });

  it('takes what a listener says of its holders, whatever its state', () => {
    const change = (actor: TaskActor, userId: string | null) =>
      step(userTaskMachine, actor, { type: 'change', userId, owner: 'carl' });
    const told = (name: string) => [{ type: 'store' }, { type: name }];
    for (const nobody of [null, '']) {
      assert.deepEqual(change(heldBy('assigned', 'ann'), nobody), [
        heldBy('created', null, 'carl'),
        told('tellUpdated'),
      ]);
    }
    assert.deepEqual(change(heldBy('created', null), null), [heldBy('created', null, 'carl'), told('tellUpdated')]);
    assert.deepEqual(change(heldBy('assigned', 'ann'), 'ann'), [
      heldBy('assigned', 'ann', 'carl'),
      told('tellUpdated'),
    ]);
    for (const [before, then] of [
      ['created', 'assigned'],
      ['assigned', 'assigned'],
      ['delegated', 'delegated'],
      ['resolved', 'assigned'],
    ] as const) {
      const holder = before === 'created' ? null : 'ann';
      assert.deepEqual(change(heldBy(before, holder), 'bob'), [heldBy(then, 'bob', 'carl'), told('tellAssigned')]);
    }
  });

  it('keeps state and holders consistent, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
        let actor = start(userTaskMachine, { assignee: null, owner: null });
        for (const event of sequence) {
          const next = moved(userTaskMachine, actor, event);
          const ended = actor.value === 'completed' || actor.value === 'cancelled';
          if (ended) assert.equal(next, undefined);
          if (event.type === 'complete' && actor.value === 'delegated') assert.equal(next, undefined);
          if (event.type === 'claim' && next !== undefined) assert.equal(next.context.assignee, event.userId);
          if (event.type === 'claim' && ![null, event.userId].includes(actor.context.assignee))
            assert.equal(next, undefined);
          actor = next ?? actor;
          if (actor.value === 'created') assert.equal(actor.context.assignee, null);
          if (actor.value === 'assigned' || actor.value === 'delegated') assert.notEqual(actor.context.assignee, null);
          if (actor.value === 'resolved') assert.equal(actor.context.assignee, actor.context.owner);
        }
      }),
    );
  });

  it('restores in createActor from every stored state', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 10 }), (sequence) => {
        const actor = given(...sequence);
        const restored = createActor(userTaskMachine, {
          snapshot: JSON.parse(JSON.stringify(snapshotOf(userTaskMachine, actor))),
        }).getSnapshot();
        assert.deepEqual(
          [restored.value, restored.context, restored.status],
          [actor.value, actor.context, snapshotOf(userTaskMachine, actor).status],
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('a task document', () => {
  const assignment = fc.oneof(
    fc.record({ name: fc.constant('claimTask' as const), user: users }),
    fc.record({ name: fc.constant('unclaimTask' as const), user: users }),
    fc.record({ name: fc.constant('assignTask' as const), user: users, to: users }),
    fc.record({ name: fc.constant('delegateTask' as const), user: users, to: users }),
    fc.record({ name: fc.constant('resolveTask' as const), user: users }),
    fc.record({ name: fc.constant('completeTask' as const), user: users }),
  );

  it('is what its machine says, for any sequence of operations: open with events of every change, or gone with its instance ended', async () => {
    const deployed = bpmn(line(['work'], element('userTask', 'work')));
    await fc.assert(
      fc.asyncProperty(fc.array(assignment, { maxLength: 15 }), async (sequence) => {
        const engine = new EngineHarness();
        await engine.deploy(deployed);
        const id = await engine.start({}, ann);
        const taskId = engine.task().id;
        for (const { name, ...who } of sequence) {
          const before = engine.get(tasks, taskId);
          const seen = engine.events.length;
          const caller = { ...admin, userId: who.user };
          const input = { taskId, assignee: 'to' in who ? who.to : '' };
          const refused = await engine.run<typeof input, unknown>(engine.api[name], input, caller).then(
            () => false,
            () => true,
          );
          const after = engine.get(tasks, taskId);
          if (refused) assert.deepEqual([after, engine.events.length], [before, seen]);
          else if (name === 'completeTask') assert.equal(after, undefined);
          else assert.equal(engine.events.length > seen, JSON.stringify(before) !== JSON.stringify(after));
          assert.equal(engine.instance(id).endTime === null, after !== undefined);
        }
      }),
      { numRuns: 40 },
    );
  }).timeout(60_000);
});
