import assert from 'node:assert/strict';
import {
  definitionModels,
  deployments,
  engineCollections,
  processDefinitions,
  processInstances,
  resources,
  runs,
  soughtSince,
  subscriptions,
  tasks,
  textPieces,
} from '../../../src/engine/collections.js';
import { definitionXml } from '../../../src/engine/index.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { isAdministrator } from '../../../src/shared/caller.js';
import { seedOf } from '../../../src/shared/ids.js';
import { type Answered, type Collection, type Document, jobs, put } from '../../../src/store/index.js';
import { bpmn, definitions, element, extended, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf, supervisor } from '../../support/engine-harness.js';

const userTask = (name = 'Work') => bpmn(line(['work'], element('userTask', 'work', { name })));
const startedBy = (event: string, root = '', key = 'p') =>
  bpmn(
    `<bpmn:startEvent id="start">${event}</bpmn:startEvent>${element('userTask', 'work')}<bpmn:endEvent id="end"/>${flows('start', 'work', 'end')}`,
    { root, key },
  );
const onMessage = (key = 'p') =>
  startedBy('<bpmn:messageEventDefinition messageRef="m"/>', '<bpmn:message id="m" name="order"/>', key);

interface Options {
  readonly name?: string;
  readonly enableDuplicateFiltering?: boolean;
  readonly deployChangedOnly?: boolean;
}

const deploy = (engine: EngineHarness, files: Record<string, string>, { name = 'd', ...options }: Options = {}) =>
  engine.run(
    engine.api.deployProcess,
    { name, resources: Object.entries(files).map(([file, content]) => ({ name: file, content })), ...options },
    admin,
  );

describe("a model's handlers", () => {
  it('are warned of where they are not registered, and refused by name when a run comes to them', async () => {
    const engine = new EngineHarness();
    engine.handlers.register('known', () => 1);
    const listener = extended('<camunda:executionListener event="start" class="heard"/>');
    const tasks =
      element('serviceTask', 'a', { 'camunda:class': 'known' }) +
      element('serviceTask', 'b', { 'camunda:delegateExpression': '${charge}' }) +
      element('task', 'c', {}, listener) +
      element('serviceTask', 'd', { 'camunda:type': 'external', 'camunda:topic': 'any' });
    await engine.deploy(bpmn(line(['b', 'a', 'c', 'd'], tasks)));
    const told = engine.all(resources).flatMap(({ warnings = [] }) => warnings);
    assert.deepEqual(
      told.map(({ elementId }) => elementId),
      ['b', 'c'],
    );
    assert.match(
      told[0]?.message ?? '',
      /service task 'b' calls what is not there, .*under the name 'charge', the nearest is|under the name 'charge', nor/,
    );
    assert.match(
      await refusalOf(engine.start()),
      /EXECUTION_FAILED: .*element 'b', but no handler is registered under the name 'charge'/,
    );
  });
});

describe('deployProcess', () => {
  it('makes every executable process the newest version of its key', async () => {
    const engine = new EngineHarness();
    const first = await deploy(engine, { 'a.bpmn': userTask() });
    const second = await deploy(engine, { 'a.bpmn': userTask('Other') });
    const [one, two] = engine.all(processDefinitions);
    assert.match(one?.id ?? '', /^p:1:[0-9a-f-]{36}$/);
    assert.deepEqual([one?.version, one?.latest, one?.deploymentId], [1, false, first]);
    assert.deepEqual([two?.version, two?.latest, two?.deploymentId], [2, true, second]);
    assert.equal(definitionXml(engine.state(), one?.id ?? ''), userTask());
    assert.deepEqual(engine.eventTypes, ['deployment.created', 'deployment.created']);
  });

  it('keeps other files as they are, and large ones in pieces', async () => {
    const engine = new EngineHarness();
    const padding = `<!-- ${'ä'.repeat(150_000)} -->`;
    const model = userTask().replace('<bpmn:process', `${padding}<bpmn:process`);
    await deploy(engine, { 'a.bpmn20.xml': model, 'form.html': '<form/>' });
    assert.equal(engine.all(resources).length, 2);
    assert.ok(engine.all(textPieces).length > 2);
    const [definition] = engine.all(processDefinitions);
    assert.equal(definitionXml(engine.state(), definition?.id ?? ''), model);
    assert.equal(definitionXml(engine.state(), 'p:9:x'), null);
  });

  describe('with scripts in files of their own', () => {
    const model = (resource: string) =>
      bpmn(
        line(
          ['count', 'work'],
          element('scriptTask', 'count', {
            scriptFormat: 'juel',
            'camunda:resource': resource,
            'camunda:resultVariable': 'total',
          }) + element('userTask', 'work'),
        ),
      );

    for (const resource of ['scripts/count.txt', 'deployment://scripts/count.txt', 'classpath://scripts/count.txt'])
      it(`runs what '${resource}' names`, async () => {
        const engine = new EngineHarness();
        await deploy(engine, { 'a.bpmn': model(resource), 'scripts/count.txt': '${20 + 1}' });
        assert.deepEqual(engine.variables(await engine.start()), { total: 21 });
      });

    it('is refused where the file is not deployed with it', async () => {
      const engine = new EngineHarness();
      assert.match(
        await refusalOf(deploy(engine, { 'a.bpmn': model('count.txt'), 'count.js': '1' })),
        /^BAD_REQUEST: resource 'a.bpmn': line \d+, column \d+: script task 'count' names 'count.txt' for its script, but the deployment has no such file$/,
      );
    });

    it('is a new version where only the script is another one', async () => {
      const engine = new EngineHarness();
      const files = (script: string) => ({ 'a.bpmn': model('count.txt'), 'count.txt': script });
      await deploy(engine, files('${1}'));
      await deploy(engine, files('${1}'), { deployChangedOnly: true });
      await deploy(engine, files('${2}'), { deployChangedOnly: true });
      assert.equal(engine.all(processDefinitions).length, 2);
      assert.deepEqual(engine.variables(await engine.start()), { total: 2 });
    });
  });

  it('is for deployers, supervisors and administrators', async () => {
    const engine = new EngineHarness();
    const input = { name: 'd', resources: [{ name: 'a.bpmn', content: userTask() }] };
    assert.equal(
      await refusalOf(engine.run(engine.api.deployProcess, input, ann)),
      "FORBIDDEN: expected a caller with role administrator, supervisor or deployer to deploy processes, but 'ann' has none of them",
    );
    await engine.run(engine.api.deployProcess, input, supervisor);
    assert.equal(isAdministrator(supervisor), false);
    const deployer = { ...ann, userId: 'dee', roles: ['deployer'] };
    const id = await engine.run(engine.api.deployProcess, input, deployer);
    assert.equal(
      await refusalOf(engine.run(engine.api.deleteDeployment, { id, cascade: true }, deployer)),
      "FORBIDDEN: expected a caller with role administrator or supervisor to delete deployments with their instances, but 'dee' has neither",
    );
    assert.equal(await engine.run(engine.api.deleteDeployment, { id }, deployer), true);
  });

  it('needs a name and files that have names and content', async () => {
    const engine = new EngineHarness();
    assert.match(
      await refusalOf(deploy(engine, { 'a.bpmn': userTask() }, { name: ' ' })),
      /^BAD_REQUEST: expected the name of the deployment/,
    );
    assert.match(await refusalOf(deploy(engine, {})), /^BAD_REQUEST: expected at least one file/);
    assert.match(await refusalOf(deploy(engine, { 'a.bpmn': '' })), /^BAD_REQUEST: expected the content of 'a.bpmn'/);
    assert.match(await refusalOf(deploy(engine, { '': 'x' })), /^BAD_REQUEST: expected the name of a file/);
    const twice = [1, 2].map(() => ({ name: 'a.txt', content: 'x' }));
    assert.match(
      await refusalOf(engine.run(engine.api.deployProcess, { name: 'd', resources: twice }, admin)),
      /^BAD_REQUEST: expected files with names of their own/,
    );
  });

  it('says what to do with more processes than one decision writes', async () => {
    const engine = new EngineHarness();
    const file = (count: number) => ({
      'many.bpmn': definitions(
        Array.from(
          { length: count },
          (_, n) => `<bpmn:process id="p${n}" isExecutable="true">${element('startEvent', `s${n}`)}</bpmn:process>`,
        ).join(''),
      ),
    });
    const advice = (count: number) =>
      `LIMIT_EXCEEDED: expected a deployment of some 150 processes, decisions and forms at most, and of files that are not longer than usual, but found ${count}; deploy them as several deployments`;
    assert.equal(await refusalOf(deploy(engine, file(1_100))), advice(1_100));
    assert.equal(await refusalOf(deploy(engine, file(300))), advice(300));
    await deploy(engine, file(160));
    await deploy(engine, file(160));
    assert.equal(engine.all(processDefinitions).length, 320);
  });

  it('takes 200 files at most', async () => {
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.txt`, 'x']));
    assert.equal(
      await refusalOf(deploy(new EngineHarness(), files(201))),
      'LIMIT_EXCEEDED: expected at most 200 resources in one deployment, but found 201',
    );
    const engine = new EngineHarness();
    await deploy(engine, files(200));
    assert.equal(engine.all(resources).length, 200);
  });

  it('recognises a model in Base64, whatever is before it, and keeps other files as they are', async () => {
    const engine = new EngineHarness();
    const base64 = Buffer.from(userTask()).toString('base64');
    const marked = Buffer.from(`\ufeff${userTask()}`).toString('base64');
    const lines = base64.replaceAll(/.{76}/g, '$&\r\n');
    for (const content of [base64, marked, lines, `data:application/xml;base64,${base64}`]) {
      const refusal = await refusalOf(deploy(engine, { 'a.bpmn': content }));
      assert.match(
        refusal,
        /^BAD_REQUEST: resource 'a\.bpmn': expected the XML of the model as text, but it is Base64/,
      );
    }
    await deploy(engine, { 'a.txt': base64 });
  });

  it('says where a model is wrong, and deploys nothing of it', async () => {
    const engine = new EngineHarness();
    const broken = bpmn(
      `${element('startEvent', 'start')}<bpmn:sequenceFlow id="f" sourceRef="start" targetRef="nowhere"/>`,
    );
    const refusal = await refusalOf(deploy(engine, { 'good.bpmn': userTask(), 'bad.bpmn': broken }));
    assert.match(refusal, /^BAD_REQUEST: resource 'bad.bpmn': line \d+, column \d+: .*'(f|start|p)'.*[^)]$/);
    const worse = broken.replace('<bpmn:sequenceFlow', '<bpmn:callActivity id="a"/><bpmn:sequenceFlow');
    assert.match(await refusalOf(deploy(engine, { 'worse.bpmn': worse })), / \(and 1 more\)$/);
    assert.match(await refusalOf(deploy(engine, { 'no.bpmn': 'no xml' })), /^BAD_REQUEST: resource 'no.bpmn'/);
    assert.deepEqual(engine.all(processDefinitions), []);
  });

  it('tells why a model could not be read: with the code of the reader where that is an answer', () => {
    const engine = new EngineHarness();
    const input = { name: 'd', resources: [{ name: 'a.bpmn', content: userTask() }] };
    const decide = (answers: readonly Answered[]) =>
      engine.api.deployProcess.decide(engine.state(), input, {
        caller: admin,
        commandId: 'c',
        seed: 's',
        answers: [...answers],
      });
    const asked = decide([]);
    assert.ok('ask' in asked && asked.ask.kind === 'parseModel');
    const refusal = (code: string | undefined) => ({
      ask: asked.ask,
      answer: { error: { message: 'it took too long', ...(code !== undefined && { code }) } },
    });
    for (const code of ['BAD_REQUEST', 'LIMIT_EXCEEDED', 'UNAVAILABLE']) {
      assert.throws(() => decide([refusal(code) as Answered]), {
        code,
        message: "resource 'a.bpmn': it took too long",
      });
    }
    for (const code of ['CONFLICT', 'INTERNAL_ERROR', undefined]) {
      assert.throws(() => decide([refusal(code) as Answered]), { code: 'INTERNAL_ERROR' });
    }
    const { question } = asked.ask;
    for (const other of [{ resourceName: 'b.bpmn' }, { hash: 'x' }]) {
      const stale: Answered['ask'] = { ...asked.ask, question: { ...(question as object), ...other } };
      assert.deepEqual(decide([{ ...(refusal('CONFLICT') as Answered), ask: stale }]), asked, 'it is of another file');
    }
  });

  it('keeps the warnings of a file up to 20,000 characters, and says how many more there are', () => {
    const engine = new EngineHarness();
    const input = { name: 'd', resources: [{ name: 'a.bpmn', content: userTask() }] };
    const decide = (answers: readonly Answered[]) =>
      engine.api.deployProcess.decide(engine.state(), input, {
        caller: admin,
        commandId: 'c',
        seed: 's',
        answers: [...answers],
      });
    const asked = decide([]);
    assert.ok('ask' in asked);
    const place = { line: null, column: null, elementId: null };
    const warning = (length: number) => {
      const around = JSON.stringify({ ...place, message: '' }).length;
      return { ...place, message: 'x'.repeat(length - around) };
    };
    const keptOf = (...lengths: number[]) => {
      const value = { programs: [], problems: [], warnings: lengths.map(warning) };
      const decided = decide([{ ask: asked.ask, answer: { value } }]);
      const stored = 'ask' in decided ? undefined : decided.write?.find(({ collection }) => collection === resources);
      return (stored?.document as unknown as { warnings?: readonly { message: string }[] } | undefined)?.warnings;
    };
    assert.equal(keptOf(), undefined);
    assert.deepEqual(
      keptOf(10_000, 10_000)?.map(({ message }) => message.slice(0, 3)),
      ['xxx', 'xxx'],
    );
    const kept = keptOf(10_000, 10_001, 500);
    assert.deepEqual([kept?.length, kept?.at(-1)?.message], [2, 'and 2 more']);
  });

  it('refuses two processes of one key', async () => {
    const engine = new EngineHarness();
    assert.match(
      await refusalOf(deploy(engine, { 'a.bpmn': userTask(), 'b.bpmn': userTask() })),
      /^BAD_REQUEST: expected processes with keys of their own/,
    );
  });

  it('deploys several processes of one file', async () => {
    const engine = new EngineHarness();
    const both = definitions(
      ['a', 'b']
        .map((key) => `<bpmn:process id="${key}" isExecutable="true"><bpmn:startEvent id="${key}s"/></bpmn:process>`)
        .join(''),
    );
    await deploy(engine, { 'both.bpmn': both });
    assert.deepEqual(
      engine.all(processDefinitions).map(({ key }) => key),
      ['a', 'b'],
    );
    assert.equal(engine.all(resources).length, 1);
  });
});

describe('duplicate filtering', () => {
  const filtering = { enableDuplicateFiltering: true };

  it('answers the deployment that has the same files', async () => {
    const engine = new EngineHarness();
    const first = await deploy(engine, { 'a.bpmn': userTask() });
    assert.equal(await deploy(engine, { 'a.bpmn': userTask() }, filtering), first);
    assert.equal(engine.all(processDefinitions).length, 1);
  });

  it('deploys all files when one has changed', async () => {
    const engine = new EngineHarness();
    await deploy(engine, { 'a.bpmn': userTask(), 'b.txt': 'b' });
    const second = await deploy(engine, { 'a.bpmn': userTask(), 'b.txt': 'c' }, filtering);
    assert.equal(engine.get(deployments, second)?.resources.length, 2);
    assert.equal(engine.all(processDefinitions).length, 2);
  });

  it('sees a file that went back to what it was as changed', async () => {
    const engine = new EngineHarness();
    const first = await deploy(engine, { 'a.bpmn': userTask('1') });
    engine.now += 1;
    await deploy(engine, { 'a.bpmn': userTask('2') });
    engine.now += 1;
    assert.notEqual(await deploy(engine, { 'a.bpmn': userTask('1') }, filtering), first);
  });

  it('knows by the ids what came later within one millisecond', async () => {
    for (const [id, isLater] of [
      ['0', false],
      ['g', true],
    ] as const) {
      const engine = new EngineHarness();
      const first = engine.get(deployments, await deploy(engine, { 'a.bpmn': userTask('1') }));
      assert.ok(first !== undefined);
      const files = [{ id: `${id}/a.bpmn`, name: 'a.bpmn', hash: seedOf(userTask('2')) }];
      engine.documents.apply([put(deployments, { ...first, id, resources: files })]);
      const answered = await deploy(engine, { 'a.bpmn': userTask('2') }, filtering);
      assert.equal(answered === id, isLater, id);
    }
  });

  it('deploys only what has changed, when asked to', async () => {
    const engine = new EngineHarness();
    await deploy(engine, { 'a.bpmn': userTask(), 'b.txt': 'b' });
    engine.now += 1;
    const second = await deploy(engine, { 'a.bpmn': userTask(), 'b.txt': 'c' }, { deployChangedOnly: true });
    assert.deepEqual(
      engine.get(deployments, second)?.resources.map(({ name }) => name),
      ['b.txt'],
    );
    engine.now += 1;
    assert.equal(await deploy(engine, { 'a.bpmn': userTask(), 'b.txt': 'c' }, { deployChangedOnly: true }), second);
  });

  it('looks at deployments of the same name', async () => {
    for (const [one, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ]) {
      const engine = new EngineHarness();
      const first = await deploy(engine, { 'a.bpmn': userTask() }, { name: one ?? '' });
      assert.notEqual(await deploy(engine, { 'a.bpmn': userTask() }, { name: other ?? '', ...filtering }), first);
    }
  });

  it('does not look at what is being deleted', async () => {
    const engine = new EngineHarness();
    const first = await deploy(engine, { 'a.bpmn': userTask() });
    await engine.run(engine.api.deleteDeployment, { id: first }, admin);
    assert.notEqual(await deploy(engine, { 'a.bpmn': userTask() }, filtering), first);
  });
});

describe('start events', () => {
  it('of the newest version alone wait for messages', async () => {
    const engine = new EngineHarness();
    await engine.deploy(onMessage());
    const [second] = await engine.deploy(onMessage());
    assert.deepEqual(
      engine.all(subscriptions).map(({ definitionId }) => definitionId),
      [second],
    );
    const id = await engine.run(
      engine.api.correlateMessage,
      { messageName: 'order', businessKey: 'k', variables: inputs({ a: 1 }) },
      ann,
    );
    assert.equal(engine.instance(id).definitionId, second);
    assert.equal(engine.instance(id).businessKey, 'k');
    assert.deepEqual(engine.variables(id), { a: 1 });
  });

  it('of two processes do not wait for one message', async () => {
    const engine = new EngineHarness();
    await engine.deploy(onMessage());
    assert.match(
      await refusalOf(engine.deploy(onMessage('q'))),
      /^CONFLICT: expected no other process to be started by message 'order' of process 'q', but 'p' is/,
    );
  });

  it('of two processes do not wait for one message that are deployed together either', async () => {
    const engine = new EngineHarness();
    const resources = [
      { name: 'p.bpmn', content: onMessage() },
      { name: 'q.bpmn', content: onMessage('q') },
    ];
    assert.match(
      await refusalOf(engine.run(engine.api.deployProcess, { name: 'both', resources }, admin)),
      /^CONFLICT: expected no other process to be started by message 'order' of process 'q', but 'p' is/,
    );
  });

  it('of one process may wait for the message that another one leaves in the same deployment', async () => {
    const engine = new EngineHarness();
    await engine.deploy(onMessage());
    const resources = [
      { name: 'q.bpmn', content: onMessage('q') },
      { name: 'p.bpmn', content: bpmn(line([], '')) },
    ];
    const id = await engine.run(engine.api.deployProcess, { name: 'both', resources }, admin);
    const waiting = () => engine.all(subscriptions).map(({ definitionKey }) => definitionKey);
    assert.deepEqual(waiting(), ['q']);
    await engine.run(engine.api.deleteDeployment, { id }, admin);
    assert.deepEqual(waiting(), ['p'], 'as before');
  });

  it('with a time start at that time, once', async () => {
    const engine = new EngineHarness();
    assert.match(
      await refusalOf(engine.deploy(startedBy(timer('duration', '${wait}')))),
      /^BAD_REQUEST: expected start event 'start' to tell when it starts an instance, but .*'wait'/,
    );
    await engine.deploy(startedBy(timer('date', '2026-01-01T06:00:00Z')));
    assert.equal(await engine.runDue(Date.UTC(2026, 0, 1, 5)), 0);
    assert.equal(await engine.runDue(Date.UTC(2026, 0, 1, 6)), 1);
    assert.equal(engine.all(processInstances)[0]?.startUserId, 'admin');
    assert.deepEqual(engine.all(jobs), []);
    assert.deepEqual(engine.all(processDefinitions)[0]?.timerJobIds, []);
  });

  it('with a time are of the priority, and tried as often, as the start event says', async () => {
    const engine = new EngineHarness();
    const said = (priority: string) =>
      startedBy(timer('cycle', 'R3/PT1H'))
        .replace('id="start"', `id="start" camunda:jobPriority="${priority}"`)
        .replace(
          /(<bpmn:startEvent[^>]*>)/,
          '$1<bpmn:extensionElements><camunda:failedJobRetryTimeCycle>R5/PT1M</camunda:failedJobRetryTimeCycle></bpmn:extensionElements>',
        );
    const told = () => engine.all(jobs).map(({ priority = 0, retries }) => [priority, retries]);
    await engine.deploy(said('${7 * 6}'));
    assert.deepEqual(told(), [[42, 5]]);
    await engine.runDue(Date.UTC(2026, 0, 1, 1));
    assert.deepEqual(told(), [[42, 5]], 'the next one too');
    await engine.deploy(said('${order}'));
    assert.deepEqual(told(), [[0, 5]], 'what needs an instance is left out');
  });

  it('with a cycle start again and again, counted from the deployment', async () => {
    const engine = new EngineHarness();
    await engine.deploy(startedBy(timer('cycle', 'R3/PT1H')));
    for (let hour = 1; hour <= 4; hour++) await engine.runDue(Date.UTC(2026, 0, 1, hour, 10));
    assert.deepEqual(
      engine.all(processInstances).map(({ startTime }) => new Date(startTime).getUTCHours()),
      [1, 2, 3],
    );
    assert.deepEqual(engine.all(jobs), []);
  });

  it('with a time of an older version do not start any more', async () => {
    const engine = new EngineHarness();
    await engine.deploy(startedBy(timer('cycle', '0 0 * * * ?')));
    await engine.deploy(startedBy(timer('cycle', '0 30 * * * ?')));
    assert.equal(engine.all(jobs).length, 1);
    await engine.runDue(Date.UTC(2026, 0, 1, 0, 45));
    assert.match(engine.all(processInstances)[0]?.definitionId ?? '', /^p:2:/);
  });

  it('with a time wait while the definition is suspended', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(startedBy(timer('duration', 'PT1H')));
    const taken = engine.takeJob(engine.job('timerStart').id);
    await engine.run(engine.api.suspendProcessDefinition, { id }, admin);
    assert.equal(engine.job('timerStart').suspended, false, 'it is under way');
    await engine.performJob(taken);
    assert.equal(engine.job('timerStart').suspended, true);
    assert.equal(await engine.runDue(Date.UTC(2026, 0, 2)), 0);
    await engine.run(engine.api.activateProcessDefinition, { id }, admin);
    assert.equal(await engine.runDue(), 1);
    assert.equal(engine.all(processInstances).length, 1);
  });
});

describe('deleteDeployment', () => {
  it('lets the version before be the latest again, with its start events', async () => {
    const engine = new EngineHarness();
    const [first] = await engine.deploy(onMessage());
    const second = await deploy(engine, { 'model.bpmn': onMessage() });
    assert.equal(await engine.run(engine.api.deleteDeployment, { id: second }, admin), true);
    assert.deepEqual(
      engine.all(subscriptions).map(({ definitionId }) => definitionId),
      [first],
    );
    assert.equal(engine.get(processDefinitions, first ?? '')?.latest, true);
    await engine.settle();
    assert.equal(engine.all(processDefinitions).length, 1);
    assert.equal(engine.all(definitionModels).length, 1);
    assert.equal(engine.all(resources).length, 1);
  });

  it('is refused while instances run, unless it takes them along', async () => {
    const engine = new EngineHarness();
    const id = await deploy(engine, { 'a.bpmn': userTask() });
    const running = await engine.start();
    const refusal = await refusalOf(engine.run(engine.api.deleteDeployment, { id }, admin));
    assert.match(refusal, /^CONFLICT: expected no running instance of process definition 'p:1:/);
    assert.ok(refusal.includes(running));
    await engine.run(engine.api.deleteDeployment, { id, cascade: true }, admin);
    assert.match(await refusalOf(engine.start()), /^NOT_FOUND/);
    await engine.settle();
    for (const collection of [
      processInstances,
      tasks,
      runs,
      processDefinitions,
      definitionModels,
      resources,
      deployments,
      jobs,
    ]) {
      assert.equal(engine.documents.layer.of(collection), undefined, collection.name);
    }
    assert.ok(engine.eventTypes.includes('task.deleted') && engine.eventTypes.includes('process.ended'));
  });

  it('leaves nothing of an instance, whatever that waits for', async () => {
    const engine = new EngineHarness();
    const many =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>60</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const waits = [
      element('userTask', 'many', {}, many),
      element('serviceTask', 'away', { 'camunda:type': 'external', 'camunda:topic': 'ship' }),
      element('receiveTask', 'told'),
      element('intermediateCatchEvent', 'later', {}, timer('duration', 'P1D')),
    ];
    const ids = ['many', 'away', 'told', 'later'];
    const fork = '<bpmn:startEvent id="s"/><bpmn:parallelGateway id="fork"/>';
    const body = fork + flow('s', 'fork') + waits.join('') + ids.map((id) => flow('fork', id)).join('');
    const id = await deploy(engine, { 'a.bpmn': bpmn(body) });
    await engine.start({ big: 'x'.repeat(20_000) });
    await engine.settle();
    await engine.run(engine.api.deleteDeployment, { id, cascade: true }, admin);
    await engine.settle();
    // Since when messages are found by what they seek is of no instance.
    const own = engineCollections.filter(({ name }) => name !== soughtSince.name);
    for (const collection of [...own, jobs])
      assert.equal(engine.documents.layer.of(collection as Collection<Document>), undefined, collection.name);
  });

  it('takes along the instances of every process of the deployment', async () => {
    const engine = new EngineHarness();
    const waiting = (key: string) =>
      `<bpmn:process id="${key}" isExecutable="true">${line(['work'], element('userTask', 'work')).replaceAll('id="', `id="${key}`).replaceAll('Ref="', `Ref="${key}`)}</bpmn:process>`;
    const id = await deploy(engine, { 'both.bpmn': definitions(waiting('a') + waiting('b')) });
    await engine.run(engine.api.startProcess, { definitionKey: 'b' }, ann);
    await engine.run(engine.api.deleteDeployment, { id, cascade: true }, admin);
    await engine.settle();
    assert.deepEqual([engine.all(processInstances), engine.all(tasks), engine.all(deployments)], [[], [], []]);
  });

  it('keeps the history of ended instances without cascade', async () => {
    const engine = new EngineHarness();
    const id = await deploy(engine, { 'a.bpmn': bpmn(line([], '')) });
    await engine.start();
    await engine.run(engine.api.deleteDeployment, { id }, admin);
    await engine.settle();
    assert.equal(engine.all(processInstances).length, 1);
    assert.equal(engine.all(processDefinitions).length, 0);
    // Names and types of what it did are in the model.
    const told = activityInstances(engine.all(runs), (definition) => engine.programs.of(engine.state(), definition));
    assert.deepEqual(
      told.map(({ activityId }) => activityId),
      ['start', 'end'],
    );
    assert.equal(engine.all(definitionModels).length, 1);
    await engine.run(engine.engine.jobs.cleanHistory, { endedBefore: engine.now + 1 }, admin);
    assert.equal(engine.all(definitionModels).length, 0);
  });

  it('removes much in commits of at most 500 documents', async () => {
    const engine = new EngineHarness();
    const id = await deploy(engine, { 'a.bpmn': userTask() });
    const first = await engine.start({ large: 'x'.repeat(50_000) });
    for (let n = 0; n < 20; n++) await engine.start();
    for (let n = 0; n < 250; n++) {
      await engine.run(engine.api.setProcessVariables, { processInstanceId: first, variables: inputs({ n }) }, ann);
    }
    await engine.run(engine.api.deleteDeployment, { id, cascade: true }, admin);
    let largest = 0;
    while (engine.all(jobs).length > 0) {
      await engine.runJob(engine.job('deletion').id);
      largest = Math.max(largest, engine.lastDecision?.write?.length ?? 0);
    }
    assert.ok(largest <= 500, `${largest} documents`);
    assert.equal(engine.all(processInstances).length, 0);
    assert.equal(engine.all(runs).length, 0);
    assert.equal(engine.all(textPieces).length, 0);
  });

  it('goes on in the next commit behind 400 documents, and never leaves a part of a file or a model', async () => {
    const commits = async (pieces: number, of: 'file' | 'model') => {
      const engine = new EngineHarness();
      const process = (key: string) =>
        `<bpmn:process id="${key}" isExecutable="true"><bpmn:startEvent id="${key}s"/></bpmn:process>`;
      const files =
        of === 'file' ? { 'a.txt': 'a', 'b.txt': 'b' } : { 'p.bpmn': definitions(process('a') + process('b')) };
      const id = await deploy(engine, files);
      const [file] = engine.all(resources);
      const [model] = engine.all(definitionModels);
      if (of === 'file' && file !== undefined)
        engine.documents.apply([put(resources, { ...file, text: null, pieces })]);
      if (model !== undefined) engine.documents.apply([put(definitionModels, { ...model, text: null, pieces })]);
      await engine.run(engine.api.deleteDeployment, { id }, admin);
      const sizes: number[] = [];
      while (engine.all(jobs).length > 0) {
        await engine.runJob(engine.job('deletion').id);
        sizes.push(engine.lastDecision?.write?.length ?? 0);
      }
      return sizes;
    };
    // Each counts itself, and the job that does it.
    assert.deepEqual(await commits(398, 'file'), [402]);
    assert.deepEqual(await commits(399, 'file'), [401, 3]);
    assert.deepEqual(await commits(397, 'model'), [402, 3]);
    assert.deepEqual(await commits(398, 'model'), [401, 5]);
  });

  it('is for supervisors, and for what there is', async () => {
    const engine = new EngineHarness();
    assert.match(await refusalOf(engine.run(engine.api.deleteDeployment, { id: 'x' }, ann)), /^FORBIDDEN/);
    assert.equal(
      await refusalOf(engine.run(engine.api.deleteDeployment, { id: 'x' }, admin)),
      "NOT_FOUND: expected a deployment with id 'x', but there is none",
    );
  });
});

describe('suspending a process definition', () => {
  it('answers null for an unknown one, and is for supervisors', async () => {
    const engine = new EngineHarness();
    assert.equal(await engine.run(engine.api.suspendProcessDefinition, { id: 'x' }, admin), null);
    assert.equal(await engine.run(engine.api.activateProcessDefinition, { id: 'x' }, admin), null);
    assert.match(await refusalOf(engine.run(engine.api.suspendProcessDefinition, { id: 'x' }, ann)), /^FORBIDDEN/);
  });

  it('leaves its instances alone, unless they are included', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    const instance = await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id }, admin);
    await engine.settle();
    assert.equal(engine.instance(instance).actor.value, 'active');
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    await engine.settle();
    await engine.run(engine.api.activateProcessDefinition, { id }, admin);
    assert.equal(await engine.settle(), 0, 'nobody is told what was told before');
    assert.equal(engine.instance(instance).actor.value, 'suspended');
  });

  it('is told of when something has changed', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    for (const operation of ['suspendProcessDefinition', 'activateProcessDefinition'] as const) {
      for (let n = 0; n < 2; n++) await engine.run(engine.api[operation], { id }, admin);
    }
    assert.deepEqual(
      engine.eventTypes.filter((type) => type.startsWith('processDefinition.')),
      ['processDefinition.suspended', 'processDefinition.activated'],
    );
  });

  it('reaches the tasks of an instance that another command has written meanwhile', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    const instance = await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    const variables = inputs({ n: 1 });
    await engine.run(engine.api.setProcessVariables, { processInstanceId: instance, variables }, ann);
    assert.deepEqual([engine.instance(instance).actor.value, engine.task().suspended], ['suspended', false]);
    await engine.settle();
    assert.equal(engine.task().suspended, true);
  });

  it('counts for every instance at once, and is written to each by a job', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    const started = [await engine.start(), await engine.start()];
    const [task] = engine.all(tasks);
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    assert.match(
      await refusalOf(engine.run(engine.api.claimTask, { taskId: task?.id ?? '' }, ann)),
      /^CONFLICT.*suspended$/,
    );
    await engine.settle();
    assert.deepEqual(
      started.map((each) => engine.instance(each).actor.value),
      ['suspended', 'suspended'],
    );
    assert.ok(engine.all(tasks).every((each) => each.suspended));
    await engine.run(engine.api.activateProcessDefinition, { id, includeInstances: true }, admin);
    await engine.run(engine.api.claimTask, { taskId: task?.id ?? '' }, ann);
    await engine.settle();
    assert.deepEqual(
      started.map((each) => engine.instance(each).actor.value),
      ['active', 'active'],
    );
    assert.ok(engine.all(tasks).every((each) => !each.suspended));
    assert.deepEqual(
      engine.all(runs).flatMap((run) => (run.instanceId === started[1] ? [run.type] : [])),
      ['startProcess', 'suspendProcessDefinition', 'activateProcessDefinition'],
    );
  });

  it('leaves an instance as it has ended meanwhile', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    const instance = await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    await engine.runJob(engine.job('sweep').id);
    await engine.run(engine.api.cancelProcessInstance, { id: instance }, admin);
    const before = engine.instance(instance);
    await engine.settle();
    assert.deepEqual([engine.instance(instance), engine.all(jobs)], [before, []]);
  });

  it('does not undo what was decided for an instance afterwards', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    const instance = await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    await engine.run(engine.api.activateProcessInstance, { id: instance }, admin);
    await engine.settle();
    assert.equal(engine.instance(instance).actor.value, 'active');
    assert.equal(engine.task().suspended, false);
  });

  it('reaches more instances than one decision takes', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    for (let n = 0; n < 230; n++) await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    await engine.settle();
    assert.ok(engine.all(processInstances).every((each) => each.actor.value === 'suspended'));
  }).timeout(60_000);

  it('begins anew where a former version, which did not keep when the last one had started, had come half-way', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(userTask());
    for (let n = 0; n < 3; n++) await engine.start();
    await engine.run(engine.api.suspendProcessDefinition, { id, includeInstances: true }, admin);
    const sweep = engine.job('sweep');
    const reached = engine.all(processInstances)[1]?.id;
    engine.documents.apply([put(jobs, { ...sweep, input: { ...(sweep.input as object), after: reached } })]);
    await engine.settle();
    assert.deepEqual(
      engine.all(processInstances).map(({ actor }) => actor.value),
      // The one that was reached had its job by then.
      engine.all(processInstances).map((each) => (each.id === reached ? 'active' : 'suspended')),
    );
  });
});
