import assert from 'node:assert/strict';
import { advance, newInstance } from '../../../src/engine/element/advance.js';
import { keptAnswer } from '../../../src/engine/element/failure.js';
import { idSource, seedOf } from '../../../src/shared/ids.js';
import { instance } from '../../support/instance.js';
import {
  boundary,
  catching,
  end,
  gateway,
  handled,
  message,
  program,
  script,
  service,
  start,
  subProcess,
  task,
  timer,
  userTask,
} from '../../support/program.js';

const choice = program({ s: start(), a: service('${1}', 'x', { asyncAfter: true }), b: userTask(), c: userTask() }, [
  's -> a',
  'a -> b : ${y}',
  'a -> c : default',
]);

describe('asyncBefore and asyncAfter', () => {
  it('wait before the activity begins, for a job with the retries of its element', () => {
    const a = service('${1}', 'x', { asyncBefore: true, exclusive: false, retryCycle: 'R5/PT1M' });
    const it = instance(program({ s: start(), a, e: end() }, ['s -> a', 'a -> e'])).start();
    const { type, immediate, exclusive, retryCycle, dueAt } = it.job('a');
    assert.deepEqual(
      { type, immediate, exclusive, retryCycle, dueAt },
      { type: 'continuation', immediate: false, exclusive: false, retryCycle: 'R5/PT1M', dueAt: it.now },
    );
    assert.deepEqual([it.trail, it.variables, it.active], [['s'], {}, ['a']]);
    it.fire('a');
    assert.deepEqual(it.trail, ['s', 'a', 'e']);
  });

  it('run alone in their instance, except where the element says otherwise; what goes on by itself always does', () => {
    const exclusive = (more: object, stepsMax?: number) => {
      const model = program({ s: start(), a: service('${1}', null, more), b: task(more), u: userTask() }, [
        's -> a',
        'a -> b',
        'b -> u',
      ]);
      const it = instance(model, stepsMax === undefined ? {} : { stepsMax }).start();
      return it.effects.flatMap((effect) => (effect.type === 'createJob' ? [effect.job.exclusive] : []));
    };
    assert.deepEqual(exclusive({ asyncBefore: true, exclusive: true }), [true]);
    assert.deepEqual(exclusive({ asyncBefore: true, exclusive: false }), [false]);
    assert.deepEqual(exclusive({ exclusive: false }, 2), [true]);
  });

  it('say no more than their job needs', () => {
    const it = instance(program({ s: start(), a: task({ asyncBefore: true }) }, ['s -> a'])).start();
    const { id, tokenId, dueAt, element } = it.job('a');
    const job = { id, tokenId, dueAt, element, immediate: false, exclusive: true, retryCycle: null };
    assert.deepEqual(it.job('a'), { ...job, type: 'continuation' });
  });

  it('count the steps that led to what goes on without a wait, and begin anew behind a wait', () => {
    const waiting = (a: Parameters<typeof program>[0][string], handlers: Record<string, 'call'> = {}) => {
      const it = instance(program({ s: start(), a }, ['s -> a']), { handlers }).start();
      return it.state.tokens.map(({ wait }) => (wait?.kind === 'job' ? wait.steps : undefined));
    };
    assert.deepEqual(waiting(task({ asyncBefore: true })), [2]);
    assert.deepEqual(waiting(catching(timer('date', '2020-01-01T00:00:00Z'))), [2], 'it is due at once');
    assert.deepEqual(waiting(catching(timer('duration', 'PT0S'))), [2]);
    assert.deepEqual(waiting(catching(timer('duration', 'PT1S'))), [undefined]);
    assert.deepEqual(waiting(handled('h'), { h: 'call' }), [undefined]);
  });

  it('take the retries from an expression, and refuse what cannot be read', () => {
    const a = service('${1}', null, { asyncBefore: true, retryCycle: '${cycle}' });
    const model = program({ s: start(), a }, ['s -> a']);
    assert.equal(instance(model).start({ cycle: 'R5/PT1M' }).job('a').retryCycle, 'R5/PT1M');
    assert.equal(instance(model).start({ cycle: '' }).job('a').retryCycle, null);
    assert.throws(() => instance(model).start({ cycle: 'often' }), { code: 'EXECUTION_FAILED' });
  });

  it('are not calls: nobody can answer them', () => {
    const it = instance(program({ s: start({ asyncBefore: true }) }, [])).start();
    const { id } = it.job('s');
    const input = { type: 'callDone', jobId: id, result: { type: 'Null', value: null }, variables: {} } as const;
    assert.throws(() => it.give(input), { code: 'CONFLICT' });
  });

  it('wait after the activity has ended and its flow is chosen', () => {
    const it = instance(choice).start({ y: false });
    assert.deepEqual([it.trail, it.variables], [['s', 'a'], { y: false, x: 1 }]);
    it.give({
      type: 'setVariables',
      tokenId: null,
      local: false,
      variables: { y: { type: 'Boolean', value: true } },
      removed: [],
    });
    assert.deepEqual(it.fire('a').active, ['c']);
  });

  it('leave a token that a former version parked to choose its flow when its job comes', () => {
    const it = instance(choice, { rules: 1 }).start({ y: false });
    const again = instance(choice);
    again.state = it.state;
    again.jobs.set(it.job('a').id, it.job('a'));
    assert.deepEqual(again.fire('a').active, ['c']);
  });

  it('make one job for each flow that is taken after the activity, and one where there is none', () => {
    const a = task({ asyncAfter: true });
    const both = instance(program({ s: start(), a, b: userTask(), c: userTask() }, ['s -> a', 'a -> b', 'a -> c']));
    assert.equal(both.start().jobs.size, 2);
    assert.deepEqual(both.active, ['a']);
    assert.deepEqual(both.fire('a').active.sort(), ['a', 'b']);
    assert.deepEqual(both.fire('a').active.sort(), ['b', 'c']);
    const last = instance(program({ s: start(), a }, ['s -> a'])).start();
    assert.deepEqual([last.active, last.isCompleted], [['a'], false]);
    assert.ok(last.fire('a').isCompleted);
  });

  it('are awaited by an inclusive gateway only where the chosen flow leads to it', () => {
    const elements = { s: start(), a: task({ asyncAfter: true }), b: userTask(), f: gateway('parallel') };
    const model = program({ ...elements, j: gateway('inclusive'), k: task(), z: userTask() }, [
      's -> f',
      'f -> a',
      'f -> k',
      'a -> b : ${away}',
      'a -> j : default',
      'k -> j',
      'j -> z',
    ]);
    assert.deepEqual(instance(model).start({ away: true }).active.sort(), ['a', 'z']);
    const waits = instance(model).start({ away: false });
    assert.deepEqual(waits.active.sort(), ['a', 'j']);
    assert.deepEqual(waits.fire('a').active, ['z']);
  });

  it('are not awaited by an inclusive gateway whose flow they come by has a token already', () => {
    const elements = {
      s: start(),
      f: gateway('parallel'),
      m: task({ asyncAfter: true }),
      b: userTask(),
      j: gateway('inclusive'),
      d: userTask(),
    };
    const it = instance(program(elements, ['s -> f', 'f -> m', 'f -> m', 'f -> b', 'm -> j', 'b -> j', 'j -> d']));
    assert.deepEqual(it.start().complete('b').active, ['m', 'j']);
    assert.deepEqual(it.fire('m').active.sort(), ['d', 'm']);
  });

  it('hold joins, sub-processes, and events too', () => {
    const model = program(
      {
        s: start({ asyncBefore: true }),
        f: gateway('parallel'),
        j: { ...gateway('parallel'), asyncBefore: true },
        p: subProcess({ asyncBefore: true, asyncAfter: true }),
        ps: start({ in: 'p' }),
        a: userTask({}, { in: 'p' }),
        b: boundary('p', message('m'), true, { asyncBefore: true }),
        e: end(),
      },
      ['s -> f', 'f -> j', 'f -> j', 'j -> p', 'ps -> a', 'b -> e'],
    );
    const it = instance(model).start().fire('s').fire('j').fire('j').fire('p');
    assert.deepEqual(it.active, ['a']);
    assert.ok(it.complete('a').fire('p').isCompleted);
  });

  it('hold what a boundary event begins', () => {
    const model = program(
      { s: start(), a: userTask(), b: boundary('a', message('m'), true, { asyncBefore: true }), f: userTask() },
      ['s -> a', 'b -> f'],
    );
    const it = instance(model).start().trigger('b', { x: 1 });
    assert.deepEqual([it.trail, it.variables], [['s', 'a!'], { x: 1 }]);
    assert.deepEqual(it.fire('b').active, ['f']);
  });
});

describe('a run that has had its share', () => {
  const chain = program({ s: start(), a: service('${x + 1}', 'x'), g: gateway('exclusive'), e: end() }, [
    's -> a',
    'a -> g',
    'g -> a : ${x < 500}',
    'g -> e : default',
  ]);
  const context = (more: object) => ({
    now: 0,
    ids: idSource(seedOf('x'), 0),
    instanceId: 'i',
    definitionId: 'd',
    businessKey: null,
    userId: 'u',
    answers: [],
    handler: () => undefined,
    stepsMax: 1000,
    ...more,
  });
  const started = { type: 'start', element: null, variables: { x: { type: 'Long', value: 0 } } } as const;

  it('is cut by a continuation that goes on by itself', () => {
    const result = advance(chain, newInstance(), started, context({ stepsMax: 10 }));
    assert.ok('state' in result);
    assert.equal(result.steps, 10);
    const [job] = result.effects;
    assert.ok(job?.type === 'createJob' && job.job.type === 'continuation' && job.job.immediate);
    assert.deepEqual(result.state.tokens[0]?.wait, {
      kind: 'job',
      id: job.job.id,
      of: 'cut',
      rank: 0,
      steps: 10,
    });
  });

  it('is cut when its time is up, which is looked at every 32 steps', () => {
    const result = advance(chain, newInstance(), started, context({ expired: () => true }));
    assert.ok('state' in result);
    assert.equal(result.steps, 32);
  });

  it('goes on until it ends, and nobody can tell', () => {
    const cut = instance(chain, { stepsMax: 7 }).start({ x: 0 });
    const whole = instance(chain, { stepsMax: 5000 }).start({ x: 0 });
    assert.ok(cut.isCompleted && cut.runs > 100 && whole.runs === 1);
    assert.deepEqual([cut.variables, cut.history, cut.steps], [whole.variables, whole.history, whole.steps]);
  });

  it('is cut where it would write too many documents at once', () => {
    const many = Array.from({ length: 500 }, (_, index) => `t${index}`);
    const elements = { s: start(), f: gateway('parallel'), ...Object.fromEntries(many.map((id) => [id, userTask()])) };
    const it = instance(program(elements, ['s -> f', ...many.map((id) => `f -> ${id}`)])).start();
    assert.deepEqual([it.runs, it.tasks.size], [4, 500]);
    assert.equal(
      it.effects.findIndex(({ type }) => type === 'createJob'),
      150,
    );
    assert.deepEqual(it.active, many);
  });

  it('takes its job back when all that moved is cancelled', () => {
    const model = program({ s: start(), f: gateway('parallel'), a: service('${1}'), b: service('${1}') }, [
      's -> f',
      'f -> a',
      'f -> b',
    ]);
    const first = advance(model, newInstance(), started, context({ stepsMax: 2 }));
    assert.ok('state' in first);
    const second = advance(model, first.state, { type: 'cancel', reason: 'no' }, context({}));
    assert.ok('state' in second);
    assert.deepEqual(
      second.effects.map(({ type }) => type),
      ['removeJob', 'ended'],
    );
  });
});

describe('cancelling', () => {
  const model = program(
    {
      s: start(),
      f: gateway('parallel'),
      a: userTask(
        {},
        { listeners: [{ on: 'task', event: 'delete', source: { kind: 'expression', text: '${broken}' } }] },
      ),
      b: boundary('a', timer('duration', 'PT1H')),
      p: subProcess(),
      ps: start({ in: 'p' }),
      c: catching(message('m'), { in: 'p' }),
    },
    ['s -> f', 'f -> a', 'f -> p', 'ps -> c'],
  );

  it('takes everything back, and tells no listener', () => {
    const it = instance(model).start().give({ type: 'cancel', reason: 'enough' });
    assert.deepEqual(it.ended, { type: 'ended', outcome: 'cancelled', reason: 'enough' });
    assert.deepEqual([it.tasks.size, it.jobs.size, it.subscriptions.size], [0, 0, 0]);
    assert.deepEqual(it.trail, ['s', 'f', 'a!', 'p!', 'ps', 'c!']);
    assert.deepEqual([it.state.tokens, it.state.scopes.length], [[], 1]);
  });
});

describe('asking', () => {
  const model = program({ s: start(), a: script('one', 'p'), b: script('two', 'q') }, ['s -> a', 'a -> b']);
  const run = (answers: Parameters<typeof advance>[3]['answers']) =>
    advance(
      model,
      newInstance(),
      { type: 'start', element: null, variables: {} },
      {
        now: 0,
        ids: idSource(seedOf('x'), 0),
        instanceId: 'i',
        definitionId: 'd',
        businessKey: null,
        userId: 'u',
        handler: () => undefined,
        stepsMax: 1000,
        answers,
      },
    );
  const asked = (answers: Parameters<typeof run>[0]) => {
    const result = run(answers);
    assert.ok('ask' in result);
    return result.ask;
  };

  it('passes over an answer to a question that is not asked any more', () => {
    const one = asked([]);
    const stale = { ask: { kind: 'script', question: { source: 'old' } }, answer: { value: { result: 'wrong' } } };
    assert.deepEqual(asked([stale]), one);
    assert.deepEqual(asked([{ ask: { ...one, kind: 'handler' }, answer: stale.answer }]), one, 'of another kind');
    const two = asked([stale, { ask: one, answer: { value: { result: 1 } } }]);
    assert.equal((two.question as { source: string }).source, 'two');
    const result = run([
      stale,
      { ask: one, answer: { value: { result: 1 } } },
      stale,
      { ask: two, answer: { value: { result: 2 } } },
    ]);
    assert.ok('state' in result);
    assert.deepEqual(result.state.scopes[0]?.variables, {
      p: { type: 'Integer', value: 1 },
      q: { type: 'Integer', value: 2 },
    });
  });

  it('keeps an answer with its question up to 1,024 characters of JSON, else with a hash of it', () => {
    const answered = (length: number) => ({
      ask: { kind: 'script', question: 'x'.repeat(length - 2) },
      answer: { value: 1 },
    });
    assert.equal(keptAnswer(answered(1_024)).ask.question, answered(1_024).ask.question);
    const { ask, answer } = keptAnswer(answered(1_025));
    assert.deepEqual([Object.keys(ask.question as object), answer], [['hash'], { value: 1 }]);
    const one = asked([]);
    const long = 'x'.repeat(2_000);
    const kept = keptAnswer({ ask: { ...one, question: { ...(one.question as object), long } }, answer: { value: 1 } });
    assert.deepEqual(asked([kept]), one, 'the hash of another question');
  });
});
