import assert from 'node:assert/strict';
import type { Ask } from '../../../src/store/index.js';
import { instance } from '../../support/instance.js';
import {
  boundary,
  end,
  error,
  handled,
  listener,
  message,
  program,
  service,
  start,
  userTask,
} from '../../support/program.js';

describe('execution listeners', () => {
  const note = (event: string, what: string) =>
    listener(event, `\${execution.setVariable("log", log.concat("${what}"))}`);

  it('hear of start, end and taken flows, of elements and of the process, in this order', () => {
    const model = program(
      {
        s: start({ listeners: [note('end', 's')] }),
        a: service('${execution.setVariable("log", log.concat("a"))}', null, {
          listeners: [note('start', '<'), note('end', '>')],
        }),
        e: end(),
      },
      ['s -> a', 'a -> e'],
      {
        process: [note('start', '['), note('end', ']')],
        flows: { 'a -> e': [note('take', '-')] },
      },
    );
    assert.equal(instance(model).start({ log: '' }).variables.log, '[s<a>-]');
  });

  it('of a process hear of its start behind the asyncBefore of its start event', () => {
    const model = program(
      { s: start({ asyncBefore: true, listeners: [note('start', 's')] }), a: userTask() },
      ['s -> a'],
      {
        process: [note('start', '[')],
      },
    );
    const it = instance(model).start({ log: '' });
    assert.equal(it.variables.log, '');
    assert.equal(it.fire('s').variables.log, '[s');
    assert.equal(instance(model, { rules: 6 }).start({ log: '' }).variables.log, '[');
  });

  it('of a process are told where it begins and ends, and those of an end whether the activity is canceled', () => {
    const tell = (event: string) =>
      listener(
        event,
        '${execution.setVariable("log", log.concat(execution.activityId).concat(execution.canceled ? "! " : " "))}',
      );
    const model = program(
      { s: start(), a: userTask({}, { listeners: [tell('end')] }), t: boundary('a', message('m')), e: end() },
      ['s -> a', 't -> e'],
      { process: [tell('start'), tell('end')] },
    );
    assert.equal(instance(model).start({ log: '' }).trigger('t').variables.log, 's a! e ');
  });

  it('of a flow know which one is taken', () => {
    const flows = { 's -> e': [listener('take', '${execution.setVariable("taken", execution.currentTransitionId)}')] };
    const model = program({ s: start(), e: end() }, ['s -> e'], { flows });
    assert.equal(instance(model).start().variables.taken, 's -> e');
  });

  it('may be an inline handler, which is told the event', () => {
    const listeners = [{ on: 'execution', event: 'start', source: { kind: 'handler', name: 'audit' } }] as const;
    const events: unknown[] = [];
    const answer = ({ question }: Ask) => {
      events.push((question as { event: string }).event);
      return { value: {} };
    };
    const model = program({ s: start(), a: userTask({}, { listeners }) }, ['s -> a']);
    instance(model, { handlers: { audit: 'inline' }, answer }).start();
    assert.deepEqual(events, ['start']);
    assert.throws(() => instance(model, { handlers: { audit: 'call' } }).start(), {
      code: 'EXECUTION_FAILED',
      message: /not registered as inline/,
    });
  });

  it('may be an inline handler of a task, which is told of it and may change it', () => {
    const listeners = [{ on: 'task', event: 'create', source: { kind: 'handler', name: 'audit' } }] as const;
    const model = program({ s: start(), a: userTask({}, { listeners }) }, ['s -> a']);
    const asked = (rules: number) => {
      const questions: Record<string, Record<string, unknown>>[] = [];
      const answer = ({ question }: Ask) => {
        questions.push(question as Record<string, Record<string, unknown>>);
        return { value: { task: [{ method: 'setAssignee', value: 'ben' }] } };
      };
      const it = instance(model, { handlers: { audit: 'inline' }, answer, rules }).start();
      assert.equal(it.effects.find((effect) => effect.type === 'createTask')?.task.assignee, 'ben');
      return questions[0] ?? {};
    };
    const { execution, task } = asked(7);
    assert.equal(execution?.['eventName'], 'create');
    assert.equal(task?.['taskDefinitionKey'], 'a');
    assert.deepEqual(Object.keys(asked(6)), ['handler', 'elementId', 'fields', 'variables', 'event']);
  });

  it('ask a script as they did before, where a former run is replayed', () => {
    const listeners = [
      { on: 'task', event: 'create', source: { kind: 'script', language: 'javascript', text: 'x' } },
    ] as const;
    const model = program({ s: start(), a: userTask({}, { listeners }) }, ['s -> a']);
    const asked = (rules: number) => {
      const keys: string[] = [];
      const answer = ({ question }: Ask) => {
        const { execution, task, ...rest } = question as Record<string, object>;
        keys.push(...Object.keys(rest), ...Object.keys(execution ?? {}), ...Object.keys(task ?? {}));
        return { value: {} };
      };
      instance(model, { answer, rules }).start();
      return keys;
    };
    const added = ['own', 'parentId', 'createTime', 'formKey', 'candidateUsers', 'candidateGroups'];
    assert.deepEqual(
      added.filter((key) => asked(2).includes(key)),
      [],
    );
    assert.deepEqual(
      added.filter((key) => asked(3).includes(key)),
      added,
    );
  });

  it('hear that the task is deleted whose creation has ended with an error, which the boundary event catches', () => {
    const told = (rules: number) => {
      const events: unknown[] = [];
      const answer = ({ question }: Ask) => {
        const { eventName } = (question as { task: { eventName: string } }).task;
        events.push(eventName);
        return { value: eventName === 'create' ? { bpmnError: { code: 'E' } } : {} };
      };
      const source = { kind: 'script', language: 'javascript', text: 'fail()' } as const;
      const listeners = ['create', 'delete'].map((event) => ({ on: 'task', event, source }) as const);
      const model = program(
        { s: start(), a: userTask({}, { listeners }), b: boundary('a', error('E')), f: userTask() },
        ['s -> a', 'b -> f'],
      );
      assert.deepEqual(instance(model, { answer, rules }).start().active, ['f']);
      return events;
    };
    assert.deepEqual(told(7), ['create', 'delete']);
    assert.deepEqual(told(6), ['create']);
  });

  it('hear once of an end that is itself an error, which the boundary event catches', () => {
    const asked: unknown[] = [];
    const answer = (ask: Ask) => {
      asked.push(ask);
      return { value: { bpmnError: { code: 'E' } } };
    };
    const listeners = [
      { on: 'execution', event: 'end', source: { kind: 'script', language: 'javascript', text: 'fail()' } },
    ] as const;
    const model = program({ s: start(), a: userTask({}, { listeners }), b: boundary('a', error('E')), f: userTask() }, [
      's -> a',
      'b -> f',
    ]);
    assert.deepEqual(instance(model, { answer }).start().complete('a').active, ['f']);
    assert.equal(asked.length, 1);
  });

  it('fail the run where they end with an error while an error interrupts their activity, and nothing catches theirs', () => {
    const answer = () => ({ value: { bpmnError: { code: 'INNER', message: 'why' } } });
    const listeners = [
      { on: 'execution', event: 'end', source: { kind: 'script', language: 'javascript', text: 'fail()' } },
    ] as const;
    const model = program(
      { s: start(), a: handled('h', { listeners }), b: boundary('a', error('OUTER')), f: userTask() },
      ['s -> a', 'b -> f'],
    );
    const it = instance(model, { answer, handlers: { h: 'call' } }).start();
    const { id } = it.job('a');
    assert.throws(() => it.give({ type: 'callError', jobId: id, code: 'OUTER', message: null, variables: {} }), {
      code: 'EXECUTION_FAILED',
      message:
        "expected BPMN error 'INNER' to be caught by a boundary event of element 'a', but no boundary event catches it: why",
    });
  });
});
