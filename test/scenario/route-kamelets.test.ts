import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const KAMELET = `
apiVersion: camel.apache.org/v1
kind: Kamelet
metadata: { name: shout-action }
spec:
  definition: { title: Shout, type: object, properties: { sign: { type: string, default: "!" } } }
  template:
    beans:
      - name: shouter
        type: Shouter
        properties: { sign: "{{sign}}" }
    from:
      uri: kamelet:source
      steps:
        - bean: { ref: "{{shouter}}", method: shout }
`;

const BEANS = `export class Shouter {
  shout(body) { return String(body).toUpperCase() + this.sign; }
}
export const counted = { count: 0, next() { return ++this.count; } };
`;

describe('kamelets and beans of a workspace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-beans-'));
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    writeFileSync(join(folder, 'beans.mjs'), BEANS);
    server = await liveServer({ clock: 'system', env: { MILLRACE_BEANS: join(folder, 'beans.mjs') } });
    admin = server.as('admin');
    await put('shout.kamelet.yaml', KAMELET);
    await eventually('the template is there', async () => {
      const { routeTemplate } = await admin.run('{ routeTemplate(id: "shout-action") { id } }');
      return routeTemplate?.id === 'shout-action';
    });
  });
  after(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  const put = (name: string, text: string) =>
    admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: { path: '/etc/eip/routes', name, content: Buffer.from(text).toString('base64') },
    });
  const create = (routeId: string, step: string) =>
    admin.run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status } }', {
      input: {
        ...{ routeId, autoStart: true },
        yaml: `- route: { id: ${routeId}, from: { uri: "direct:${routeId}", steps: [${step}] } }`,
      },
    });
  const send = async (id: string) =>
    (
      await admin.run('mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { body } }', {
        input: { endpointUri: `direct:${id}`, body: 'hello' },
      })
    ).sendToEndpoint?.body;

  it('serve routes of other files, each with parameters of its own', async () => {
    await create('plain', '{ to: { uri: "kamelet:shout-action" } }');
    await create('asking', '{ kamelet: { name: "shout-action?sign=%3F" } }');
    assert.deepEqual([await send('plain'), await send('asking')], ['HELLO!', 'HELLO?']);
    await assert.rejects(create('wrong', '{ to: { uri: "kamelet:shout-action?sing=x" } }'), /has no parameter 'sing'/);
  });

  it('are shared by the routes of a workspace where the operator has written them', async () => {
    await create('first', '{ to: { uri: "bean:counted?method=next" } }');
    await create('second', '{ setBody: { method: { ref: counted, method: next } } }');
    assert.deepEqual([await send('first'), await send('second')], ['1', '2']);
    await assert.rejects(create('none', '{ to: { uri: "bean:nobody" } }'), /nobody/);
  });
});
