import assert from 'node:assert/strict';
import fc from 'fast-check';
import { baseUrlOf, ConfigError, readConfig } from '../../../src/server/settings/config.js';
import { redisAddressOf } from '../../../src/server/settings/log-settings.js';
import { settingTable } from '../../../src/server/settings/setting-table.js';
import { certificates, hasOpenssl, textOf } from '../../support/certificates.js';
import { temporaryFolder } from '../../support/temporary.js';

const problemsOf = (env: Record<string, string>, files: Record<string, string> = {}): readonly string[] => {
  try {
    readConfig(env, readerOf(files));
  } catch (thrown) {
    assert.ok(thrown instanceof ConfigError);
    return thrown.problems;
  }
  return assert.fail('expected the settings to be refused');
};
const readerOf = (files: Record<string, string>) => (path: string) => {
  const found = files[path];
  if (found === undefined) throw new Error(`ENOENT: no such file '${path}'`);
  return found;
};

describe('the settings', () => {
  it('have a default for everything, so that nothing needs to be set', () => {
    const { config, warnings } = readConfig({});
    assert.deepEqual(
      [config.port, config.host, config.dataFolder, config.clock, config.jobSlots, config.logLevel],
      [8080, '127.0.0.1', './data', 'system', 256, 'info'],
    );
    assert.equal(config.sessionIdleMs, 1_800_000);
    assert.equal(config.historyKeptMs, 180 * 86_400_000);
    assert.equal(config.adminPassword, undefined);
    assert.deepEqual(warnings, []);
  });

  it('warn where a proxy stands before the server and nobody says how clients reach it', () => {
    const warningsOf = (env: Record<string, string>) => readConfig(env).warnings;
    assert.match(
      warningsOf({ MILLRACE_PROXY_HOPS: '1' })[0] ?? '',
      /MILLRACE_BASE_URL is not: .* cookies are not `Secure`/,
    );
    assert.deepEqual(warningsOf({ MILLRACE_PROXY_HOPS: '1', MILLRACE_BASE_URL: 'https://flow.example' }), []);
  });

  it('take every value from the environment', () => {
    const { config } = readConfig({ PORT: '0', MILLRACE_DRAIN_TIMEOUT: '1500ms', MILLRACE_BODY_BYTES_MAX: '2MiB' });
    assert.deepEqual([config.port, config.drainTimeoutMs, config.bodyBytesMax], [0, 1500, 2_097_152]);
  });

  it('take every value from a file too, without its last line break', () => {
    const { config } = readConfig(
      { MILLRACE_ADMIN_PASSWORD_FILE: '/run/admin', PORT_FILE: '/run/port' },
      readerOf({ '/run/admin': 'a secret of mine\n', '/run/port': '9000\r\n' }),
    );
    assert.deepEqual([config.adminPassword, config.port], ['a secret of mine', 9000]);
  });

  it('treat an empty variable as one that is not set', () => {
    assert.equal(readConfig({ PORT: '', MILLRACE_ADMIN_PASSWORD: '' }).config.port, 8080);
  });

  it('of a provider are whole, and safe', () => {
    const provider = { MILLRACE_OIDC_ISSUER: 'https://login.example/realms/a', MILLRACE_OIDC_CLIENT_ID: 'me' };
    const { config } = readConfig({ ...provider, MILLRACE_LOCAL_SIGN_IN: 'off', MILLRACE_JWT_AUDIENCE: 'api' });
    assert.deepEqual(
      [config.oidcIssuer, config.oidcScopes],
      ['https://login.example/realms/a', 'openid profile email'],
    );
    const namesOf = (env: Record<string, string>) => problemsOf(env).map((problem) => problem.split(':')[0]);
    const [id, local, audience] = ['MILLRACE_OIDC_CLIENT_ID', 'MILLRACE_LOCAL_SIGN_IN', 'MILLRACE_JWT_AUDIENCE'];
    assert.deepEqual(namesOf({ MILLRACE_OIDC_ISSUER: 'https://login.example' }), [id]);
    assert.deepEqual(namesOf({ MILLRACE_OIDC_CLIENT_ID: 'me' }), [id]);
    assert.deepEqual(namesOf({ MILLRACE_OIDC_CLIENT_SECRET: 's' }), ['MILLRACE_OIDC_CLIENT_SECRET']);
    assert.deepEqual(namesOf({ ...provider, MILLRACE_OIDC_SCOPES: 'profile' }), ['MILLRACE_OIDC_SCOPES']);
    assert.deepEqual(namesOf({ MILLRACE_LOCAL_SIGN_IN: 'off' }), [local]);
    assert.deepEqual(namesOf({ MILLRACE_JWT_AUDIENCE: 'api' }), [audience]);
    assert.deepEqual(namesOf({ MILLRACE_JWT_ISSUER: 'https://login.example' }), [audience]);
    assert.deepEqual(namesOf({ ...provider, MILLRACE_JWT_AUDIENCE: 'me' }), [audience]);
    const issuers = [
      'http://login.example',
      'https://x.example/?a',
      'https://a:b@x.example',
      'file:///etc/passwd',
      'login',
    ];
    for (const issuer of issuers)
      assert.deepEqual(
        namesOf({ ...provider, MILLRACE_OIDC_ISSUER: issuer }).slice(0, 1),
        ['MILLRACE_OIDC_ISSUER'],
        issuer,
      );
    for (const algorithms of ['none', 'HS256', 'RS256,none', 'RS1'])
      assert.deepEqual(namesOf({ MILLRACE_JWT_ALGORITHMS: algorithms }), ['MILLRACE_JWT_ALGORITHMS'], algorithms);
    assert.deepEqual(namesOf({ MILLRACE_CLAIM_MAPPING: 'groups=staff' }), ['MILLRACE_CLAIM_MAPPING']);
    assert.doesNotMatch(problemsOf({ ...provider, MILLRACE_OIDC_CLIENT_SECRET: 'x', PORT: 'y' }).join(), /'x'/);
  });

  it('are refused all at once, each with its variable, what was expected and what was found', () => {
    const problems = problemsOf({ PORT: '70000', MILLRACE_LOG_LEVEL: 'loud', MILLRACE_SESSION_IDLE: '5 parsecs' });
    assert.equal(problems.length, 3);
    assert.equal(problems[0], "PORT: expected an integer from 0 to 65535, but found '70000'");
    assert.match(problems[1] ?? '', /^MILLRACE_LOG_LEVEL: expected one of trace, debug, .* but found 'loud'$/);
    assert.match(problems[2] ?? '', /^MILLRACE_SESSION_IDLE: expected a duration .* but found '5 parsecs'$/);
  });

  it('refuse a value that is given twice, and a file that cannot be read', () => {
    assert.deepEqual(problemsOf({ PORT: '1', PORT_FILE: '/run/port' }), [
      'PORT: expected either PORT or PORT_FILE, but both are set',
    ]);
    assert.match(
      problemsOf({ PORT_FILE: '/run/none' })[0] ?? '',
      /^PORT_FILE: expected the path of a readable file, but found '\/run\/none'/,
    );
    assert.match(
      problemsOf({ PORT_FILE: '/run/empty' }, { '/run/empty': '\n' })[0] ?? '',
      /^PORT_FILE: expected an integer/,
    );
  });

  it('take a Redis server by its URL, and refuse what is none without telling the password in it', () => {
    const { config } = readConfig({ REDIS_URL: 'rediss://app:hunter2@cache:6380/3' });
    assert.deepEqual(config.redis?.at, { host: 'cache', port: 6380, tls: true });
    assert.deepEqual([config.redis?.username, config.redis?.password, config.redis?.database], ['app', 'hunter2', 3]);
    const problems = problemsOf({ REDIS_URL: 'http://:hunter2@cache:6379' });
    assert.match(problems[0] ?? '', /^REDIS_URL: expected the URL of a Redis server/);
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  it('take certificates for TLS to Redis, and refuse what would not be used or does not fit', function () {
    if (!hasOpenssl()) return this.skip();
    const folder = temporaryFolder();
    const { ca, server, client } = certificates(folder.path);
    const [CA, CERT, KEY] = [ca, client.cert, client.key].map(textOf) as [string, string, string];
    const otherKey = textOf(server.key);
    folder.remove();
    const url = { REDIS_URL: 'rediss://cache' };
    const { config } = readConfig({ ...url, REDIS_TLS_CA: CA + CERT, REDIS_TLS_CERT: CERT, REDIS_TLS_KEY: KEY });
    assert.deepEqual(redisAddressOf(config)?.tls, { ca: CA + CERT, cert: CERT, key: KEY });
    const told = (env: Record<string, string>) => problemsOf(env).join();
    assert.match(
      told({ REDIS_TLS_CA: CA }),
      /^REDIS_TLS_CA: expected a REDIS_URL that begins with rediss:\/\/ beside it/,
    );
    assert.match(told({ REDIS_URL: 'redis://cache', REDIS_TLS_CA: CA }), /^REDIS_TLS_CA: expected a REDIS_URL/);
    assert.match(told({ ...url, REDIS_TLS_CERT: CERT }), /^REDIS_TLS_CERT: expected it and REDIS_TLS_KEY to be set/);
    assert.match(
      told({ ...url, REDIS_TLS_CERT: CERT, REDIS_TLS_KEY: otherKey }),
      /^REDIS_TLS_KEY: expected the key of/,
    );
    for (const name of ['REDIS_TLS_CA', 'REDIS_TLS_CERT', 'REDIS_TLS_KEY']) {
      for (const wrong of ['/etc/ca.pem', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----', 'secret']) {
        const problems = told({ ...url, [name]: wrong });
        assert.match(problems, new RegExp(`^${name}: expected .* in PEM.*, but found another value`), wrong);
      }
    }
    assert.match(told({ REDIS_URL: 'nonsense', REDIS_TLS_CA: CA }), /^REDIS_URL: [^:]*(:[^:]*)*$/);
  });

  it('refuse virtual time beside a Redis server', () => {
    const problems = problemsOf({ REDIS_URL: 'redis://:hunter2@cache:6379', MILLRACE_CLOCK: 'virtual' });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^MILLRACE_CLOCK: expected system where REDIS_URL is set, but found virtual/);
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  it('refuse a session that is idle for longer than it lasts', () => {
    assert.match(
      problemsOf({ MILLRACE_SESSION_IDLE: '2d' })[0] ?? '',
      /^MILLRACE_SESSION_IDLE: expected at most MILLRACE_SESSION_ABSOLUTE/,
    );
  });

  it('warn of a name that looks like a setting, with the nearest one', () => {
    const { warnings } = readConfig({ MILLRACE_JOBSLOTS: '4', MILLRACE_ADMIN_PASWORD: 'x', OTEL_SERVICE_NAME: 'x' });
    assert.deepEqual(warnings, [
      'MILLRACE_JOBSLOTS is no setting of this server; the nearest is MILLRACE_JOB_SLOTS',
      'MILLRACE_ADMIN_PASWORD is no setting of this server; the nearest is MILLRACE_ADMIN_PASSWORD',
    ]);
  });

  it('tell names that are no settings together with what is wrong', () => {
    assert.deepEqual(problemsOf({ PORT: 'x', MILLRACE_JOBSLOTS: '4' }), [
      "PORT: expected an integer from 0 to 65535, but found 'x'",
      'MILLRACE_JOBSLOTS is no setting of this server; the nearest is MILLRACE_JOB_SLOTS',
    ]);
  });

  it('warn when passwords would travel in the clear', () => {
    assert.match(readConfig({ HOST: '0.0.0.0' }).warnings[0] ?? '', /in the clear/);
    assert.deepEqual(readConfig({ HOST: '0.0.0.0', MILLRACE_BASE_URL: 'https://flow.example' }).warnings, []);
  });

  it('read durations in short and in ISO form', () => {
    const read = (text: string) => readConfig({ MILLRACE_HISTORY_KEPT: text }).config.historyKeptMs;
    assert.deepEqual(
      ['90s', '2h', 'P1D', 'PT1H30M', 'P1DT1S'].map(read),
      [90_000, 7_200_000, 86_400_000, 5_400_000, 86_401_000],
    );
    for (const wrong of ['P', 'PT', 'P1DT', '1', '-1s', '1.5h', 'P1M', '0s']) {
      assert.equal(problemsOf({ MILLRACE_HISTORY_KEPT: wrong }).length, 1, wrong);
    }
  });

  it('read a base URL as an origin', () => {
    assert.equal(readConfig({ MILLRACE_BASE_URL: 'https://Flow.Example:443/' }).config.baseUrl, 'https://flow.example');
    for (const wrong of ['flow.example', 'ftp://flow.example', 'https://flow.example/x', 'https://u:p@flow.example']) {
      assert.equal(problemsOf({ MILLRACE_BASE_URL: wrong }).length, 1, wrong);
    }
  });

  it('read origins of other sites as a list', () => {
    const read = (text: string) => readConfig({ MILLRACE_ALLOWED_ORIGINS: text }).config.allowedOrigins;
    assert.deepEqual(read('https://A.example:443/, http://localhost:5173'), [
      'https://a.example',
      'http://localhost:5173',
    ]);
    assert.equal(readConfig({}).config.allowedOrigins, undefined);
    for (const wrong of ['*', 'null', 'a.example', 'https://a.example/x', 'https://a.example,', ',']) {
      assert.equal(problemsOf({ MILLRACE_ALLOWED_ORIGINS: wrong }).length, 1, wrong);
    }
  });

  it("take an origin of content whose host is another one than the server's", () => {
    const read = (env: Record<string, string>) => readConfig(env).config.contentOrigin;
    assert.equal(read({}), undefined);
    assert.equal(read({ MILLRACE_CONTENT_ORIGIN: 'https://Content.Example/' }), 'https://content.example');
    for (const env of [
      { MILLRACE_BASE_URL: 'https://flow.example', MILLRACE_CONTENT_ORIGIN: 'https://flow.example:444' },
      { MILLRACE_BASE_URL: 'https://flow.example', MILLRACE_CONTENT_ORIGIN: 'http://flow.example' },
      { MILLRACE_CONTENT_ORIGIN: 'http://127.0.0.1:8081' },
      { HOST: '::1', MILLRACE_CONTENT_ORIGIN: 'http://[::1]:8081' },
      { MILLRACE_CONTENT_ORIGIN: 'https://content.example/path' },
    ]) {
      const problems = problemsOf(env);
      assert.equal(problems.length, 1, JSON.stringify(env));
      assert.match(problems[0] ?? '', /^MILLRACE_CONTENT_ORIGIN: expected an/);
    }
  });

  it('never throw anything but the list of problems, whatever is given', () => {
    const names = Object.values(settingTable).map(({ name }) => name);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
        try {
          readConfig(env);
        } catch (thrown) {
          assert.ok(thrown instanceof ConfigError);
        }
      }),
    );
  });

  it('have names that are unique and belong to the server', () => {
    const names = Object.values(settingTable).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^(PORT|HOST|REDIS_URL|REDIS_TLS_(CA|CERT|KEY)|MILLRACE_[A-Z_]+)$/);
  });
});

describe('the base URL', () => {
  it('is the setting, or host and port', () => {
    assert.equal(baseUrlOf({ baseUrl: 'https://flow.example', host: '::' }, 1), 'https://flow.example');
    assert.equal(baseUrlOf({ baseUrl: undefined, host: '127.0.0.1' }, 8080), 'http://127.0.0.1:8080');
    assert.equal(baseUrlOf({ baseUrl: undefined, host: '0.0.0.0' }, 8080), 'http://localhost:8080');
    assert.equal(baseUrlOf({ baseUrl: undefined, host: '::1' }, 8080), 'http://[::1]:8080');
  });
});
