import { readFileSync } from 'node:fs';
import { messageOf } from '../../shared/errors.js';
import { nearest } from '../../shared/nearest.js';
import { redisProblems } from './log-settings.js';
import { providerProblems } from './provider-settings.js';
import { settingTable } from './setting-table.js';
import type { Setting } from './settings.js';

type SettingTable = typeof settingTable;

/** The server's settings, read and checked once at start. Names end in their unit: `…Ms` in ms, `…BytesMax` in bytes. */
export type Config = {
  readonly [K in keyof SettingTable]: SettingTable[K] extends Setting<infer T> ? T : never;
};

/** The settings, and what the operator should know about what was given. */
export interface ConfigReading {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** The environment cannot be used. `problems`: one sentence per variable, those that are no setting behind those that are wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads all settings from the environment; each may also be given as `…_FILE`, the path of a file that holds it.
 * @throws ConfigError with every problem at once
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readText: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ConfigReading {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settingTable) as [string, Setting<unknown>][]) {
    const outcome = readSetting(setting, env, readText);
    if ('problem' in outcome) problems.push(outcome.problem);
    else values[key] = outcome.value;
  }
  const config = values as Config;
  problems.push(...contradictions(config, env));
  const unknown = unknownNames(env);
  // What is wrong may be a consequence of what is mistyped.
  if (problems.length > 0) throw new ConfigError([...problems, ...unknown]);
  return { config, warnings: [...unknown, ...hints(config)] };
}

/** How clients reach a server that listens on `port`: the origin, without a slash at its end. */
export function baseUrlOf(config: Pick<Config, 'baseUrl' | 'host'>, port: number): string {
  if (config.baseUrl !== undefined) return config.baseUrl;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type Outcome = { readonly value: unknown } | { readonly problem: string };

function readSetting(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  readText: (path: string) => string,
): Outcome {
  const fileName = `${setting.name}_FILE`;
  const direct = env[setting.name] || undefined;
  const file = env[fileName] || undefined;
  if (direct !== undefined && file !== undefined) {
    return { problem: `${setting.name}: expected either ${setting.name} or ${fileName}, but both are set` };
  }
  if (file !== undefined) {
    try {
      return parsed(setting, readText(file).replace(/\r?\n$/, ''), fileName);
    } catch (thrown) {
      return {
        problem: `${fileName}: expected the path of a readable file, but found '${file}' (${messageOf(thrown)})`,
      };
    }
  }
  const given = direct ?? setting.fallback;
  return given === undefined ? { value: undefined } : parsed(setting, given, setting.name);
}

function parsed(setting: Setting<unknown>, given: string, name: string): Outcome {
  const value = given === '' ? undefined : setting.parse(given);
  if (value !== undefined) return { value };
  return {
    problem: `${name}: expected ${setting.expected}, but found ${setting.secret ? 'another value' : `'${given}'`}`,
  };
}

/** Problems of settings that are fine alone. A setting that could not be read is not compared. */
function contradictions(config: Config, env: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  if (config.clock === 'virtual' && (env.REDIS_URL || env.REDIS_URL_FILE)) {
    problems.push(
      'MILLRACE_CLOCK: expected system where REDIS_URL is set, but found virtual: servers that share a Redis share real time',
    );
  }
  if (config.contentOrigin !== undefined && hostNameOf(config.contentOrigin) === hostNameOf(baseUrlOf(config, 0))) {
    problems.push(
      "MILLRACE_CONTENT_ORIGIN: expected another host name than that of MILLRACE_BASE_URL, but it is the same: cookies don't tell ports apart",
    );
  }
  // Of an address that could not be read nothing more is said.
  if (config.redis !== undefined || !(env.REDIS_URL || env.REDIS_URL_FILE)) problems.push(...redisProblems(config));
  problems.push(...providerProblems(config));
  if (config.sessionIdleMs > config.sessionAbsoluteMs) {
    problems.push('MILLRACE_SESSION_IDLE: expected at most MILLRACE_SESSION_ABSOLUTE, but it is longer');
  }
  return problems;
}

const hostNameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);

function hints(config: Config): string[] {
  const found: string[] = [];
  if (config.adminPassword !== undefined && config.adminPassword.length < 8) {
    found.push('MILLRACE_ADMIN_PASSWORD has fewer than 8 characters');
  }
  if (!LOOPBACK.test(config.host) && !config.baseUrl?.startsWith('https:')) {
    found.push(
      `HOST is '${config.host}' and MILLRACE_BASE_URL is not https: passwords and cookies travel in the clear`,
    );
  }
  if (config.proxyHops > 0 && config.baseUrl === undefined) {
    found.push(
      'MILLRACE_PROXY_HOPS is set and MILLRACE_BASE_URL is not: where clients come by https, cookies are not `Secure`',
    );
  }
  return found;
}

const LOOPBACK = /^(127\.[\d.]+|::1|localhost)$/;

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settingTable).flatMap(({ name }) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => name.startsWith('MILLRACE_') && !known.includes(name))
    .map((name) => `${name} is no setting of this server; the nearest is ${nearest(name, known)}`);
}
