import { createHash } from 'node:crypto';

/** A Lua script, by the hash under which Redis knows it. */
export interface RedisScript {
  readonly name: string;
  readonly text: string;
  readonly sha: string;
}

const script = (name: string, text: string): RedisScript => ({
  name,
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/**
 * Takes the partition for a server, making it where nothing of it is there.
 *
 * KEYS 1 meta, 2… all other keys of the partition. ARGV 1 the new fence, 2 the server, 3 how long its lease lasts in ms, 4 an epoch for a new
 * partition, 5 the format.
 * Gives `held`, who holds it, until when (ms); `headless`, a key that is there although meta is not; or `taken`, format, epoch, revision, commit,
 * trimmed.
 */
export const TAKE = script(
  'take',
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local meta = redis.call('HMGET', KEYS[1], 'holder', 'lease', 'epoch')
if meta[1] and meta[1] ~= ARGV[2] and tonumber(meta[2]) > now then return {'held', meta[1], meta[2]} end
if not meta[3] then
  for i = 2, #KEYS do
    if redis.call('EXISTS', KEYS[i]) == 1 then return {'headless', KEYS[i]} end
  end
  redis.call('HSET', KEYS[1], 'format', ARGV[5], 'epoch', ARGV[4], 'revision', '0', 'commit', '', 'trimmed', '0')
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'holder', ARGV[2], 'lease', string.format('%.0f', now + ARGV[3]))
local held = redis.call('HMGET', KEYS[1], 'format', 'epoch', 'revision', 'commit', 'trimmed')
return {'taken', held[1], held[2], held[3], held[4], held[5]}
`,
);

/**
 * Makes the lease longer, or gives it back.
 *
 * KEYS 1 meta. ARGV 1 fence, 2 for how many ms from now; 0 gives it back. Gives 1; 0 where the fence is another's.
 */
export const RENEW = script(
  'renew',
  `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = 0
if tonumber(ARGV[2]) > 0 then lease = now + ARGV[2] end
redis.call('HSET', KEYS[1], 'lease', string.format('%.0f', lease))
return 1
`,
);

/**
 * Takes the right to decide from whoever had it, before the partition is removed.
 *
 * KEYS 1 meta. ARGV 1 the server. Gives who else holds it, and until when (ms); nothing where nobody does.
 */
export const LET_GO = script(
  'let-go',
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local meta = redis.call('HMGET', KEYS[1], 'holder', 'lease')
if meta[1] and meta[1] ~= ARGV[1] and tonumber(meta[2]) > now then return {meta[1], meta[2]} end
if meta[1] then redis.call('HSET', KEYS[1], 'fence', '') end
return {}
`,
);

/**
 * How many documents of a commit are fields of its entry by themselves. Lua hands over 8,000 values at the most, and what fails half-way stays half
 * done: a commit with more has names and texts of the others in one field, as a list in JSON.
 */
export const FIELDS_MAX = 1_000;
export const MORE_FIELDS = 'more';

/**
 * Appends a batch of commits of one decider, or nothing.
 *
 * KEYS 1 meta, 2 log, 3 outcome, 4 outcome-at, 5… a hash of documents per collection. ARGV 1 fence, 2 the id of the last commit, 3 how many
 * commits, 4 how many collections, their names, then per commit: revision, id, at, events, body, outcome's id ('': none), outcome's body,
 * how many documents, and per document: its collection's place, its id, its text ('': removed).
 * Gives `ok`; `fence` where another server holds the partition; `history` where the last commit is another.
 */
export const APPEND = script(
  'append',
  `
local counted = {}
local function count(name, by)
  if by ~= 0 then counted[name] = (counted[name] or 0) + by end
end
local meta = redis.call('HMGET', KEYS[1], 'fence', 'commit', 'revision')
if meta[1] ~= ARGV[1] then return 'fence' end
local names = tonumber(ARGV[4])
local at = 5 + names
if meta[2] ~= ARGV[2] or tonumber(meta[3]) + 1 ~= tonumber(ARGV[at]) then return 'history' end
local revision, id
for _ = 1, tonumber(ARGV[3]) do
  revision, id = ARGV[at], ARGV[at + 1]
  local entry = {'id', id, 'at', ARGV[at + 2], 'events', ARGV[at + 3], 'body', ARGV[at + 4]}
  local outcome = ARGV[at + 5]
  if outcome ~= '' then
    entry[9], entry[10] = 'o:' .. outcome, ARGV[at + 6]
    count('outcome', redis.call('HSET', KEYS[3], outcome, ARGV[at + 2] .. ' ' .. revision .. ' ' .. ARGV[at + 6]))
    redis.call('ZADD', KEYS[4], ARGV[at + 2], outcome)
  end
  local documents = tonumber(ARGV[at + 7])
  at = at + 8
  local more = {}
  for n = 1, documents do
    local place = tonumber(ARGV[at])
    local document, text = ARGV[at + 1], ARGV[at + 2]
    local list = n <= ${FIELDS_MAX} and entry or more
    list[#list + 1] = 'd:' .. ARGV[4 + place] .. '/' .. document
    list[#list + 1] = text
    local name = 'doc:' .. ARGV[4 + place]
    if text == '' then count(name, -redis.call('HDEL', KEYS[4 + place], document))
    else count(name, redis.call('HSET', KEYS[4 + place], document, text)) end
    at = at + 3
  end
  if #more > 0 then
    entry[#entry + 1] = '${MORE_FIELDS}'
    entry[#entry + 1] = cjson.encode(more)
  end
  redis.call('XADD', KEYS[2], revision .. '-0', unpack(entry))
end
redis.call('HSET', KEYS[1], 'revision', revision, 'commit', id)
for name, by in pairs(counted) do redis.call('HINCRBY', KEYS[1], 'count:' .. name, by) end
return 'ok'
`,
);

/** How many outcomes one call forgets at most. */
export const FORGET_MAX = 1_000;

/**
 * Shortens the log and forgets old outcomes. The entry of the revision itself stays, so that a replica that is there can be compared.
 *
 * KEYS 1 meta, 2 log, 3 outcome, 4 outcome-at. ARGV 1 fence, 2 revision, 3 outcomes from before this time (ms).
 * Gives how many outcomes were forgotten; -1 where the fence is another's.
 */
export const TRIM = script(
  'trim',
  `
local meta = redis.call('HMGET', KEYS[1], 'fence', 'trimmed', 'revision')
if meta[1] ~= ARGV[1] then return -1 end
local revision = math.min(tonumber(ARGV[2]), tonumber(meta[3]))
if revision > tonumber(meta[2]) then
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', revision))
  redis.call('HSET', KEYS[1], 'trimmed', string.format('%.0f', revision))
end
local old = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', '(' .. ARGV[3], 'LIMIT', 0, ${FORGET_MAX})
if #old > 0 then
  -- Not by a minus sign: -0 is no integer to Redis.
  redis.call('HINCRBY', KEYS[1], 'count:outcome', 0 - redis.call('HDEL', KEYS[3], unpack(old)))
  redis.call('ZREM', KEYS[4], unpack(old))
end
return #old
`,
);

/** Begins another epoch: the history is not the one that was known. KEYS 1 meta. ARGV 1 fence, 2 epoch. Gives 1; 0 where the fence is another's. */
export const NEW_EPOCH = script(
  'new-epoch',
  `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return 1
`,
);

/**
 * Counts what is there, as `meta` says from then on that it must be. KEYS 1 meta, 2… hashes. ARGV 1 fence, 2 the format, 3… the hashes' names.
 * Gives 1; 0 where the fence is another's.
 */
export const COUNT = script(
  'count',
  `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call('HSET', KEYS[1], 'count:' .. ARGV[i + 1], redis.call('HLEN', KEYS[i])) end
redis.call('HSET', KEYS[1], 'format', ARGV[2])
return 1
`,
);

/**
 * Whether all is there that must be: as many fields of each hash as `meta` counts, and every commit that was not trimmed.
 *
 * KEYS 1 meta, 2 log, 3 outcome-at, 4… hashes, the outcomes first. ARGV the hashes' names. Gives for each that is not: its name, how many there must
 * be, how many there are.
 */
export const CHECK = script(
  'check',
  `
local wrong = {}
local function expect(name, must, is)
  if must == is then return end
  wrong[#wrong + 1], wrong[#wrong + 2], wrong[#wrong + 3] = name, must, is
end
local meta = redis.call('HMGET', KEYS[1], 'format', 'revision', 'trimmed')
if not meta[1] then return {'meta', 1, 0} end
local revision = tonumber(meta[2])
if revision > 0 then expect('log', revision + 1 - math.max(1, tonumber(meta[3])), redis.call('XLEN', KEYS[2])) end
for i = 4, #KEYS do
  expect(ARGV[i - 3], tonumber(redis.call('HGET', KEYS[1], 'count:' .. ARGV[i - 3]) or 0), redis.call('HLEN', KEYS[i]))
end
expect('outcome-at', redis.call('HLEN', KEYS[4]), redis.call('ZCARD', KEYS[3]))
return wrong
`,
);

export const SCRIPTS = [TAKE, RENEW, LET_GO, APPEND, TRIM, NEW_EPOCH, COUNT, CHECK] as const;
