import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseRedisUrl, type RedisAddress } from '../../store/index.js';
import { bytes, duration, optional, type Setting } from './settings.js';

/** Where Redis is, and how TLS to it is done. */
export const redisSettings = {
  redis: optional({
    name: 'REDIS_URL',
    expected:
      'the URL of a Redis server (6.2 or later) such as redis://:password@host:6379/0, rediss://host (TLS) or unix:///run/redis.sock?db=0',
    description:
      'The Redis server that keeps everything that is decided; the data folder then holds what can be had again from it, and blobs and records. One server at a time may use a database of it. Unset: the data folder alone.',
    secret: true,
    parse: (given) => parseRedisUrl(given),
  }),
  redisTlsCa: optional({
    name: 'REDIS_TLS_CA',
    expected: 'one or more certificates in PEM',
    description:
      'The certificates that are trusted for `rediss://`, and no others; mostly given as `REDIS_TLS_CA_FILE`. Unset: those that Node trusts, and those of `NODE_EXTRA_CA_CERTS`.',
    secret: true,
    parse: (given) => (areCertificates(given) ? given : undefined),
  }),
  redisTlsCert: optional({
    name: 'REDIS_TLS_CERT',
    expected: 'a certificate in PEM',
    description:
      'The certificate that the server shows to a Redis that asks for one (`tls-auth-clients`, which is on by default), with those between it and its root.',
    secret: true,
    parse: (given) => (areCertificates(given) ? given : undefined),
  }),
  redisTlsKey: optional({
    name: 'REDIS_TLS_KEY',
    expected: 'a private key in PEM, without a passphrase',
    description: 'The key of `REDIS_TLS_CERT`.',
    secret: true,
    parse: (given) => (isKey(given) ? given : undefined),
  }),
};

type RedisConfig = {
  readonly [K in keyof typeof redisSettings]: (typeof redisSettings)[K] extends Setting<infer T> ? T : never;
};

/** The address with what TLS needs; undefined: there is no Redis. */
export function redisAddressOf({
  redis,
  redisTlsCa,
  redisTlsCert,
  redisTlsKey,
}: RedisConfig): RedisAddress | undefined {
  return redis && { ...redis, tls: { ca: redisTlsCa, cert: redisTlsCert, key: redisTlsKey } };
}

/** Problems of settings that are fine alone: TLS that would not be used, half a certificate. */
export function redisProblems({ redis, redisTlsCa, redisTlsCert, redisTlsKey }: RedisConfig): string[] {
  const given = Object.entries({ REDIS_TLS_CA: redisTlsCa, REDIS_TLS_CERT: redisTlsCert, REDIS_TLS_KEY: redisTlsKey });
  const names = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length > 0 && !(redis && 'host' in redis.at && redis.at.tls)) {
    return [`${names[0]}: expected a REDIS_URL that begins with rediss:// beside it, but there is none`];
  }
  if ((redisTlsCert === undefined) !== (redisTlsKey === undefined)) {
    return ['REDIS_TLS_CERT: expected it and REDIS_TLS_KEY to be set together, but only one of them is'];
  }
  if (redisTlsCert === undefined || redisTlsKey === undefined) return [];
  if (new X509Certificate(redisTlsCert).checkPrivateKey(createPrivateKey(redisTlsKey))) return [];
  return ['REDIS_TLS_KEY: expected the key of REDIS_TLS_CERT, but found another one'];
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function areCertificates(pem: string): boolean {
  const found = pem.match(CERTIFICATE) ?? [];
  return found.length > 0 && found.every((one) => does(() => new X509Certificate(one)));
}

const isKey = (pem: string): boolean => does(() => createPrivateKey(pem));

function does(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Settings for things that are lost or damaged. */
export const integritySettings = {
  checkEveryMs: duration(
    'MILLRACE_CHECK_EVERY',
    '24h',
    'How long the background check rests, which compares all that is stored with its checksums, in a twentieth of the time of a thread of its own, a hundredth while the server has work to do. It begins 10 s after the start, or after this time where that is shorter.',
  ),
  acceptLoss: optional({
    name: 'MILLRACE_ACCEPT_LOSS',
    expected: 'the path of a log that is lost',
    description:
      'The `log.db` that a start was refused for, as it is gone or cannot be read any more: it begins anew, without all that it held. What is left of the file stays beside it. To be set once.',
    parse: (given) => given,
  }),
  diskLowBytes: bytes(
    'MILLRACE_DISK_LOW',
    '1GiB',
    'With less room on the disk of the data folder administrators are told so, once, and `/health/ready` warns of it (`disk_low`).',
    '1TiB',
  ),
  diskCriticalBytes: bytes(
    'MILLRACE_DISK_CRITICAL',
    '100MiB',
    'With less room than this they are told that it is urgent (`disk_critical`).',
    '1TiB',
  ),
};
