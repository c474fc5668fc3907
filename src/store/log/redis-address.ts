import { isIP } from 'node:net';
import type { RedisOptions } from 'ioredis';
import type { RedisClientOptions, RedisFunctions, RedisModules, RedisScripts } from 'redis';

/** Where a Redis server is, and how to sign in there. */
export interface RedisAddress {
  /** A host and port, or the path of a unix socket. */
  readonly at: { readonly host: string; readonly port: number; readonly tls: boolean } | { readonly path: string };
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The number of the database. */
  readonly database: number;
  /** For an address with TLS: whom to trust, and what to show. */
  readonly tls?: RedisTls | undefined;
}

/** Texts in PEM. */
interface RedisTls {
  /** The certificates that are trusted, and no others. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  /** The certificate that Redis is shown, where it asks for one, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** How long a connection may take to be there, where nobody says. */
const CONNECT_MS = 5_000;

/** Reads `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, `unix:///path[?db=n]`; undefined: it is none. */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  if (!URL.canParse(text) || !/^(?:[^%]|%[\da-f]{2})*$/i.test(text)) return undefined;
  const url = new URL(text);
  const signIn = { username: decoded(url.username), password: decoded(url.password) };
  if (url.protocol === 'unix:') {
    const database = databaseOf(url.searchParams.get('db') ?? '');
    const path = decodeURIComponent(url.pathname);
    return database === undefined || path.length < 2 ? undefined : { at: { path }, ...signIn, database };
  }
  const database = databaseOf(url.pathname.slice(1));
  const isRedis = /^rediss?:$/.test(url.protocol) && url.hostname !== '' && url.search === '' && url.hash === '';
  if (!isRedis || database === undefined) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { at: { host, port: Number(url.port || 6379), tls: url.protocol === 'rediss:' }, ...signIn, database };
}

/** The address as it may be shown: without user and password. */
export const shownAddress = ({ at, database }: RedisAddress): string =>
  'path' in at
    ? `unix://${at.path}?db=${database}`
    : `${at.tls ? 'rediss' : 'redis'}://${at.host}:${at.port}/${database}`;

/** Options of a client that speaks RESP 2. */
type CommitClientOptions = RedisClientOptions<RedisModules, RedisFunctions, RedisScripts, 2>;

/** For commits: what is sent is sent once, and what was lost with its connection is known to be lost. */
export function commitClientOptions(address: RedisAddress, connectMs = CONNECT_MS): CommitClientOptions {
  const { at, username, password, database } = address;
  const common = { reconnectStrategy: false, connectTimeout: connectMs } as const;
  const socket: CommitClientOptions['socket'] =
    'path' in at
      ? { ...common, path: at.path, tls: false }
      : at.tls
        ? { ...common, host: at.host, port: at.port, tls: true, ...tlsOptions(at.host, address.tls) }
        : { ...common, host: at.host, port: at.port };
  return {
    RESP: 2,
    socket,
    database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    disableOfflineQueue: true,
    // Its own limit guards only commands that wait to be written, and costs more than the command.
    commandOptions: { timeout: 0 },
  };
}

/** For reading streams: connects again by itself, for as long as it takes, or not at all. */
export function streamClientOptions(address: RedisAddress, comesBack: boolean): Omit<RedisOptions, 'replyMapping'> {
  const { at, username, password, database } = address;
  return {
    ...('path' in at
      ? { path: at.path }
      : { host: at.host, port: at.port, ...(at.tls && { tls: tlsOptions(at.host, address.tls) }) }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    db: database,
    protocol: 2,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (comesBack ? Math.min(50 * times, 500) : null),
  };
}

/** What Node's `tls.connect` is told. It names the host to the server by itself only where it is told to. */
const tlsOptions = (host: string, { ca, cert, key }: RedisTls = {}) => ({
  ...(isIP(host) === 0 && { servername: host }),
  ...(ca !== undefined && { ca }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
});

const decoded = (text: string): string | undefined => (text === '' ? undefined : decodeURIComponent(text));

const databaseOf = (text: string): number | undefined =>
  text === '' ? 0 : /^\d{1,5}$/.test(text) ? Number(text) : undefined;
