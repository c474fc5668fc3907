/** What Redis refuses, in its own words. */
export class RedisRefusal extends Error {}

type Hash = { readonly type: 'hash'; fields: Map<string, { value: string; readonly at: number }>; next: number };
type SortedSet = { readonly type: 'zset'; scores: Map<string, number> };
type Entry = readonly [id: string, fields: readonly string[]];
type Stream = { readonly type: 'stream'; entries: Entry[]; last: number };
type Value = Hash | SortedSet | Stream;
type Command = (args: readonly string[]) => unknown;

/** The data of a Redis server, and the plain commands on it that the store uses, with the replies of RESP 2. Stream ids are `<number>-0`. */
export class Keyspace {
  readonly #now: () => number;
  #values = new Map<string, Value>();
  readonly #commands: Readonly<Record<string, Command>>;

  constructor(now: () => number) {
    this.#now = now;
    this.#commands = { ...this.#hashes(), ...this.#sortedSets(), ...this.#streams(), ...this.#others() };
  }

  /** @throws RedisRefusal */
  run([name = '', ...args]: readonly string[]): unknown {
    const command = this.#commands[name.toUpperCase()];
    if (command === undefined) throw new RedisRefusal(`ERR unknown command '${name}'`);
    return command(args);
  }

  copy(): Keyspace {
    const copy = new Keyspace(this.#now);
    copy.#values = structuredClone(this.#values);
    return copy;
  }

  #hashes(): Record<string, Command> {
    const fields = (key: string) => this.#of(key, 'hash')?.fields;
    const get = (key: string, field: string) => fields(key)?.get(field)?.value ?? null;
    return {
      HGET: ([key = '', field = '']) => get(key, field),
      HMGET: ([key = '', ...names]) => names.map((name) => get(key, name)),
      HGETALL: ([key = '']) => [...(fields(key) ?? [])].flatMap(([field, { value }]) => [field, value]),
      HLEN: ([key = '']) => fields(key)?.size ?? 0,
      HSET: ([key = '', ...pairs]) => {
        const hash = this.#made<Hash>(key, { type: 'hash', fields: new Map(), next: 1 });
        const before = hash.fields.size;
        for (let i = 0; i < pairs.length; i += 2) {
          const at = hash.fields.get(pairs[i] ?? '')?.at ?? hash.next++;
          hash.fields.set(pairs[i] ?? '', { value: pairs[i + 1] ?? '', at });
        }
        return hash.fields.size - before;
      },
      HDEL: ([key = '', ...names]) => this.#removed(key, fields(key), names),
      HINCRBY: ([key = '', field = '', by = '']) => {
        const sum = Number(get(key, field) ?? 0) + Number(by);
        this.run(['HSET', key, field, String(sum)]);
        return sum;
      },
      HSCAN: (args) => this.#scan(args),
    };
  }

  /** Fields in the order of their coming. As with Redis one may come twice: the last of a page comes again with the next. */
  #scan([key = '', cursor = '0', ...options]: readonly string[]): unknown {
    const count = Number(optionOf(options, 'COUNT') ?? 10);
    const found = [...(this.#of(key, 'hash')?.fields ?? [])].filter(([, { at }]) => at >= Number(cursor));
    const page = found.slice(0, Math.max(2, count));
    const last = page.at(-1)?.[1].at ?? 0;
    return [found.length > page.length ? String(last) : '0', page.flatMap(([field, { value }]) => [field, value])];
  }

  #sortedSets(): Record<string, Command> {
    const scores = (key: string) => this.#of(key, 'zset')?.scores;
    const ordered = (key: string) =>
      [...(scores(key) ?? [])].sort(([a, x], [b, y]) => x - y || Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return {
      ZCARD: ([key = '']) => scores(key)?.size ?? 0,
      ZADD: ([key = '', ...pairs]) => {
        const set = this.#made<SortedSet>(key, { type: 'zset', scores: new Map() }).scores;
        const before = set.size;
        for (let i = 0; i < pairs.length; i += 2) set.set(pairs[i + 1] ?? '', Number(pairs[i]));
        return set.size - before;
      },
      ZREM: ([key = '', ...members]) => this.#removed(key, scores(key), members),
      ZRANGE: ([key = '']) => ordered(key).flatMap(([member, score]) => [member, String(score)]),
      ZRANGEBYSCORE: ([key = '', min = '', max = '', ...options]) => {
        const below = max.startsWith('(') ? Number(max.slice(1)) : Number.NaN;
        if (min !== '-inf' || Number.isNaN(below)) throw new RedisRefusal('ERR the model knows -inf and ( alone');
        const limit = Number(options[2] ?? Number.POSITIVE_INFINITY);
        return ordered(key)
          .flatMap(([member, score]) => (score < below ? [member] : []))
          .slice(0, limit);
      },
    };
  }

  #streams(): Record<string, Command> {
    const entries = (key: string) => this.#of(key, 'stream')?.entries ?? [];
    return {
      XLEN: ([key = '']) => entries(key).length,
      XADD: ([key = '', id = '', ...fields]) => {
        const stream = this.#made<Stream>(key, { type: 'stream', entries: [], last: 0 });
        if (numberOf(id) <= stream.last)
          throw new RedisRefusal('ERR The ID specified in XADD is equal or smaller than the target stream top item');
        stream.last = numberOf(id);
        stream.entries.push([id, fields]);
        return id;
      },
      XTRIM: ([key = '', , min = '']) => {
        const stream = this.#of(key, 'stream');
        const before = stream?.entries.length ?? 0;
        if (stream !== undefined) stream.entries = stream.entries.filter(([id]) => numberOf(id) >= numberOf(min));
        return before - (stream?.entries.length ?? 0);
      },
      XRANGE: ([key = '', from = '', to = '', ...options]) => {
        const [least, most] = [from === '-' ? 0 : numberOf(from), to === '+' ? Number.MAX_VALUE : numberOf(to)];
        const found = entries(key).filter(([id]) => numberOf(id) >= least && numberOf(id) <= most);
        return found.slice(0, Number(optionOf(options, 'COUNT') ?? found.length));
      },
      XREVRANGE: ([key = '', , , ...options]) =>
        entries(key)
          .toReversed()
          .slice(0, Number(optionOf(options, 'COUNT') ?? entries(key).length)),
      /** Null where there is nothing yet. */
      XREAD: (args) => {
        const [key = '', after = ''] = args.slice(args.indexOf('STREAMS') + 1);
        const found = entries(key).filter(([id]) => numberOf(id) > numberOf(after));
        return found.length === 0 ? null : [[key, found.slice(0, Number(optionOf(args, 'COUNT') ?? found.length))]];
      },
    };
  }

  #others(): Record<string, Command> {
    return {
      PING: () => 'PONG',
      TIME: () => [String(Math.floor(this.#now() / 1_000)), String(Math.floor((this.#now() % 1_000) * 1_000))],
      KEYS: () => [...this.#values.keys()],
      TYPE: ([key = '']) => this.#values.get(key)?.type ?? 'none',
      DEL: (keys) => keys.filter((key) => this.#values.delete(key)).length,
      UNLINK: (keys) => keys.filter((key) => this.#values.delete(key)).length,
      /** All at once; the pattern is a beginning and `*`. */
      SCAN: ([, ...options]) => {
        const beginning = (optionOf(options, 'MATCH') ?? '*').slice(0, -1);
        return ['0', [...this.#values.keys()].filter((key) => key.startsWith(beginning))];
      },
    };
  }

  #of<T extends Value['type']>(key: string, type: T): Extract<Value, { type: T }> | undefined {
    const value = this.#values.get(key);
    if (value !== undefined && value.type !== type)
      throw new RedisRefusal('WRONGTYPE Operation against a key holding the wrong kind of value');
    return value as Extract<Value, { type: T }> | undefined;
  }

  #made<T extends Value>(key: string, empty: T): T {
    const found = this.#of(key, empty.type) as T | undefined;
    if (found === undefined) this.#values.set(key, empty);
    return found ?? empty;
  }

  /** How many were there. A hash or set that is empty is none. */
  #removed(key: string, from: Map<string, unknown> | undefined, names: readonly string[]): number {
    const count = names.filter((name) => from?.delete(name)).length;
    if (from?.size === 0) this.#values.delete(key);
    return count;
  }
}

const numberOf = (id: string): number => Number.parseInt(id, 10);

function optionOf(options: readonly string[], name: string): string | undefined {
  const at = options.indexOf(name);
  return at < 0 ? undefined : options[at + 1];
}
