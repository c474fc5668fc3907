import { messageOf, ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';
import { banner } from './banner.js';
import { startServer } from './server.js';
import { ConfigError, type ConfigReading, readConfig } from './settings/config.js';
import { endOnSignals, type Unlisten } from './signals.js';
import { startTelemetry } from './telemetry/telemetry.js';
import { packageVersion } from './usage.js';
import { makeWire } from './wire/wire.js';

/** Runs the server until it is told to end. `unlisten`: ends what signals did until there was a server. */
export async function run(unlisten: Unlisten): Promise<void> {
  await start(unlisten).catch((thrown: unknown) => {
    const expected = thrown instanceof ConfigError || thrown instanceof ServiceError;
    process.stderr.write(`${expected || !(thrown instanceof Error) ? messageOf(thrown) : thrown.stack}\n`);
    process.exit(1);
  });
}

async function start(unlisten: Unlisten): Promise<void> {
  const { config, warnings }: ConfigReading = readConfig(process.env);
  log.level = config.logLevel;
  for (const warning of warnings) log.warn(warning);
  process.on('uncaughtException', die).on('unhandledRejection', die);
  process.stdout.on('error', () => {}); // whoever read the banner may have gone
  const telemetry = await startTelemetry(process.env);
  const server = await startServer(config, makeWire, {
    adminPasswordFile: process.env.MILLRACE_ADMIN_PASSWORD_FILE,
    closings: [{ name: 'telemetry', close: () => telemetry.shutdown() }],
  });
  endOnSignals(server.end, (code) => process.exit(code));
  unlisten(); // after it: where nobody listens in between, a signal that has just come is lost
  const { baseUrl, admin, losses } = server;
  const facts = {
    version: packageVersion(),
    baseUrl,
    dataFolder: config.dataFolder,
    admin,
    losses,
    telemetryEndpoint: telemetry.endpoint,
  };
  process.stdout.write(banner({ ...facts, readyMs: process.uptime() * 1000 }));
}

/** After a bug that nobody caught nothing can be relied on: what is durable is safe, and the next start goes on from there. */
function die(thrown: unknown): void {
  log.fatal({ err: thrown instanceof Error ? thrown : new Error(messageOf(thrown)) }, 'the server has failed and ends');
  process.exit(1);
}
