import {
  APPEND,
  CHECK,
  COUNT,
  FIELDS_MAX,
  FORGET_MAX,
  LET_GO,
  MORE_FIELDS,
  NEW_EPOCH,
  RENEW,
  type RedisScript,
  TAKE,
  TRIM,
} from '../../../src/store/log/redis-scripts.js';

/** A command on the keyspace, as `redis.call`. */
type Call = (...words: string[]) => unknown;
type Meaning = (call: Call, keys: readonly string[], args: readonly string[]) => unknown;

/** What the store's scripts do, by their hashes: line by line what their Lua does. */
export const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [TAKE, take],
      [RENEW, renew],
      [LET_GO, letGo],
      [APPEND, append],
      [TRIM, trim],
      [NEW_EPOCH, newEpoch],
      [COUNT, count],
      [CHECK, check],
    ] as const
  ).map(([{ sha }, meaning]: readonly [RedisScript, Meaning]) => [sha, meaning]),
);

const get = (call: Call, key: string, ...fields: string[]) => call('HMGET', key, ...fields) as (string | null)[];

function nowOf(call: Call): number {
  const [seconds, micros] = call('TIME') as [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

function take(call: Call, [meta = '', ...others]: readonly string[], args: readonly string[]): unknown {
  const [fence = '', server = '', leaseMs = '', epoch = '', format = ''] = args;
  const now = nowOf(call);
  const [holder, lease, known] = get(call, meta, 'holder', 'lease', 'epoch');
  if (holder && holder !== server && Number(lease) > now) return ['held', holder, lease];
  const left = known === null ? others.find((key) => call('TYPE', key) !== 'none') : undefined;
  if (left !== undefined) return ['headless', left];
  if (known === null)
    call('HSET', meta, 'format', format, 'epoch', epoch, 'revision', '0', 'commit', '', 'trimmed', '0');
  call('HSET', meta, 'fence', fence, 'holder', server, 'lease', String(now + Number(leaseMs)));
  return ['taken', ...get(call, meta, 'format', 'epoch', 'revision', 'commit', 'trimmed')];
}

function renew(call: Call, [meta = '']: readonly string[], [fence = '', forMs = '']: readonly string[]): unknown {
  if (call('HGET', meta, 'fence') !== fence) return 0;
  call('HSET', meta, 'lease', String(Number(forMs) > 0 ? nowOf(call) + Number(forMs) : 0));
  return 1;
}

function letGo(call: Call, [meta = '']: readonly string[], [server = '']: readonly string[]): unknown {
  const [holder, lease] = get(call, meta, 'holder', 'lease');
  if (holder && holder !== server && Number(lease) > nowOf(call)) return [holder, lease];
  if (holder) call('HSET', meta, 'fence', '');
  return [];
}

function append(call: Call, keys: readonly string[], args: readonly string[]): unknown {
  const [meta = '', log = '', outcome = '', outcomeAt = '', ...collections] = keys;
  const words = args[Symbol.iterator]();
  const next = (): string => words.next().value ?? '';
  const [fence, commit, revision] = get(call, meta, 'fence', 'commit', 'revision');
  if (fence !== next()) return 'fence';
  const last = next();
  let commits = Number(next());
  const names = Array.from({ length: Number(next()) }, next);
  const first = Number(args[4 + names.length]);
  if (commit !== last || Number(revision) + 1 !== first) return 'history';
  let [newest, id] = ['', ''];
  const counted = new Map<string, number>();
  const count = (name: string, by: unknown) => {
    if (Number(by) !== 0) counted.set(name, (counted.get(name) ?? 0) + Number(by));
  };
  for (; commits > 0; commits--) {
    newest = next();
    id = next();
    const [at, events, body, outcomeId, outcomeBody] = [next(), next(), next(), next(), next()];
    const entry = ['id', id, 'at', at, 'events', events, 'body', body];
    if (outcomeId !== '') {
      entry.push(`o:${outcomeId}`, outcomeBody);
      count('outcome', call('HSET', outcome, outcomeId, `${at} ${newest} ${outcomeBody}`));
      call('ZADD', outcomeAt, at, outcomeId);
    }
    const more: string[] = [];
    const documents = Number(next());
    for (let n = 1; n <= documents; n++) {
      const place = Number(next()) - 1;
      const [document, text] = [next(), next()];
      (n <= FIELDS_MAX ? entry : more).push(`d:${names[place]}/${document}`, text);
      const key = collections[place] ?? '';
      if (text === '') count(`doc:${names[place]}`, -Number(call('HDEL', key, document)));
      else count(`doc:${names[place]}`, call('HSET', key, document, text));
    }
    if (more.length > 0) entry.push(MORE_FIELDS, JSON.stringify(more));
    call('XADD', log, `${newest}-0`, ...entry);
  }
  call('HSET', meta, 'revision', newest, 'commit', id);
  for (const [name, by] of counted) call('HINCRBY', meta, `count:${name}`, String(by));
  return 'ok';
}

function trim(call: Call, keys: readonly string[], [fence = '', upTo = '', before = '']: readonly string[]): unknown {
  const [meta = '', log = '', outcome = '', outcomeAt = ''] = keys;
  const [held, trimmed, newest] = get(call, meta, 'fence', 'trimmed', 'revision');
  if (held !== fence) return -1;
  const revision = Math.min(Number(upTo), Number(newest));
  if (revision > Number(trimmed)) {
    call('XTRIM', log, 'MINID', `${revision}-0`);
    call('HSET', meta, 'trimmed', String(revision));
  }
  const old = call('ZRANGEBYSCORE', outcomeAt, '-inf', `(${before}`, 'LIMIT', '0', String(FORGET_MAX)) as string[];
  if (old.length > 0) {
    call('HINCRBY', meta, 'count:outcome', String(-Number(call('HDEL', outcome, ...old))));
    call('ZREM', outcomeAt, ...old);
  }
  return old.length;
}

function newEpoch(call: Call, [meta = '']: readonly string[], [fence = '', epoch = '']: readonly string[]): unknown {
  if (call('HGET', meta, 'fence') !== fence) return 0;
  call('HSET', meta, 'epoch', epoch);
  return 1;
}

function count(call: Call, [meta = '', ...hashes]: readonly string[], args: readonly string[]): unknown {
  const [fence = '', format = '', ...names] = args;
  if (call('HGET', meta, 'fence') !== fence) return 0;
  hashes.forEach((hash, i) => void call('HSET', meta, `count:${names[i]}`, String(call('HLEN', hash))));
  call('HSET', meta, 'format', format);
  return 1;
}

function check(call: Call, keys: readonly string[], names: readonly string[]): unknown {
  const [meta = '', log = '', outcomeAt = '', ...hashes] = keys;
  const wrong: unknown[] = [];
  const expect = (name: string, must: unknown, is: unknown) => {
    if (Number(must) !== Number(is)) wrong.push(name, Number(must), Number(is));
  };
  const [format, revision, trimmed] = get(call, meta, 'format', 'revision', 'trimmed');
  if (format === null) return ['meta', 1, 0];
  if (Number(revision) > 0) expect('log', Number(revision) + 1 - Math.max(1, Number(trimmed)), call('XLEN', log));
  hashes.forEach((hash, i) => {
    expect(names[i] ?? '', call('HGET', meta, `count:${names[i]}`) ?? 0, call('HLEN', hash));
  });
  expect('outcome-at', call('HLEN', hashes[0] ?? ''), call('ZCARD', outcomeAt));
  return wrong;
}
