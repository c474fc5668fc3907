import assert from 'node:assert/strict';
import { bpmn, element, extended, line } from '../support/bpmn.js';
import { type GraphqlClient, Refused } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** Texts that a store may cut, replace or refuse. */
const ODD = {
  NUL: 'a\0b',
  'NUL at the beginning': '\0ab',
  'a lone high surrogate': 'a\ud800b',
  'a lone low surrogate': 'a\udc00b',
  'halves in the wrong order': 'a\udc00\ud800b',
  'a pair and line separators': 'a\u{1f600}\u2028\ufeffb',
  'what is no character': 'a\uffff\u0001b',
};
const DEPLOY = 'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }';
const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }';

describe('texts with characters that others take for an end or for none', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let taskId = '';
  let instanceId = '';
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    const task = element('userTask', 'wait', { name: '${title}', 'camunda:assignee': '${title}' });
    await admin.run(DEPLOY, {
      input: { name: 'd', resources: [{ name: 'd.bpmn', content: bpmn(line(['wait'], task), { key: 'd' }) }] },
    });
    await admin.run(DEPLOY, {
      input: {
        name: 'e',
        resources: [{ name: 'e.bpmn', content: bpmn(line(['wait'], element('userTask', 'wait')), { key: 'e' }) }],
      },
    });
    const listener = '<camunda:taskListener event="create" expression="${task.setName(title)}"/>';
    const caught = element('intermediateCatchEvent', 'caught', {}, '<bpmn:messageEventDefinition messageRef="named"/>');
    for (const [key, body, root] of [
      [
        'f',
        line(
          ['wait'],
          element('userTask', 'wait', {}, extended(listener + listener.replace('setName', 'setAssignee'))),
        ),
        '',
      ],
      ['g', line(['caught'], caught), '<bpmn:message id="named" name="${title}"/>'],
    ] as const) {
      const content = bpmn(body, { key, root });
      await admin.run(DEPLOY, { input: { name: key, resources: [{ name: `${key}.bpmn`, content }] } });
    }
    ({ id: instanceId } = (await admin.run(START, { input: { definitionKey: 'e' } })).startProcess);
    taskId = await taskOf(instanceId);
    for (const name of ['texts']) {
      await admin.run(CREATE, { input: { path: '/content', name, nodeType: 'nt:unstructured' } });
    }
  });
  after(() => server.remove());

  const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';
  const taskOf = async (id: string) => {
    const { processInstance } = await admin.run(
      'query ($id: ID!) { processInstance(id: $id) { tasks { edges { node { id } } } } }',
      { id },
    );
    return processInstance?.tasks.edges[0]?.node.id ?? '';
  };

  /** How a text is given, and how it is read back. */
  const ways: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
    'a business key': async (text) => {
      const { id } = (await admin.run(START, { input: { definitionKey: 'e', businessKey: text } })).startProcess;
      const query = 'query ($id: ID!) { processInstance(id: $id) { businessKey } }';
      return (await admin.run(query, { id })).processInstance?.businessKey;
    },
    'a business key that is looked for': async (text) => {
      const { id } = (await admin.run(START, { input: { definitionKey: 'e', businessKey: text } })).startProcess;
      const query =
        'query ($key: String) { processInstances(businessKey: $key) { edges { node { id businessKey } } } }';
      const { edges } = (await admin.run(query, { key: text })).processInstances;
      return edges.find(({ node }) => node.id === id)?.node.businessKey;
    },
    'a comment': async (text) => {
      await admin.run('mutation ($id: ID!, $text: String!) { addTaskComment(taskId: $id, message: $text) { id } }', {
        id: taskId,
        text,
      });
      const { task } = await admin.run('query ($id: ID!) { task(id: $id) { comments { message } } }', { id: taskId });
      return task?.comments.at(-1)?.message;
    },
    'the name and assignee of a task from an expression': async (text) => {
      const input = { definitionKey: 'd', variables: [{ name: 'title', value: text }] };
      const { id } = (await admin.run(START, { input })).startProcess;
      const query = 'query ($id: ID!) { task(id: $id) { name assignee } }';
      const { task } = await admin.run(query, { id: await taskOf(id) });
      assert.equal(task?.assignee, task?.name);
      return task?.name;
    },
    'the name and assignee of a task from a listener': async (text) => {
      const input = { definitionKey: 'f', variables: [{ name: 'title', value: text }] };
      const { id } = (await admin.run(START, { input })).startProcess;
      const { task } = await admin.run('query ($id: ID!) { task(id: $id) { name assignee } }', {
        id: await taskOf(id),
      });
      assert.equal(task?.assignee, task?.name);
      return task?.name;
    },
    'the name of a message from an expression': async (text) => {
      const input = { definitionKey: 'g', variables: [{ name: 'title', value: text }] };
      const { id } = (await admin.run(START, { input })).startProcess;
      const query =
        'mutation ($id: ID!, $name: String!) { correlateMessage(input: { messageName: $name, processInstanceId: $id }) { ended } }';
      const { correlateMessage } = await admin.run(query, { id, name: text });
      return correlateMessage?.ended ? text : null;
    },
    'the name of a file of a deployment': async (text) => {
      const content = bpmn(line(['wait'], element('userTask', 'wait')), { key: 'h' });
      await admin.run(DEPLOY, { input: { name: 'h', resources: [{ name: `${text}.bpmn`, content }] } });
      const { processDefinition } = await admin.run('{ processDefinition(key: "h") { resourceName } }');
      return processDefinition?.resourceName?.slice(0, -'.bpmn'.length);
    },
    'a variable': async (text) => {
      const input = {
        definitionKey: 'e',
        variables: [
          { name: 'v', value: text },
          { name: 'in', value: { [`k${text}`]: [text] } },
        ],
      };
      const { id } = (await admin.run(START, { input })).startProcess;
      const query = 'query ($id: ID!) { processInstance(id: $id) { variables { name value } } }';
      const variables = (await admin.run(query, { id })).processInstance?.variables ?? [];
      const of = (name: string) => variables.find((one) => one.name === name)?.value;
      assert.deepEqual(of('in'), { [`k${text}`]: [text] });
      return of('v');
    },
    'a large variable': async (text) => {
      const large = text + 'x'.repeat(100_000) + text;
      const input = { definitionKey: 'e', variables: [{ name: 'v', value: large }] };
      const { id } = (await admin.run(START, { input })).startProcess;
      const query = 'query ($id: ID!) { processInstance(id: $id) { variables { value } } }';
      const value = (await admin.run(query, { id })).processInstance?.variables[0]?.value;
      return value === large ? text : value;
    },
    'an assignee': async (text) => {
      await admin.run('mutation ($id: ID!, $user: String!) { setTaskAssignee(taskId: $id, assignee: $user) { id } }', {
        id: taskId,
        user: text,
      });
      return (await admin.run('query ($id: ID!) { task(id: $id) { assignee } }', { id: taskId })).task?.assignee;
    },
    'a reason': async (text) => {
      const { id } = (await admin.run(START, { input: { definitionKey: 'e' } })).startProcess;
      await admin.run('mutation ($id: ID!, $reason: String) { cancelProcessInstance(id: $id, reason: $reason) }', {
        id,
        reason: text,
      });
      const query = 'query ($id: ID!) { processInstance(id: $id) { deleteReason } }';
      return (await admin.run(query, { id })).processInstance?.deleteReason;
    },
    'a property': async (text) => propertyOf({ stringValue: text }),
    'values of a property': async (text) => propertyOf({ stringArrayValue: [text, 'x'] }),
    'a large property': async (text) => {
      const large = text + 'x'.repeat(30_000) + text;
      const found = await propertyOf({ stringValue: large });
      return found === large ? text : found;
    },
    'an access control entry': async (text) => {
      const mutation =
        'mutation ($who: String!) { setAccessControl(path: "/content/texts", principal: $who, privileges: ["jcr:read"], allow: true) { entries { principal } } }';
      const { setAccessControl } = await admin.run(mutation, { who: text });
      return setAccessControl.entries.find(({ principal }) => principal === text)?.principal;
    },
  };
  it('are found by the whole text alone', async () => {
    const similar = [...Object.values(ODD), 'a', 'ab', 'a\ufffdb', 'a\ufffd\ufffdb'];
    const taken: string[] = [];
    for (const text of similar) {
      const started = admin.run(START, { input: { definitionKey: 'e', businessKey: `f${text}` } });
      await started.then(
        () => taken.push(text),
        () => {},
      );
    }
    for (const text of similar) {
      const query = 'query ($key: String) { processInstances(businessKey: $key) { edges { node { businessKey } } } }';
      const { edges } = (await admin.run(query, { key: `f${text}` })).processInstances;
      const found = edges.map(({ node }) => node.businessKey);
      assert.equal(JSON.stringify(found), JSON.stringify(taken.includes(text) ? [`f${text}`] : []));
    }
  });

  it('are refused as names of messages and signals, and as business keys that are correlated', async () => {
    for (const text of [ODD.NUL, ODD['a lone high surrogate']]) {
      for (const [mutation, input] of [
        ['correlateMessage(input: $input) { id }', { messageName: text }],
        ['correlateMessage(input: $input) { id }', { messageName: 'm', businessKey: text }],
        ['publishSignal(input: $input) { hasMore }', { signalName: text }],
      ] as const) {
        const type = mutation.startsWith('c') ? 'CorrelateMessageInput' : 'PublishSignalInput';
        await assert.rejects(admin.run(`mutation ($input: ${type}!) { ${mutation} }`, { input }), {
          code: 'BAD_REQUEST',
          message: /without NUL and halves of surrogate pairs/,
        });
      }
    }
  });

  let made = 0;
  const propertyOf = async (value: object): Promise<unknown> => {
    const name = `n${++made}`;
    const properties = [{ name: 'p', value }];
    await admin.run(CREATE, { input: { path: '/content/texts', name, nodeType: 'nt:unstructured', properties } });
    const query =
      'query ($path: String!) { node(path: $path) { properties { propertyValue { ... on StringPropertyValue { value } ... on StringPropertyValueArray { values } } } } }';
    const { node } = await admin.run(query, { path: `/content/texts/${name}` });
    const found = node?.properties[0]?.propertyValue as { value?: string; values?: string[] } | undefined;
    return found?.value ?? found?.values?.[0];
  };

  for (const [way, stored] of Object.entries(ways)) {
    for (const [what, text] of Object.entries(ODD)) {
      it(`${what} as ${way} comes back as it was given, or is refused`, async () => {
        try {
          assert.equal(JSON.stringify(await stored(text)), JSON.stringify(text));
        } catch (thrown) {
          if (!(thrown instanceof Refused)) throw thrown;
          assert.match(thrown.message, /without (NUL and )?halves of surrogate pairs/);
          assert.match(text, /\0|\p{Cs}/u);
        }
      });
    }
  }
});
