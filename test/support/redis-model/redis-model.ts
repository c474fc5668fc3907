import type { OpeningLink, RedisLink, RedisPort, RedisStreamsPort } from '../../../src/store/log/redis-port.js';
import { SCRIPTS } from '../../../src/store/log/redis-scripts.js';
import { Keyspace, RedisRefusal } from './keyspace.js';
import { MEANINGS } from './scripts.js';

export interface RedisModelOptions {
  /** The clock of Redis, ms. */
  readonly now: () => number;
  /**
   * Runs the work later, in whatever order among other work. Each is the next step of one connection: a command arrives, a reply arrives, a loss is
   * noticed. On one connection commands, and replies, keep their order whichever step comes first.
   */
  readonly soon: (work: () => void) => void;
  /** What happens to a command that arrives. Default: it is done. */
  readonly fault?: (words: readonly string[]) => Fault | undefined;
}

/**
 * `cut`: the connection is lost before the command is done; `cut after`: behind it, and the reply with it; `silent`: it is done, but neither it nor
 * what follows on the connection is answered; `refuse`: Redis refuses it with that message, as `OOM …` or `MISCONF …`.
 */
export type Fault = 'cut' | 'cut after' | 'silent' | { readonly refuse: string };

/** How many of the newest changes can be lost at most. */
const LOSABLE_MAX = 1_000;

/** One thing that was changed at once: by a command or a script. */
interface Change {
  readonly words: (readonly string[])[];
  /** Whether the reply has come to whoever asked: then it is durable. */
  answered: boolean;
}

/**
 * A Redis server in this process, as far as the store knows it. Nothing in it takes time or runs by itself: what happens next is chosen by whoever
 * runs what it gives to `soon`.
 */
export class RedisModel {
  readonly #options: RedisModelOptions;
  readonly #links = new Set<ModelLink>();
  #data: Keyspace;
  /** The data before those changes that may still be lost. */
  #safe: Keyspace;
  #changes: Change[] = [];
  #scripts = new Set<string>();
  #running = true;
  #paused = false;

  constructor(options: RedisModelOptions) {
    this.#options = options;
    this.#data = new Keyspace(options.now);
    this.#safe = this.#data.copy();
  }

  /** For a log and its replica. */
  get port(): RedisPort & RedisStreamsPort {
    return {
      name: 'a model',
      load: async () => {},
      connect: () => new ModelLink(this, 'commit'),
      reader: (back) => this.#reader(back),
    };
  }

  /** A command of nobody's, done at once: to look, and to tamper. */
  command(...words: string[]): unknown {
    return this.#perform(words, { words: [], answered: true });
  }

  /** How many of the newest changes were not yet answered: with `appendfsync always` those are all that a kill may lose. */
  get unanswered(): number {
    return this.#changes.length - 1 - this.#changes.findLastIndex(({ answered }) => answered);
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** All connections are lost, as with CLIENT KILL; what has not arrived by now does not arrive. */
  cut(): void {
    for (const link of [...this.#links]) link.lose();
  }

  /** As SIGSTOP: whatever arrives waits, also for connections that are given up meanwhile. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (const link of this.#links) link.wake();
  }

  /** The process dies, and with it the newest changes, as many as told. */
  kill(lost = 0): void {
    this.#running = false;
    this.#paused = false;
    this.#scripts.clear();
    this.cut();
    this.#changes.length = Math.max(0, this.#changes.length - lost);
    for (const change of this.#changes) change.answered = true;
    this.#data = this.#safe.copy();
    for (const words of this.#changes.flatMap((change) => change.words)) this.#data.run(words);
  }

  /** It is there again; connections that come back do so. */
  start(): void {
    this.#running = true;
    for (const link of this.#links) link.wake();
  }

  // What follows is for the connections.

  get takesCommands(): boolean {
    return this.#running && !this.#paused;
  }

  soon(work: () => void): void {
    this.#options.soon(work);
  }

  enter(link: ModelLink): void {
    this.#links.add(link);
  }

  leave(link: ModelLink): void {
    this.#links.delete(link);
  }

  faultOf(words: readonly string[]): Fault | undefined {
    return this.#options.fault?.(words);
  }

  /** Undefined: it waits for what is not there yet. `answered` is to be called when the reply comes to whoever asked. */
  arrive(words: readonly string[]): { reply: unknown; answered: () => void } | undefined {
    const change: Change = { words: [], answered: false };
    const reply = this.#perform(words, change);
    if (reply === null && words[0] === 'XREAD' && words.includes('BLOCK')) return undefined;
    if (change.words.length > 0) for (const link of this.#links) link.wake();
    // Nothing leaves Redis before all that it says is durable, what others have changed included.
    const told = change.words.length > 0 ? change : this.#changes.at(-1);
    const answered = () => {
      if (told !== undefined) told.answered = true;
    };
    return { reply, answered };
  }

  #perform(words: readonly string[], change: Change): unknown {
    try {
      return this.#answer(words, change);
    } finally {
      if (change.words.length > 0) this.#changes.push(change);
      for (const { words: safe } of this.#changes.splice(0, this.#changes.length - LOSABLE_MAX))
        for (const one of safe) this.#safe.run(one);
    }
  }

  #answer(words: readonly string[], change: Change): unknown {
    const call = (...command: string[]) => {
      const reply = this.#data.run(command);
      if (/^(HSET|HDEL|HINCRBY|ZADD|ZREM|XADD|XTRIM|DEL)$/.test(command[0] ?? '')) change.words.push(command);
      return reply;
    };
    const [name, ...args] = words;
    if (name === 'SCRIPT') {
      const found = SCRIPTS.find(({ text }) => text === args[1]);
      if (found === undefined) throw new RedisRefusal('ERR the model knows the scripts of the store alone');
      this.#scripts.add(found.sha);
      return found.sha;
    }
    if (name === 'EVALSHA') {
      const [sha = '', count = '', ...rest] = args;
      const meaning = this.#scripts.has(sha) ? MEANINGS.get(sha) : undefined;
      if (meaning === undefined) throw new RedisRefusal('NOSCRIPT No matching script. Please use EVAL.');
      return meaning(call, rest.slice(0, Number(count)), rest.slice(Number(count)));
    }
    if (name === 'INFO' && args[0] === 'persistence')
      return 'aof_enabled:1\r\naof_last_rewrite_time_sec:0\r\naof_last_bgrewrite_status:ok\r\n';
    if (name === 'INFO')
      return 'redis_version:7.0.15\r\naof_enabled:1\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n';
    if (name === 'CONFIG') return args[1] === 'appendfsync' ? ['appendfsync', 'always'] : [];
    return call(...words);
  }

  #reader(comesBack: boolean): RedisLink {
    return new ModelLink(this, comesBack ? 'comes back' : 'reader');
  }
}

interface Sent {
  readonly words: readonly string[];
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to the model. One of its steps is done by each `soon`. */
class ModelLink implements OpeningLink {
  readonly opened: Promise<void>;
  readonly #model: RedisModel;
  readonly #kind: 'commit' | 'reader' | 'comes back';
  /** On their way to the server. */
  #sent: Sent[] = [];
  /** Done, and on their way back. */
  #replies: (() => void)[] = [];
  /** Whoever is told when the connection is lost, oldest first. */
  readonly #waiting = new Set<Sent>();
  #state: 'open' | 'lost' | 'silent' | 'closed' = 'open';
  /** Its next command waits for something: a server that runs, an entry of a stream. */
  #asleep = false;

  constructor(model: RedisModel, kind: 'commit' | 'reader' | 'comes back') {
    this.#model = model;
    this.#kind = kind;
    model.enter(this);
    this.opened = kind === 'commit' ? this.#ask(['PING']).then(() => {}) : Promise.resolve();
    // Whoever has given it up does not listen any more.
    this.opened.catch(() => {});
  }

  get isOpen(): boolean {
    return this.#state === 'open' || this.#state === 'silent';
  }

  send(words: readonly string[]): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(new Error('The client is closed'));
    return this.#ask(words);
  }

  #ask(words: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sent = { words, resolve, reject };
      this.#waiting.add(sent);
      this.#sent.push(sent);
      this.#model.soon(() => this.#arrive());
    });
  }

  /** What was sent may still arrive; what waits at the server is forgotten. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#refuse(new Error('Connection is closed.'));
    if (this.#sent.length === 0) this.#model.leave(this);
  }

  /** Lost, which the client learns soon. */
  lose(): void {
    this.#asleep = false;
    this.#replies = [];
    if (this.#kind === 'comes back' && this.#state !== 'closed') {
      // What was asked is asked again.
      this.#state = 'open';
      this.#sent = [...this.#waiting];
      for (const _ of this.#sent) this.#model.soon(() => this.#arrive());
      return;
    }
    this.#sent = [];
    this.#model.leave(this);
    if (this.#state === 'closed') return;
    this.#state = 'lost';
    this.#model.soon(() => this.#refuse(new Error('Socket closed unexpectedly')));
  }

  /** What its next command waits for may be there. */
  wake(): void {
    if (!this.#asleep) return;
    this.#asleep = false;
    for (const _ of this.#sent) this.#model.soon(() => this.#arrive());
  }

  /** The next command arrives at the server. */
  #arrive(): void {
    const [next] = this.#sent;
    if (next === undefined || this.#asleep) return;
    if (!this.#model.isRunning && this.#kind !== 'comes back') return this.lose();
    if (!this.#model.takesCommands) {
      this.#asleep = true;
      return;
    }
    const fault = this.#model.faultOf(next.words);
    if (fault === 'cut') return this.lose();
    if (typeof fault === 'object') this.#answer(next, () => next.reject(new Error(fault.refuse)));
    else this.#perform(next, fault);
  }

  #perform(next: Sent, fault: 'cut after' | 'silent' | undefined): void {
    try {
      const done = this.#model.arrive(next.words);
      if (done === undefined) {
        this.#asleep = true;
        // Whoever waited there has gone.
        if (this.#state === 'closed') this.#model.leave(this);
        return;
      }
      if (fault === 'cut after') return this.lose();
      if (fault === 'silent' && this.#state === 'open') this.#state = 'silent';
      this.#answer(next, () => next.resolve(done.reply), done.answered);
    } catch (thrown) {
      if (!(thrown instanceof RedisRefusal)) throw thrown;
      this.#answer(next, () => next.reject(thrown));
    }
  }

  #answer(next: Sent, tell: () => void, answered: () => void = () => {}): void {
    this.#sent.shift();
    if (this.#state === 'closed' && this.#sent.length === 0) this.#model.leave(this);
    this.#replies.push(() => {
      answered();
      if (this.#state === 'silent' || !this.#waiting.delete(next)) return;
      tell();
    });
    this.#model.soon(() => this.#replies.shift()?.());
  }

  #refuse(error: Error): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}
