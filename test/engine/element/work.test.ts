import assert from 'node:assert/strict';
import type { Ask } from '../../../src/store/index.js';
import { instance } from '../../support/instance.js';
import {
  boundary,
  end,
  error,
  handled,
  handler,
  message,
  program,
  script,
  service,
  signal,
  start,
  throwing,
  userTask,
} from '../../support/program.js';

describe('service task', () => {
  const through = (a: ReturnType<typeof service>) => program({ s: start(), a, e: end() }, ['s -> a', 'a -> e']);

  it('evaluates its expression and keeps the result', () => {
    const it = instance(through(service('${x * 2}', 'y'))).start({ x: 4 });
    assert.deepEqual(it.variables, { x: 4, y: 8 });
    assert.ok(it.isCompleted);
  });

  it('gives the result the type that the expression says', () => {
    const typeOf = (text: string, variables = {}) =>
      instance(through(service(text, 'y'))).start(variables).state.scopes[0]?.variables.y;
    assert.deepEqual(typeOf('${10 / 4}'), { type: 'Double', value: 2.5 });
    assert.deepEqual(typeOf('${1 + 1}'), { type: 'Long', value: 2 });
    assert.deepEqual(typeOf('${x}', { x: 3 }), { type: 'Integer', value: 3 });
    assert.deepEqual(typeOf('${now()}'), { type: 'Date', value: '2026-01-01T00:00:00.000Z' });
    assert.deepEqual(typeOf('${x}', { x: [1] }), { type: 'Json', value: [1] });
    assert.deepEqual(typeOf('${null}'), { type: 'Null', value: null });
    assert.deepEqual(typeOf('text ${1}'), { type: 'String', value: 'text 1' });
  });

  it('knows where it runs', () => {
    const facts = [
      'id',
      'processInstanceId',
      'processBusinessKey',
      'currentActivityId',
      'currentActivityName',
      'activityInstanceId',
    ];
    const text = facts.map((fact) => `\${execution.${fact}}`).join(' ');
    const it = instance(through(service(text, 'y', { name: 'Work' }))).start();
    assert.equal(it.variables.y, 'instance:1 instance order-1 a Work instance:3');
  });

  it('may set, read and remove variables through execution', () => {
    const elements = {
      s: start(),
      a: service('${execution.setVariable("n", 5)}'),
      b: service('${execution.getVariable("n") + 1}', 'm'),
      c: service('${execution.removeVariable("n")}'),
      d: service('${execution.hasVariable("n")}', 'has'),
      f: service('${execution.getVariable("n")}', 'none'),
    };
    const it = instance(program(elements, ['s -> a', 'a -> b', 'b -> c', 'c -> d', 'd -> f'])).start();
    assert.deepEqual(it.variables, { m: 6, has: false, none: null });
  });

  it('knows who acts and what time it is', () => {
    const it = instance(through(service('${currentUser()} ${authenticatedUserId} ${dateTime().year}', 'y'))).start();
    assert.equal(it.variables.y, 'mary mary 2026');
  });

  it('refuses to go on where its expression fails, naming element, expression and cause', () => {
    assert.throws(() => instance(through(service('${missing.field}'))).start(), {
      code: 'EXECUTION_FAILED',
      message: /^expected to evaluate '\$\{missing\.field\}' of element 'a', but expected a variable named 'missing'/,
    });
  });
});

describe('handler', () => {
  const through = (name: string, more = {}) =>
    program({ s: start(), a: handled(name, more), b: boundary('a', error('E')), e: end(), f: userTask() }, [
      's -> a',
      'a -> e',
      'b -> f',
    ]);

  it('is called by a job that knows fields and variables, and the instance waits', () => {
    const work = handler('send', 'answer', { to: '${who}', kind: 'mail' });
    const it = instance(through('send', { work }), { handlers: { send: 'call' } }).start({ who: 'ann' });
    const { type, immediate, call } = it.job('a');
    assert.deepEqual([type, immediate], ['call', true]);
    assert.deepEqual(call, {
      handler: 'send',
      fields: { to: 'ann', kind: 'mail' },
      variables: { who: { type: 'String', value: 'ann' } },
    });
    it.done('a', 'sent', { at: 7 });
    assert.deepEqual(it.variables, { who: 'ann', at: 7, answer: 'sent' });
    assert.ok(it.isCompleted);
  });

  it('may end with a BPMN error, which a boundary event catches', () => {
    const it = instance(through('send'), { handlers: { send: 'call' } }).start();
    const { id } = it.job('a');
    it.give({ type: 'callError', jobId: id, code: 'E', message: null, variables: {} });
    assert.deepEqual(it.active, ['f']);
  });

  it('fails the run with a BPMN error that nothing catches, naming its code', () => {
    const it = instance(through('send'), { handlers: { send: 'call' } }).start();
    const { id } = it.job('a');
    assert.throws(() => it.give({ type: 'callError', jobId: id, code: 'X', message: 'why', variables: {} }), {
      code: 'EXECUTION_FAILED',
      message:
        "expected BPMN error 'X' to be caught by a boundary event of element 'a', but no boundary event catches it: why",
    });
  });

  it('is not gone on with as a continuation: it needs its outcome', () => {
    const it = instance(through('send'), { handlers: { send: 'call' } }).start();
    const { id } = it.job('a');
    assert.throws(() => it.give({ type: 'job', jobId: id }), {
      code: 'CONFLICT',
      message: `expected instance 'instance' to wait for job other than a call '${id}', but it does not`,
    });
  });

  it('stays within the run where it is inline', () => {
    const asked: Ask[] = [];
    const answer = (ask: Ask) => {
      asked.push(ask);
      return { value: { result: 3, variables: { y: 1 } } };
    };
    const work = handler('add', 'sum', { by: '${x}' });
    const it = instance(through('add', { work }), { handlers: { add: 'inline' }, answer }).start({ x: 2 });
    assert.deepEqual(it.variables, { x: 2, y: 1, sum: 3 });
    assert.deepEqual(asked, [
      {
        kind: 'handler',
        question: {
          handler: 'add',
          elementId: 'a',
          fields: { by: '2' },
          variables: { x: { type: 'Integer', value: 2 } },
        },
      },
    ]);
    assert.ok(it.isCompleted);
  });

  it('is refused where it is not registered, by name', () => {
    assert.throws(() => instance(through('nobody')).start(), {
      code: 'EXECUTION_FAILED',
      message:
        "expected handler 'nobody' of element 'a', but no handler is registered under the name 'nobody', nor under any other (MILLRACE_HANDLERS names the module that registers them)",
    });
  });

  it('fails the run when it fails', () => {
    const answer = () => ({ error: { message: 'no network' } });
    assert.throws(() => instance(through('add'), { handlers: { add: 'inline' }, answer }).start(), {
      code: 'EXECUTION_FAILED',
      message: /handler 'add' to succeed.*no network/,
    });
  });
});

describe('script task', () => {
  const model = program(
    { s: start(), a: script('x + 1', 'y'), b: boundary('a', error('E')), e: end(), f: userTask() },
    ['s -> a', 'a -> e', 'b -> f'],
  );

  it('asks for the result, and keeps it', () => {
    const asked: Ask[] = [];
    const answer = (ask: Ask) => {
      asked.push(ask);
      return { value: { result: 5, variables: { z: 1 }, removed: ['x'], locals: { own: 1 } } };
    };
    const it = instance(model, { answer }).start({ x: 4 });
    assert.deepEqual(it.variables, { z: 1, y: 5 });
    const question = asked[0]?.question as { language: string; source: string; variables: unknown; elementId: string };
    assert.deepEqual([question.language, question.source, question.elementId], ['javascript', 'x + 1', 'a']);
    assert.deepEqual(question.variables, { x: { type: 'Integer', value: 4 } });
  });

  it('asks with the variables that the script names, and once more with all where it has looked at others', () => {
    const asked: Record<string, unknown>[] = [];
    const answer = ({ question }: Ask) => {
      asked.push(question as Record<string, unknown>);
      return { value: asked.length === 1 ? { isShort: true } : { result: 5 } };
    };
    const it = instance(model, { answer }).start({ x: 4, large: 'text', other: 1 });
    assert.deepEqual([it.variables.y, asked.length], [5, 2]);
    const [few, all] = asked;
    assert.deepEqual([few?.variables, few?.withheld], [{ x: { type: 'Integer', value: 4 } }, ['large', 'other']]);
    assert.deepEqual(Object.keys(all?.variables as object), ['x', 'large', 'other']);
    assert.deepEqual([all?.withheld, all?.seed], [undefined, few?.seed]);
  });

  for (const source of ['execution.getVariables()', "execution.getVariable('a' + n)", 'execution.getVariableNames()'])
    it(`asks with all of them at once for ${source}`, () => {
      const asked: Record<string, unknown>[] = [];
      const answer = ({ question }: Ask) => {
        asked.push(question as Record<string, unknown>);
        return { value: { result: 5 } };
      };
      instance(program({ s: start(), a: script(source, 'y') }, ['s -> a']), { answer }).start({ x: 4, b: 1 });
      assert.deepEqual(
        asked.map(({ variables, withheld }) => [Object.keys(variables as object), withheld]),
        [[['x', 'b'], undefined]],
      );
    });

  it('asked with all that it sees in runs of former versions', () => {
    const asked: Record<string, unknown>[] = [];
    const answer = ({ question }: Ask) => {
      asked.push(question as Record<string, unknown>);
      return { value: { result: 5 } };
    };
    instance(model, { answer, rules: 7 }).start({ x: 4, other: 1 });
    assert.deepEqual(Object.keys(asked[0]?.variables as object), ['x', 'other']);
  });

  it('gives values the types that its answer names, else those of their JSON', () => {
    const types = { result: 'Date', variables: { d: 'Double' }, locals: { l: 'Long' } };
    const value = { result: '2026-01-01T00:00:00.000Z', variables: { d: 2, i: 2 }, locals: { l: '1' }, types };
    const it = instance(model, { answer: () => ({ value }) }).start();
    assert.deepEqual(it.state.scopes[0]?.variables, {
      d: { type: 'Double', value: 2 },
      i: { type: 'Integer', value: 2 },
      y: { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('may throw a BPMN error', () => {
    const answer = () => ({ value: { variables: { why: 'so' }, bpmnError: { code: 'E', message: 'm' } } });
    const it = instance(model, { answer }).start();
    assert.deepEqual([it.active, it.variables], [['f'], { why: 'so' }]);
    assert.deepEqual(it.trail, ['s', 'a!', 'b', 'f?']);
  });

  it('fails the run with a BPMN error that nothing catches', () => {
    const answer = () => ({ value: { bpmnError: { code: 'X' } } });
    assert.throws(() => instance(model, { answer }).start(), {
      code: 'EXECUTION_FAILED',
      message:
        "expected BPMN error 'X' to be caught by a boundary event of element 'a', but no boundary event catches it",
    });
  });

  it('fails the run where it gives the instance a text that no business key can be', () => {
    const answer = () => ({ value: { businessKey: 'a\ud800' } });
    assert.throws(() => instance(model, { answer }).start(), {
      code: 'EXECUTION_FAILED',
      message: /^expected a text that a business key can be of element 'a', but expected .* as 'businessKey'/,
    });
  });

  it('fails the run when it fails', () => {
    const answer = () => ({ error: { message: 'x is not defined' } });
    assert.throws(() => instance(model, { answer }).start(), {
      code: 'EXECUTION_FAILED',
      message: /javascript script of element 'a', but x is not defined/,
    });
  });

  it('is evaluated at once where it is written as an expression', () => {
    const juel = {
      type: 'scriptTask',
      work: { kind: 'script', language: 'JUEL', text: '${x + 1}', resultVariable: 'y' },
    } as const;
    assert.equal(instance(program({ s: start(), a: juel }, ['s -> a'])).start({ x: 1 }).variables.y, 2);
  });

  it('is told what hides variables of the process, and sets them there', () => {
    const within = {
      ...script('one', 'y'),
      io: { inputs: [{ name: 'x', value: { kind: 'expression', text: '${x + 1}' } }], outputs: [] },
    } as const;
    const asked: Record<string, unknown>[] = [];
    const answer = ({ question }: Ask) => {
      asked.push(question as Record<string, unknown>);
      return {
        value: { process: { x: '2026-01-01T00:00:00.000Z' }, processRemoved: ['z'], types: { process: { x: 'Date' } } },
      };
    };
    const it = instance(program({ s: start(), a: within, f: userTask() }, ['s -> a', 'a -> f']), { answer }).start({
      x: 1,
      z: 1,
    });
    assert.deepEqual([asked[0]?.inner, asked[0]?.hidden], [['x'], { x: { type: 'Integer', value: 1 } }]);
    assert.deepEqual(it.state.scopes[0]?.variables, { x: { type: 'Date', value: '2026-01-01T00:00:00.000Z' } });
  });

  it('leaves the variable of its result as it is where it gives nothing', () => {
    const answer = () => ({ value: { variables: { y: 7 } } });
    assert.deepEqual(instance(model, { answer }).start({ x: 4 }).variables, { x: 4, y: 7 });
    assert.deepEqual(instance(model, { answer, rules: 7 }).start({ x: 4 }).variables, { x: 4, y: null });
    const juel = {
      type: 'scriptTask',
      work: { kind: 'script', language: 'juel', text: '${null}', resultVariable: 'y' },
    } as const;
    assert.deepEqual(instance(program({ s: start(), a: juel }, ['s -> a'])).start().variables, {});
  });

  it('in FEEL keeps that there is no result', () => {
    const feel = {
      type: 'scriptTask',
      work: { kind: 'script', language: 'feel', text: 'null', resultVariable: 'y' },
    } as const;
    assert.deepEqual(instance(program({ s: start(), a: feel }, ['s -> a'])).start({ y: 1 }).variables, { y: null });
  });

  it('asks in order, each question with what the ones before have set', () => {
    const two = program({ s: start(), a: script('one', 'p'), b: script('two(p)', 'q') }, ['s -> a', 'a -> b']);
    const asked: unknown[] = [];
    const answer = ({ question }: Ask) => {
      const { source, variables } = question as { source: string; variables: Record<string, unknown> };
      asked.push([source, Object.keys(variables)]);
      return { value: { result: source } };
    };
    assert.deepEqual(instance(two, { answer }).start().variables, { p: 'one', q: 'two(p)' });
    assert.deepEqual(asked, [
      ['one', []],
      ['two(p)', ['p']],
    ]);
  });
});

describe('messages and signals that are thrown', () => {
  const thrown = (it: ReturnType<typeof instance>) => it.effects.filter(({ type }) => type.startsWith('throw'));

  it('go out after the commit, with their names', () => {
    const elements = {
      s: start(),
      a: throwing(signal('stop-${id}')),
      b: throwing(message('paid')),
      c: { type: 'sendTask', event: message('sent') } as const,
      e: end({ event: signal('over') }),
    };
    const it = instance(program(elements, ['s -> a', 'a -> b', 'b -> c', 'c -> e'])).start({ id: 1 });
    assert.deepEqual(thrown(it), [
      { type: 'throwSignal', name: 'stop-1', elementId: 'a', steps: 2, businessKey: null, variables: {} },
      { type: 'throwMessage', name: 'paid', elementId: 'b', steps: 3 },
      { type: 'throwMessage', name: 'sent', elementId: 'c', steps: 4 },
      { type: 'throwSignal', name: 'over', elementId: 'e', steps: 5, businessKey: null, variables: {} },
    ]);
    assert.ok(it.isCompleted);
  });

  it('do their work instead, where they have one', () => {
    const model = program(
      {
        s: start(),
        a: throwing(message('paid', handler('pay', 'r'))),
        e: end({ event: message('m', handler('pay')) }),
      },
      ['s -> a', 'a -> e'],
    );
    const it = instance(model, { handlers: { pay: 'call' } }).start();
    assert.deepEqual(it.done('a', 8).active, ['e']);
    assert.equal(it.variables.r, 8);
    assert.ok(it.done('e').isCompleted);
    assert.deepEqual(thrown(it), []);
  });
});
