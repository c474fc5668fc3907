import assert from 'node:assert/strict';
import { Slots } from '../../../src/store/job/slots.js';

const job = (id: string, exclusive: string | null = null, attempt = 1) => ({ id, exclusive, attempt });

describe('the slots of jobs', () => {
  it('are as many as there are', () => {
    const slots = new Slots(2);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => slots.reserve(job(id))),
      [true, true, false],
    );
    assert.deepEqual([slots.used, slots.left], [2, 0]);
    assert.ok(slots.free('a'));
    assert.deepEqual([slots.used, slots.left], [1, 1]);
    assert.ok(slots.reserve(job('c')));
  });

  it('are one for each job', () => {
    const slots = new Slots(5);
    assert.ok(slots.reserve(job('a')));
    assert.ok(!slots.reserve(job('a', null, 2)));
    assert.deepEqual([slots.holds('a', 1), slots.holds('a', 2), slots.holds('b', 1)], [true, false, false]);
  });

  it('are one at a time for an exclusive name', () => {
    const slots = new Slots(5);
    assert.ok(slots.reserve(job('a', 'one')));
    assert.ok(!slots.reserve(job('b', 'one')));
    assert.ok(slots.reserve(job('c', 'two')));
    assert.ok(slots.free('a'));
    assert.ok(slots.reserve(job('b', 'one')));
  });

  it('are there for the job that another of the same name makes at its end, if no third holds the name', () => {
    const slots = new Slots(5);
    assert.ok(slots.reserve(job('a', 'one')));
    assert.ok(!slots.reserve(job('b', 'one'), 'c'), 'another one is ending');
    assert.ok(slots.reserve(job('b', 'one'), 'a'));
    assert.ok(!slots.reserve(job('c', 'one'), 'b'), 'two hold it');
    assert.ok(slots.free('a'));
    assert.ok(!slots.reserve(job('c', 'one')), 'the one that it made holds it now');
    assert.ok(slots.reserve(job('c', 'one'), 'b'));
  });

  it('are one at a time for those that have but one life left', () => {
    const slots = new Slots(5);
    const lastLife = (id: string) => ({ ...job(id), lastLife: true });
    assert.ok(slots.reserve(lastLife('a')));
    assert.ok(!slots.reserve(lastLife('b')));
    assert.ok(slots.reserve(job('c')));
    assert.ok(slots.free('c'));
    assert.ok(!slots.reserve(lastLife('b')), 'the first one runs yet');
    assert.ok(slots.free('a'));
    assert.ok(slots.reserve(lastLife('b')));
  });

  it('are freed by the attempt that holds them, or a later one', () => {
    const slots = new Slots(5);
    slots.hold(job('a', null, 2));
    assert.deepEqual([slots.free('b'), slots.free('a', 1), slots.used], [false, false, 1]);
    assert.ok(slots.free('a', 2));
    slots.hold(job('a', null, 2));
    assert.ok(slots.free('a', 3));
    slots.hold(job('a', null, 2));
    assert.ok(slots.free('a'));
    assert.ok(!slots.free('a'));
  });

  it('of a job that is set aside are for others, as well as its name; it does not begin once more', () => {
    const slots = new Slots(1);
    slots.hold({ ...job('a', 'one'), lastLife: true });
    slots.setAside('a');
    assert.deepEqual([slots.left, slots.holds('a', 1), slots.reserve(job('a', 'one', 2))], [1, true, false]);
    assert.ok(slots.reserve({ ...job('b', 'one'), lastLife: true }));
    assert.ok(slots.free('a', 1));
    assert.ok(!slots.reserve(job('c', 'one')), 'b has the name still');
  });
});
