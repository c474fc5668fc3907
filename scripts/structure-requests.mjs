// Which files of src a request enters: those in which V8 counts a call of a function in the main thread from when it is sent to when it is
// answered. Some like it were sent before. What goes on by itself falls within some times and others not: a file counts that is entered each time.
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './project.mjs';

const WARM = 5;
const TIMES = 3;
const BUILT = pathToFileURL(join(root, 'build/src/')).href;
const MODEL = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="structure">
<process id="structure" isExecutable="true" camunda:historyTimeToLive="P1D" xmlns:camunda="http://camunda.org/schema/1.0/bpmn">
<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="t"/><userTask id="t"/>
<sequenceFlow id="f2" sourceRef="t" targetRef="e"/><endEvent id="e"/></process></definitions>`;

/** Each request by its name: prepared by itself, then sent. */
const requests = {
  startProcess: async (client) => () =>
    client.run('mutation { startProcess(input: { definitionKey: "structure" }) { id } }'),
  claimTask: async (client) => {
    const { startProcess } = await client.run(
      'mutation { startProcess(input: { definitionKey: "structure" }) { tasks { edges { node { id } } } } }',
    );
    const id = startProcess.tasks.edges[0].node.id;
    return () => client.run('mutation ($id: ID!) { claimTask(taskId: $id) { id assignee } }', { id });
  },
  setProperties: async (client, n) => {
    await folder(client, `set-${n}`);
    const properties = '[{ name: "jcr:title", value: { stringValue: "Title" } }]';
    return () =>
      client.run(
        `mutation { setProperties(input: { path: "/set-${n}", properties: ${properties} }) { errors { message } } }`,
      );
  },
  moveNode: async (client, n) => {
    await folder(client, `move-${n}`);
    return () =>
      client.run(
        `mutation { moveNode(input: { sourcePath: "/move-${n}", destPath: "/", name: "moved-${n}" }) { path } }`,
      );
  },
  checkin: async (client, n) => {
    await folder(client, `version-${n}`);
    await client.run(`mutation { addVersionControl(input: { path: "/version-${n}" }) { path } }`);
    await client.run(`mutation { checkout(input: { path: "/version-${n}" }) }`);
    return () => client.run(`mutation { checkin(input: { path: "/version-${n}" }) { name } }`);
  },
  'query node': async (client, n) => {
    await folder(client, `node-${n}`);
    return () => client.run(`{ node(path: "/node-${n}") { path name nodeType properties { name } } }`);
  },
};

const folder = (client, name) =>
  client.run(
    `mutation { createNode(input: { path: "/", name: "${name}", nodeType: "nt:unstructured", mixins: ["mix:title"] }) { path } }`,
  );

/** Pairs of a request's name and how many files it enters. */
export async function filesEntered() {
  const { liveServer } = await import(join(root, 'build/test/support/server.js'));
  const server = await liveServer({ clock: 'system' });
  const client = server.as('admin');
  const resources = [{ name: 'model.bpmn', content: MODEL }];
  await client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
    input: { name: 'model', resources },
  });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const counted = [];
  for (const [name, prepare] of Object.entries(requests)) {
    for (let n = 0; n < WARM; n++) await (await prepare(client, n))();
    const times = [];
    for (let n = WARM; n < WARM + TIMES; n++) {
      const send = await prepare(client, n);
      await new Promise((resolve) => setTimeout(resolve, 300)); // what follows the preparation has been done
      await session.post('Profiler.takePreciseCoverage');
      await send();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const entered = result.filter(({ url, functions }) => url.startsWith(BUILT) && functions.some(isCalled));
      times.push(new Set(entered.map(({ url }) => url)));
    }
    const [first, ...others] = times;
    const entered = [...first].filter((url) => others.every((files) => files.has(url)));
    counted.push([name, entered.length]);
  }
  await server.remove();
  return counted;
}

const isCalled = ({ ranges }) => ranges[0].count > 0;
