import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  adHoc,
  type ElementSpec,
  eventSubProcess,
  gateway,
  program,
  signal,
  start,
  subProcess,
  task,
  userTask,
  when,
} from '../../support/program.js';

const inside = (more: Partial<ElementSpec> = {}) => userTask({}, { in: 'h', ...more });
const votes = (needed: number, before: Readonly<Record<string, ElementSpec>> = {}, names = ['a', 'b', 'c']) =>
  program(
    {
      ...before,
      s: start(),
      f: gateway('parallel'),
      ...Object.fromEntries(names.map((name) => [name, userTask()])),
      g: { ...gateway('complex'), activationCondition: when(`\${activationCount >= ${needed}}`) },
      x: userTask(),
    },
    ['s -> f', ...names.flatMap((name) => [`f -> ${name}`, `${name} -> g`]), 'g -> x'],
  );

describe('an instance that migrates', () => {
  it('goes on in its ad-hoc sub-process: with what is chosen, what is next, and the events in it', () => {
    const cased = (more: Readonly<Record<string, ElementSpec>> = {}) =>
      program(
        {
          ...more,
          s: start(),
          h: adHoc({ sequential: true, first: when('${first}') }),
          a: inside(),
          b: inside(),
          e: eventSubProcess({ in: 'h' }),
          es: start({ in: 'e', event: signal('S'), interrupting: false }),
          i: userTask({}, { in: 'e' }),
          x: userTask(),
        },
        ['s -> h', 'h -> x', 'es -> i'],
      );
    const it = instance(cased()).start({ first: ['a', 'b'] });
    it.migrate(cased({ n: task(), m: task() }));
    assert.deepEqual([it.active, it.loose], [['h', 'a'], []]);
    it.trigger('es').complete('i').complete('a');
    assert.deepEqual(it.complete('b').active, ['x']);
  });

  it('gets an ad-hoc sub-process around it, in which more can be chosen', () => {
    const plain = program({ s: start(), a: userTask(), x: userTask() }, ['s -> a', 'a -> x']);
    const held = program({ s: start(), h: adHoc(), a: inside(), b: inside(), x: userTask() }, ['s -> h', 'h -> x']);
    const it = instance(plain).start().migrate(held);
    assert.deepEqual(
      [it.active.sort(), it.enabled],
      [
        ['a', 'h'],
        ['a', 'b'],
      ],
    );
    it.choose('b').complete('a');
    assert.deepEqual(it.complete('b').active, ['x']);
  });

  it('exchanges a sub-process for an ad-hoc one, for they are not of one kind', () => {
    const around = (h: ElementSpec, flows: readonly string[]) =>
      program({ s: start(), h, hs: start({ in: 'h' }), a: inside() }, ['s -> h', ...flows]);
    const it = instance(around(subProcess(), ['hs -> a'])).start();
    it.migrate(program({ s: start(), h: adHoc(), a: inside() }, ['s -> h']));
    assert.deepEqual([it.trail, it.enabled], [['s', 'h!', 'hs', 'a?', 'h?'], ['a']]);
  });

  it('waits at its complex gateway, for its start and for its reset', () => {
    const it = instance(votes(2)).start().complete('a');
    it.migrate(votes(2, { n: task(), m: task() }));
    assert.deepEqual(it.active, ['g', 'b', 'c']);
    it.complete('c');
    it.migrate(votes(2));
    assert.deepEqual(it.active.sort(), ['b', 'x']);
    it.complete('b').complete('x');
    assert.ok(it.isCompleted);
  });

  it('resets its complex gateway where what it waited for is gone', () => {
    const it = instance(votes(1, {}, ['a', 'b']))
      .start()
      .complete('a');
    it.migrate(votes(1, { n: task() }, ['b', 'a']));
    assert.ok(it.complete('b').complete('x').isCompleted);
  });

  it('goes on at once where its complex gateway has what it needs by the new program', () => {
    const it = instance(votes(3)).start().complete('a').complete('b');
    it.migrate(votes(2));
    assert.deepEqual(it.active.sort(), ['c', 'x']);
  });
});
