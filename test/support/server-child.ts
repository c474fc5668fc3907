import { fileURLToPath } from 'node:url';
import { banner } from '../../src/server/run.js';
import { startServer } from '../../src/server/server.js';
import { readConfig } from '../../src/server/settings/config.js';
import { endOnSignals } from '../../src/server/signals.js';
import type { FirstUser } from '../../src/server/wire/domain.js';
import { makeWire } from '../../src/server/wire/wire.js';

/** The server's main program with the users of its argument beside `admin`: their passwords are their names. */
if (process.argv[1] === fileURLToPath(import.meta.url)) await run(JSON.parse(process.argv[2] ?? '[]'));

async function run(users: readonly FirstUser[]): Promise<void> {
  const { config } = readConfig(process.env);
  const named = users.map((user) => ({ password: user.userId, ...user }));
  const { admin, baseUrl, losses, failures, end } = await startServer(config, makeWire, { users: named });
  endOnSignals(end, (code) => process.exit(code));
  const facts = {
    version: 'test',
    baseUrl,
    dataFolder: config.dataFolder,
    admin,
    losses,
    failures,
    telemetryEndpoint: undefined,
  };
  process.stdout.write(banner({ ...facts, readyMs: process.uptime() * 1000 }));
}
