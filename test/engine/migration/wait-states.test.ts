import assert from 'node:assert/strict';
import type { Listener, Program } from '../../../src/engine/model/program.js';
import { type Instance, instance, NOW } from '../../support/instance.js';
import {
  adHoc,
  anyOf,
  boundary,
  catching,
  compensate,
  condition,
  type ElementSpec,
  eventSubProcess,
  gateway,
  handled,
  listener,
  message,
  multi,
  program,
  service,
  signal,
  start,
  subProcess,
  task,
  throwing,
  timer,
  together,
  userTask,
  when,
} from '../../support/program.js';

const HOUR = 3_600_000;
type Elements = Readonly<Record<string, ElementSpec>>;

/** The process with an element before all others, so that each has another position, and a task behind. */
const of = (elements: Elements, flows: readonly string[]): Program => program({ s: start(), ...elements }, flows);
const shifted = (elements: Elements, flows: readonly string[]): Program =>
  program({ z: task(), s: start(), ...elements }, flows);

/** Migrates to the same model with other positions; nothing is left loose. */
function moved(elements: Elements, flows: readonly string[], before: (it: Instance) => Instance): Instance {
  const it = before(instance(of(elements, flows), { handlers: { work: 'call' } }));
  const { active, trail } = it;
  it.migrate(shifted(elements, flows));
  assert.deepEqual([it.active, it.trail, it.loose], [active, trail, []]);
  return it;
}

const wait = (spec: ElementSpec): Elements => ({ a: spec, b: userTask() });
const LINE = ['s -> a', 'a -> b'];
const start1 =
  (variables = {}) =>
  (it: Instance) =>
    it.start(variables);

describe('an instance that migrates goes on where it waits', () => {
  it('at a user task, with its timeout listeners', () => {
    const timeout = {
      ...listener('timeout', '${null}', 'task'),
      timer: { kind: 'timer', timer: 'duration', text: 'PT1H' } as const,
    };
    const it = moved(
      wait(userTask({}, { listeners: [listener('create', '${null}', 'task'), timeout] })),
      LINE,
      start1(),
    );
    assert.deepEqual(it.complete('a').active, ['b']);
    assert.deepEqual([...it.jobs], []);
  });

  it('at a user task whose timeout listener is told at another time, where that is said', () => {
    const told = (text: string) => {
      const timeout = {
        ...listener('timeout', '${null}', 'task'),
        timer: { kind: 'timer', timer: 'duration', text } as const,
      };
      return wait(userTask({}, { listeners: [timeout] }));
    };
    const it = instance(of(told('PT1H'), LINE)).start();
    const { id } = it.job('a');
    it.migrate(shifted(told('PT3H'), LINE), { updateEventTriggers: true });
    assert.deepEqual([it.job('a').id, it.job('a').dueAt, it.loose], [id, NOW + 3 * HOUR, []]);
  });

  it('at a user task, with the timeout listeners of the same ids; new ones are told from now on', () => {
    const timeout = (id: string, text: string) => ({
      ...{ ...listener('timeout', `\${${id} = 1}`, 'task'), id },
      timer: { kind: 'timer', timer: 'duration', text } as const,
    });
    const task = (...listeners: Listener[]) => wait(userTask({}, { listeners }));
    const it = instance(of(task(timeout('kind', 'PT1H'), timeout('gone', 'PT9H')), LINE)).start();
    const [kind] = [...it.jobs.values()];
    it.migrate(shifted(task(timeout('hard', 'PT2H'), timeout('kind', 'PT1H')), LINE));
    const jobs = [...it.jobs.values()].map(({ id, dueAt }) => [id === kind?.id, dueAt]);
    assert.deepEqual(jobs, [
      [true, NOW + HOUR],
      [false, NOW + 2 * HOUR],
    ]);
    assert.deepEqual(it.loose, []);
  });

  it('at a timer, and at a message or a signal', () => {
    assert.deepEqual(moved(wait(catching(timer('duration', 'PT1H'))), LINE, start1()).fire('a').active, ['b']);
    assert.deepEqual(moved(wait(catching(message('x'))), LINE, start1()).trigger('a').active, ['b']);
    assert.deepEqual(moved(wait(catching(signal('x'))), LINE, start1()).trigger('a').active, ['b']);
    assert.deepEqual(moved(wait({ type: 'receiveTask' }), LINE, start1()).trigger('a').active, ['b']);
  });

  it('at a condition, which is the new one', () => {
    const it = instance(of(wait(catching(condition('${x == 1}'))), LINE)).start({ x: 0 });
    it.migrate(shifted(wait(catching(condition('${x == 2}'))), LINE));
    const set = (x: number) =>
      it.give({
        type: 'setVariables',
        tokenId: null,
        local: false,
        variables: { x: { type: 'Integer', value: x } },
        removed: [],
      });
    assert.deepEqual(set(1).active, ['a']);
    assert.deepEqual(set(2).active, ['b']);
  });

  it('at a condition that holds at once in the new program', () => {
    const it = instance(of(wait(catching(condition('${x == 1}'))), LINE)).start({ x: 0 });
    assert.deepEqual(it.migrate(shifted(wait(catching(condition('${x == 0}'))), LINE)).active, ['b']);
  });

  it('at the call of a handler', () => {
    assert.deepEqual(moved(wait(handled('work')), LINE, start1()).done('a').active, ['b']);
  });

  it('at an external task', () => {
    const external = {
      kind: 'handler',
      name: 'topic',
      resultVariable: null,
      fields: {},
      external: { priority: null },
    } as const;
    const it = moved(wait({ type: 'serviceTask', work: external }), LINE, start1());
    const [taskId = ''] = it.external;
    it.give({ type: 'completeExternalTask', taskId, variables: {}, localVariables: {} });
    assert.deepEqual([it.active, it.loose], [['b'], []]);
  });

  it('at a called process', () => {
    const call = {
      process: 'other',
      binding: 'latest',
      version: null,
      businessKey: null,
      inputs: [],
      outputs: [],
    } as const;
    const it = moved(wait({ type: 'callActivity', call: call as never }), LINE, start1());
    const { id: calledId } = it.job('a');
    it.jobs.clear();
    it.give({ type: 'calledEnded', calledId, outcome: 'completed', error: null, steps: 0, variables: {} });
    assert.deepEqual(it.active, ['b']);
  });

  it('before and after an activity, in a transaction of its own', () => {
    assert.deepEqual(moved(wait(task({ asyncBefore: true })), LINE, start1()).fire('a').active, ['b']);
    assert.deepEqual(moved(wait(task({ asyncAfter: true })), LINE, start1()).fire('a').active, ['b']);
  });

  it('by another flow, where the one that was chosen is not there any more, but only one is', () => {
    const it = instance(of(wait(task({ asyncAfter: true })), LINE)).start();
    it.migrate(shifted({ a: task({ asyncAfter: true }), c: userTask() }, ['s -> a', 'a -> c']));
    assert.deepEqual(it.fire('a').active, ['c']);
  });

  it('where the run was cut', () => {
    const elements: Elements = { f: gateway('parallel'), a: task(), b: userTask(), c: userTask() };
    const flows = ['s -> f', 'f -> a', 'f -> c', 'a -> b'];
    let left = 2;
    const it = instance(of(elements, flows), { stepsLeft: () => left }).start();
    assert.deepEqual(it.active, ['a', 'c']);
    it.migrate(shifted(elements, flows));
    left = 100;
    assert.deepEqual([it.loose, it.fire('a').active], [[], ['b', 'c']]);
  });

  it('at a gateway that joins, though its flows have other ids', () => {
    const elements: Elements = {
      f: gateway('parallel'),
      a: userTask(),
      b: userTask(),
      j: gateway('parallel'),
      x: userTask(),
    };
    const flows = ['s -> f', 'f -> a', 'f -> b', 'a -> j', 'b -> j', 'j -> x'];
    assert.deepEqual(moved(elements, flows, (it) => it.start().complete('a')).complete('b').active, ['x']);
    const it = instance(of(elements, flows)).start().complete('a');
    const more = { ...elements, c: task() };
    it.migrate(shifted(more, ['s -> f', 'f -> a', 'f -> b', 'a -> c', 'c -> j', 'b -> j', 'j -> x']));
    assert.deepEqual(it.complete('b').active, ['x']);
  });

  it('at an inclusive gateway', () => {
    const elements: Elements = {
      f: gateway('inclusive'),
      a: userTask(),
      b: userTask(),
      j: gateway('inclusive'),
      x: userTask(),
    };
    const flows = ['s -> f', 'f -> a : ${true}', 'f -> b : ${true}', 'a -> j', 'b -> j', 'j -> x'];
    assert.deepEqual(moved(elements, flows, (it) => it.start().complete('a')).complete('b').active, ['x']);
  });

  it('at a complex gateway, before and after it has gone on', () => {
    const elements: Elements = {
      f: gateway('parallel'),
      ...{ a: userTask(), b: userTask(), c: userTask(), x: userTask() },
      g: { ...gateway('complex'), activationCondition: when('${activationCount >= 2}') },
    };
    const flows = ['s -> f', 'f -> a', 'f -> b', 'f -> c', 'a -> g', 'b -> g', 'c -> g', 'g -> x'];
    const before = moved(elements, flows, (it) => it.start().complete('a')).complete('b');
    assert.deepEqual(before.active.sort(), ['c', 'x']);
    const after = moved(elements, flows, (it) => it.start().complete('a').complete('b'))
      .complete('c')
      .complete('x');
    assert.ok(after.isCompleted);
  });

  it('in an ad-hoc sub-process, from which more can be chosen', () => {
    const elements: Elements = {
      h: adHoc(),
      a: userTask({}, { in: 'h' }),
      b: userTask({}, { in: 'h' }),
      u: userTask(),
    };
    const it = moved(elements, ['s -> h', 'h -> u'], (one) => one.start().choose('a'));
    assert.deepEqual(it.choose('b').active, ['h', 'a', 'b']);
    assert.deepEqual(it.complete('a').complete('b').active, ['u']);
  });

  it('at an event-based gateway: kept, gone and new events', () => {
    const elements: Elements = {
      g: gateway('eventBased'),
      a: catching(message('x')),
      b: catching(timer('duration', 'PT1H')),
      u: userTask(),
    };
    const flows = ['s -> g', 'g -> a', 'g -> b', 'a -> u', 'b -> u'];
    assert.deepEqual(moved(elements, flows, start1()).trigger('a').active, ['u']);
    const it = instance(of(elements, flows)).start();
    it.migrate(
      shifted({ ...elements, c: catching(signal('y')) }, ['s -> g', 'g -> a', 'g -> c', 'a -> u', 'c -> u', 's -> b']),
    );
    assert.deepEqual([it.loose, [...it.jobs]], [[], []]);
    assert.deepEqual(it.trigger('c').active, ['u']);
  });

  it('at events of several definitions, of which some have come', () => {
    const any = moved(wait(catching(anyOf(message('x'), signal('y')))), LINE, start1());
    const [first] = any.subscriptions.values();
    any.give({ type: 'trigger', subscriptionId: first?.id ?? '', variables: {} });
    assert.deepEqual([any.active, any.loose], [['b'], []]);
    const both = moved(wait(catching(together(message('x'), signal('y')))), LINE, (it) => it.start().trigger('a'));
    assert.deepEqual(both.trigger('a').active, ['b']);
  });

  it('in sub-processes with variables of their own', () => {
    const io = { inputs: [{ name: 'own', value: { kind: 'expression', text: '${1}' } as const }], outputs: [] };
    const elements: Elements = {
      p: subProcess({ io }),
      ps: start({ in: 'p' }),
      a: userTask({}, { in: 'p' }),
      c: service('${own}', 'seen', { in: 'p' }),
      b: userTask(),
    };
    const it = moved(elements, ['s -> p', 'ps -> a', 'a -> c', 'p -> b'], start1());
    assert.deepEqual(it.complete('a').active, ['b']);
    assert.equal(it.variables.seen, 1);
  });

  it('in each instance of a loop', () => {
    for (const sequential of [false, true]) {
      const loop = multi('list', { sequential, elementVariable: 'item', output: { list: 'out', item: 'item' } });
      const it = moved(wait(userTask({}, { loop })), LINE, (one) => one.start({ list: ['x', 'y', 'z'] }).complete('a'));
      assert.deepEqual(it.complete('a').complete('a').active, ['b']);
      assert.deepEqual(it.variables.out, ['x', 'y', 'z']);
    }
    const standard = moved(
      wait(userTask({}, { loop: { kind: 'standard', testBefore: false, maximum: 2, condition: null } })),
      LINE,
      start1(),
    );
    assert.deepEqual(standard.complete('a').complete('a').active, ['b']);
  });

  it('with what can be compensated, and while it is', () => {
    const logs = (id: string, more: Partial<ElementSpec> = {}) =>
      service(`\${execution.setVariable('log', log.concat(' ${id}'))}`, null, more);
    const elements: Elements = {
      a: logs('a', { undo: 'ha' }),
      ha: userTask({}, { isForCompensation: true }),
      p: subProcess(),
      ps: start({ in: 'p' }),
      c: logs('c', { in: 'p', undo: 'hc' }),
      hc: logs('hc', { in: 'p', isForCompensation: true }),
      u: userTask(),
      t: throwing(compensate()),
      b: userTask(),
    };
    const flows = ['s -> a', 'a -> p', 'ps -> c', 'p -> u', 'u -> t', 't -> b'];
    const before = moved(elements, flows, start1({ log: '' })).complete('u');
    assert.deepEqual([before.variables.log, before.active], [' a c hc', ['t', 'ha']]);
    const during = moved(elements, flows, (it) => it.start({ log: '' }).complete('u')).complete('ha');
    assert.deepEqual([during.variables.log, during.active], [' a c hc', ['b']]);
  });

  describe('with what can be compensated by the event to which its own one goes, in the scope that it could be', () => {
    const undone = (scope: { in?: string }): Elements => ({
      a: userTask({}, { undo: 'h', ...scope }),
      c: boundary('a', compensate(), false, scope),
      h: userTask({}, { isForCompensation: true, ...scope }),
      u: userTask(),
      t: throwing(compensate()),
      b: userTask(),
    });
    const plain = of(undone({}), ['s -> a', 'a -> u', 'u -> t', 't -> b']);
    const within = (...around: string[]) => {
      const inner = around.at(-1) ?? '';
      const subs = around.map((id, at) => [id, subProcess(at === 0 ? {} : { in: around[at - 1] as string })]);
      const starts = around.map((id) => [`${id}s`, start({ in: id })]);
      const begins = around.slice(1).map((id, at) => `${around[at]}s -> ${id}`);
      const elements = { ...Object.fromEntries([...subs, ...starts]), ...undone({ in: inner }) };
      return of(elements, [`s -> ${around[0]}`, ...begins, `${inner}s -> a`, `${around[0]} -> u`, 'u -> t', 't -> b']);
    };
    const only = (...ids: string[]) => ({
      mapEqualActivities: false,
      instructions: ids.map((id) => ({ sourceActivityIds: [id], targetActivityIds: [id] })),
    });
    const ends = (source: Program, target: Program, ...ids: string[]) => {
      const it = instance(source).start().complete('a');
      it.migrate(target, only('u', 'c', ...ids));
      const { active } = it.complete('u');
      assert.deepEqual([active, it.complete('h').active, it.state.scopes.length], [['t', 'h'], ['b'], 1]);
    };

    it('though its activity has no instruction', () => ends(plain, plain));
    it('where scopes are added around it', () => ends(plain, within('p', 'q')));
    it('where the scopes that completed with it are taken away', () => ends(within('p', 'q'), plain));
    it('where some of them are, and others come', () => {
      ends(within('p', 'q'), within('q'), 'q');
      ends(within('q'), within('p', 'q'), 'q');
      ends(within('p', 'q'), within('r', 'q'), 'q');
    });
  });

  it('without what can be compensated no more', () => {
    const elements = {
      a: service('${1}', null, { undo: 'h' }),
      h: task({ isForCompensation: true }),
      u: userTask(),
      t: throwing(compensate()),
      b: userTask(),
    };
    const flows = ['s -> a', 'a -> u', 'u -> t', 't -> b'];
    const it = instance(of(elements, flows)).start();
    it.migrate(shifted({ a: service('${1}'), u: userTask(), t: throwing(compensate()), b: userTask() }, flows));
    assert.deepEqual(it.complete('u').active, ['b']);
  });

  it('in an event sub-process', () => {
    const elements: Elements = {
      a: userTask(),
      x: eventSubProcess(),
      xs: start({ in: 'x', event: signal('now'), interrupting: true }),
      u: userTask({}, { in: 'x' }),
    };
    const it = moved(elements, ['s -> a', 'xs -> u'], (one) => one.start().trigger('xs'));
    assert.equal(it.complete('u').isCompleted, true);
  });
});

describe('events of an activity that migrates', () => {
  const hour = timer('duration', 'PT1H');
  const guarded = (events: Elements): Elements => ({ a: userTask(), ...events, b: userTask() });

  it('are kept, awaited no more, or awaited from now on', () => {
    const it = instance(
      of(guarded({ t: boundary('a', hour), m: boundary('a', message('x')) }), ['t -> b', 'm -> b', ...LINE]),
    );
    it.start();
    it.now += HOUR / 2;
    it.migrate(
      shifted(guarded({ t: boundary('a', hour), g: boundary('a', signal('y')) }), ['t -> b', 'g -> b', ...LINE]),
    );
    assert.deepEqual([it.loose, it.job('t').dueAt], [[], NOW + HOUR]);
    assert.equal(it.subscription('g').eventName, 'y');
    assert.deepEqual(it.trigger('g').active, ['b']);
    assert.deepEqual([it.loose, [...it.jobs]], [[], []]);
  });

  it('are awaited anew where that is said: from now on, under the new name', () => {
    const before = { t: boundary('a', hour), m: boundary('a', message('x')), w: boundary('a', message('w')) };
    const after = {
      t: boundary('a', timer('duration', 'PT2H')),
      m: boundary('a', message('${name}')),
      w: boundary('a', message('v')),
    };
    const flows = ['t -> b', 'm -> b', 'w -> b', ...LINE];
    const it = instance(of(guarded(before), flows)).start({ name: 'new' });
    const ids = () => [it.job('t').id, it.subscription('m').id];
    const former = ids();
    it.now += HOUR / 2;
    const anew = (id: string) => ({ sourceActivityIds: [id], targetActivityIds: [id], updateEventTrigger: true });
    it.migrate(shifted(guarded(after), flows), { instructions: [anew('t'), anew('m')] });
    assert.deepEqual(
      [it.job('t').dueAt, it.subscription('m').eventName, it.subscription('w').eventName],
      [NOW + 2.5 * HOUR, 'new', 'w'],
    );
    assert.deepEqual(ids(), former);
    assert.deepEqual(it.loose, []);
    assert.deepEqual(it.trigger('m').active, ['b']);
  });

  it('which have happened and come but once are not awaited once more', () => {
    const events = guarded({ t: boundary('a', hour, false) });
    const it = moved(events, ['t -> b', ...LINE], (one) => one.start().fire('t'));
    assert.deepEqual([...it.jobs], []);
  });

  it('go on in the cycle that they have begun', () => {
    const events = guarded({ t: boundary('a', timer('cycle', 'R3/PT1H'), false) });
    const it = moved(events, ['t -> b', ...LINE], (one) => one.start().fire('t'));
    it.fire('t').fire('t');
    assert.deepEqual([it.active, [...it.jobs]], [['a', 'b'], []]);
  });

  it('of a catch event itself wait anew where that is said', () => {
    const it = instance(of(wait(catching(hour)), LINE)).start();
    it.migrate(shifted(wait(catching(timer('duration', 'PT3H'))), LINE), { updateEventTriggers: true });
    assert.deepEqual([it.job('a').dueAt, it.loose], [NOW + 3 * HOUR, []]);
    const named = instance(of(wait({ type: 'receiveTask' }), LINE)).start();
    const renamed = program({ s: start(), r: { type: 'receiveTask' }, b: userTask() }, ['s -> r', 'r -> b']);
    named.migrate(renamed, {
      instructions: [{ sourceActivityIds: ['a'], targetActivityIds: ['r'], updateEventTrigger: true }],
    });
    assert.deepEqual([named.subscription('r').eventName, named.trigger('r').active], ['r', ['b']]);
  });

  it('begin event sub-processes: kept, gone and new ones', () => {
    const sub = (id: string, name: string): Elements => ({
      [id]: eventSubProcess(),
      [`${id}s`]: start({ in: id, event: signal(name), interrupting: true }),
      [`${id}u`]: userTask({}, { in: id }),
    });
    const flows = ['s -> a', 'xs -> xu', 'ys -> yu'];
    const it = instance(of({ a: userTask(), ...sub('x', 'x'), ...sub('y', 'y') }, flows)).start();
    it.migrate(shifted({ a: userTask(), ...sub('x', 'x'), ...sub('w', 'w') }, ['s -> a', 'xs -> xu', 'ws -> wu']));
    assert.deepEqual([it.loose, [...it.subscriptions.values()].map(({ eventName }) => eventName)], [[], ['x', 'w']]);
    assert.deepEqual(it.trigger('ws').active, ['wu']);
    assert.equal(it.complete('wu').isCompleted, true);
  });
});

describe('scopes of an instance that migrates', () => {
  const inP = (more: ElementSpec): ElementSpec => ({ ...more, in: 'p' });
  const tells = (id: string) => [
    listener('start', `\${execution.setVariable('log', log.concat(' +${id}'))}`),
    listener('end', `\${execution.setVariable('log', log.concat(' -${id}'))}`),
  ];
  const flat: Elements = { f: gateway('parallel'), a: userTask(), b: userTask(), c: userTask() };
  const flatFlows = ['s -> f', 'f -> a', 'f -> b', 'a -> c'];
  const io = {
    inputs: [{ name: 'own', value: { kind: 'expression', text: '${base}' } as const }],
    outputs: [{ name: 'given', value: { kind: 'expression', text: '${own}' } as const }],
  };
  const nested: Elements = {
    p: subProcess({ listeners: tells('p'), io }),
    ps: inP(start()),
    a: inP(userTask()),
    b: inP(userTask()),
    t: boundary('p', timer('duration', 'PT1H')),
    c: userTask(),
    f: gateway('parallel'),
  };
  const nestedFlows = ['s -> f', 'f -> p', 'ps -> a', 'p -> c', 't -> c'];

  it('are added around what migrates into them, one for all that was together', () => {
    const it = instance(of(flat, flatFlows)).start({ log: '', base: 1 });
    it.migrate(shifted(nested, nestedFlows));
    assert.deepEqual([it.active, it.loose, it.variables.log], [['a', 'b'], [], ' +p']);
    assert.equal(it.trail.filter((id) => id.startsWith('p')).length, 1);
    it.complete('a');
    assert.deepEqual(it.active, ['b']);
    assert.deepEqual(it.complete('b').active, ['c']);
    assert.deepEqual([it.variables.given, it.variables.log, [...it.jobs]], [1, ' +p -p', []]);
  });

  it('are taken away from around what stays, with what they wait for and their variables', () => {
    const it = instance(of(nested, ['s -> p', 'ps -> a', 'p -> c', 't -> c'])).start({ log: '', base: 2 });
    it.migrate(shifted(flat, flatFlows));
    assert.deepEqual([it.active, it.loose, it.variables.log, it.variables.given], [['a'], [], ' +p -p', 2]);
    assert.equal(it.state.scopes.length, 1);
    assert.ok(it.trail.includes('p!'));
    assert.deepEqual(it.complete('a').active, ['c']);
  });

  it('are passed over by listeners and mappings where that is said', () => {
    const more = { silent: true, unmapped: true } as const;
    const into = instance(of(flat, flatFlows))
      .start({ log: '', base: 1 })
      .migrate(shifted(nested, nestedFlows), {}, more);
    assert.equal(into.variables.log, '');
    const out = instance(of(nested, ['s -> p', 'ps -> a', 'p -> c', 't -> c'])).start({ log: '', base: 2 });
    out.migrate(shifted(flat, flatFlows), {}, more);
    assert.deepEqual([out.variables.log, out.variables.given], [' +p', undefined]);
  });

  it('see variables that come with the migration', () => {
    const it = instance(of(flat, flatFlows)).start({ log: '' });
    it.migrate(shifted(nested, nestedFlows), {}, { variables: { base: { type: 'Integer', value: 7 } } });
    assert.equal(it.complete('a').complete('b').variables.given, 7);
  });

  it('are exchanged: one is taken away, another one added', () => {
    const around = (id: string): Elements => ({
      [id]: subProcess(),
      [`${id}s`]: start({ in: id }),
      a: userTask({}, { in: id }),
      c: userTask(),
    });
    const it = instance(of(around('p'), ['s -> p', 'ps -> a', 'p -> c'])).start();
    it.migrate(shifted(around('q'), ['s -> q', 'qs -> a', 'q -> c']));
    assert.deepEqual([it.active, it.trail.filter((id) => /^[pq]/.test(id))], [['a'], ['p!', 'ps', 'q?']]);
    assert.deepEqual(it.complete('a').active, ['c']);
  });

  it('of a loop that is taken away leave its instances, which get its events', () => {
    const elements = (spec: ElementSpec): Elements => ({
      a: spec,
      t: boundary('a', timer('duration', 'PT1H')),
      b: userTask(),
    });
    const flows = ['s -> a', 'a -> b', 't -> b'];
    const it = instance(of(elements(userTask({}, { loop: multi(3) })), flows))
      .start()
      .complete('a');
    const instructions = [{ sourceActivityIds: ['a'], targetActivityIds: ['a'] }];
    it.migrate(shifted(elements(userTask()), flows), { instructions });
    assert.deepEqual([it.active, it.loose, it.jobs.size, it.tasks.size], [['a'], [], 2, 2]);
    assert.deepEqual(it.complete('a').active, ['b', 'a']);
    assert.deepEqual([it.fire('t').active, it.loose], [['b'], []]);
  });
});

describe('data of the model, in an instance that migrates,', () => {
  const data = (...names: string[]) => ({ data: names.map((name) => ({ name, type: 'Integer' as const })) });
  const elements = (...names: string[]): Elements => ({
    p: subProcess(data(...names)),
    ps: start({ in: 'p' }),
    a: userTask({}, { in: 'p' }),
    b: userTask(),
  });
  const flows = ['s -> p', 'ps -> a', 'p -> b'];
  const kept = (it: Instance) => it.state.scopes.map(({ variables }) => variables);

  it('begins with no value where only the target declares it, and keeps the value that it has', () => {
    const it = instance(of({ ...elements('n', 'm'), c: userTask({}, { in: 'p' }) }, [...flows, 'ps -> c'])).start();
    it.complete('c', { m: 1 });
    it.migrate(shifted(elements('n', 'm', 'o'), flows));
    const none = { type: 'Null', value: null };
    assert.deepEqual(kept(it), [{}, { n: none, m: { type: 'Integer', value: 1 }, o: none }]);
    it.complete('a', { o: 8, q: 9 });
    assert.deepEqual(it.variables, { q: 9 });
  });

  it('is of the process, too', () => {
    const flat = { a: userTask() };
    const it = instance(of(flat, ['s -> a'])).start({ m: 1 });
    const target = shifted(flat, ['s -> a']);
    const [whole, ...others] = target.elements;
    assert.ok(whole !== undefined);
    it.migrate({ ...target, elements: [{ ...whole, ...data('m', 'o') }, ...others] });
    assert.deepEqual(it.variables, { m: 1, o: null });
  });
});
