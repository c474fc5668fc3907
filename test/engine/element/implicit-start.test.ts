import assert from 'node:assert/strict';
import { bpmn, element, flow } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { programOf, warningsOf } from '../../support/model.js';
import {
  boundary,
  compensate,
  end,
  eventSubProcess,
  gateway,
  listener,
  message,
  multi,
  program,
  start,
  subProcess,
  throwing,
  userTask,
} from '../../support/program.js';

describe('a process without a start event', () => {
  it('begins at each element that no flow leads to, in document order, and is complete when all of them are', () => {
    const it = instance(program({ a: userTask(), b: userTask(), c: userTask() }, ['a -> c'])).start();
    assert.deepEqual(it.trail, ['a?', 'b?']);
    assert.deepEqual(it.complete('a').complete('b').active, ['c']);
    assert.ok(it.complete('c').isCompleted);
  });

  it('begins at gateways, too, and what begins may be joined', () => {
    const model = program(
      { f: gateway('parallel'), a: userTask(), b: userTask(), j: gateway('parallel'), c: userTask() },
      ['f -> a', 'a -> j', 'b -> j', 'j -> c'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.active, ['a', 'b']);
    assert.deepEqual(it.complete('a').complete('b').active, ['c']);
  });

  it('does not begin at boundary events, event sub-processes and compensation handlers', () => {
    const model = program(
      {
        a: userTask({}, { undo: 'h' }),
        b: boundary('a', message('m')),
        late: userTask(),
        h: userTask({}, { isForCompensation: true }),
        u: boundary('a', compensate()),
        e: eventSubProcess(),
        s: start({ in: 'e', event: message('n'), interrupting: false }),
        t: throwing(compensate()),
        z: end(),
      },
      ['b -> late', 'a -> t', 't -> z'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.active, ['a']);
    assert.deepEqual(it.complete('a').active, ['t', 'h']);
    assert.ok(it.complete('h').isCompleted);
  });

  it('tells its listeners once', () => {
    const note = (event: string, word: string) =>
      listener(event, `\${execution.setVariable("log", log.concat("${word}"))}`);
    const model = program(
      { a: userTask({}, { listeners: [note('start', 'a')] }), b: userTask({}, { listeners: [note('start', 'b')] }) },
      [],
      {
        process: [note('start', '['), note('end', ']')],
      },
    );
    const it = instance(model).start({ log: '' });
    assert.deepEqual(it.variables, { log: '[ab' });
    assert.deepEqual(it.complete('a').complete('b').variables, { log: '[ab]' });
  });

  it('tells its listeners behind the asyncBefore of all that it begins at', () => {
    const model = program({ a: userTask({}, { asyncBefore: true }), b: userTask({}, { asyncBefore: true }) }, [], {
      process: [listener('start', '${execution.setVariable("told", told + 1)}')],
    });
    const it = instance(model).start({ told: 0 });
    assert.deepEqual(it.variables, { told: 0 });
    assert.deepEqual(it.fire('b').fire('a').variables, { told: 1 });
  });

  it('is warned of if it has an end event, for the standard asks for a start event then', async () => {
    const body = element('task', 'a') + element('task', 'b') + element('endEvent', 'end') + flow('b', 'end');
    assert.deepEqual(await warningsOf(bpmn(body)), [
      "process 'p' has an end event, but no start event: it begins at what no sequence flow leads to, 'a', 'b'",
    ]);
    assert.deepEqual(await warningsOf(bpmn(element('task', 'a'))), []);
    assert.ok(instance(await programOf(bpmn(body))).start().isCompleted);
  });
});

describe('a sub-process without a start event', () => {
  it('begins at each element that no flow leads to', () => {
    const model = program(
      { s: start(), sub: subProcess(), a: userTask({}, { in: 'sub' }), b: userTask({}, { in: 'sub' }), z: end() },
      ['s -> sub', 'sub -> z'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.trail, ['s', 'sub?', 'a?', 'b?']);
    assert.deepEqual(it.complete('a').active, ['b']);
    assert.deepEqual(it.complete('b').trail, ['s', 'sub', 'a', 'b', 'z']);
  });

  it('does so in each instance of a loop', () => {
    const model = program(
      { s: start(), sub: subProcess({ loop: multi(2, { sequential: true }) }), a: userTask({}, { in: 'sub' }) },
      ['s -> sub'],
    );
    const it = instance(model).start().complete('a').complete('a');
    assert.deepEqual(it.trail, ['s', 'sub#', 'sub', 'a', 'sub', 'a']);
  });
});
