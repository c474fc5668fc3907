import assert from 'node:assert/strict';
import { serverAudits } from 'graphql-http';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

describe('audits of GraphQL over HTTP, on the whole server with a session', () => {
  let server: LiveServer;
  let cookie = '';
  before(async () => {
    server = await liveServer();
    const login = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    });
    assert.equal(login.status, 200);
    cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });
  after(() => server.remove());

  const withSession = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } });
  const audits = serverAudits({ url: () => server.as('admin').url, fetchFn: withSession });

  it('are 61', () => assert.equal(audits.length, 61));

  for (const audit of audits) {
    it(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      assert.equal(result.status, 'ok', 'reason' in result ? result.reason : undefined);
    });
  }
});
