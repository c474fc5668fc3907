import assert from 'node:assert/strict';
import { serverAudits } from 'graphql-http';
import { startServer, type TestServer } from './support/test-server.js';

describe('audits of GraphQL over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const withSession = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), cookie: 'user=ann' } });
  const audits = serverAudits({ url: () => server.url, fetchFn: withSession });

  it('are 61', () => assert.equal(audits.length, 61));

  for (const audit of audits) {
    it(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      assert.equal(result.status, 'ok', 'reason' in result ? result.reason : undefined);
    });
  }
});
