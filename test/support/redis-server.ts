import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { temporaryFolder } from './temporary.js';

/** How many data sets one server holds beside each other. */
const DATABASES = 4_096;

/** Ends the server when whoever started it has gone, however it went: then the pipe has ended. */
const KEEPER = `exec 3<&0
redis-server "$@" 3<&- </dev/null & server=$!
echo "keeps $server"
(read _ <&3; kill -9 $server) >/dev/null 2>&1 &
wait $server`;

/** A redis-server of the tests' own, on a unix socket in a folder of its own, which flushes its file before it answers. */
export class RedisServer {
  readonly #folder = temporaryFolder();
  readonly #options: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #pid = 0;
  #restarted = Promise.resolve();
  #next = 0;

  private constructor(options: readonly string[], env: Readonly<Record<string, string>>) {
    this.#options = options;
    this.#env = env;
  }

  /** `options`: of redis-server, as `['--appendonly', 'no']`, whose last ones count. `env`: what its process finds beside this one's environment. */
  static async start(
    options: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<RedisServer> {
    const server = new RedisServer(options, env);
    await server.start();
    return server;
  }

  get socket(): string {
    return join(this.#folder.path, 'redis.sock');
  }

  /** The URL of a database with nothing in it. */
  url(): string {
    if (this.#next === DATABASES) throw new Error(`a redis-server of the tests has ${DATABASES} databases`);
    return `unix://${this.socket}?db=${this.#next++}`;
  }

  /** Starts it, or starts it again on what it had. */
  async start(): Promise<void> {
    mkdirSync(this.#folder.path, { recursive: true });
    const fixed = ['--port', '0', '--unixsocket', this.socket, '--dir', this.#folder.path, '--save', ''];
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--databases', String(DATABASES)];
    const child = spawn('sh', ['-c', KEEPER, 'redis-server', ...fixed, ...durable, ...this.#options], {
      env: { ...process.env, ...this.#env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process = child;
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    const ended = once(child, 'exit');
    // It says so when it has loaded its data.
    while (!(/^keeps \d+$/m.test(said) && /ready to accept connections/i.test(said))) {
      await Promise.race([once(child.stdout, 'data'), ended]);
      if (child.exitCode !== null) throw new Error(`redis-server did not start: ${said}`);
    }
    this.#pid = Number(/^keeps (\d+)$/m.exec(said)?.[1]);
  }

  /** Kills it and starts it again; those who ask at the same time get one restart after the other. */
  restart(): Promise<void> {
    this.#restarted = this.#restarted.then(async () => {
      await this.kill();
      await this.start();
    });
    return this.#restarted;
  }

  /** Kills it; it stays away until it is started again. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(this.#pid, signal);
    await ended;
  }

  /** One command of an operator's. @throws where it is refused */
  async command(...words: string[]): Promise<unknown> {
    const [reply] = await this.#commands([words]);
    return reply;
  }

  /** Copies all that is in the database of one URL into that of another one. */
  async copy(from: string, to: string): Promise<void> {
    const [source = '', target = ''] = [from, to].map((url) => url.replace(/.*\?db=/, ''));
    const [, keys] = await this.#commands([
      ['SELECT', source],
      ['KEYS', '*'],
    ]);
    const copies = (keys as string[]).map((key) => ['COPY', key, key, 'DB', target]);
    await this.#commands([['SELECT', source], ...copies]);
  }

  async #commands(all: readonly (readonly string[])[]): Promise<unknown[]> {
    const client = createClient({ socket: { path: this.socket, tls: false, reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return await Promise.all(all.map((words) => client.sendCommand(words)));
    } finally {
      client.destroy();
    }
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.#pid, signal);
  }

  /** Ends it and takes away its data. */
  async remove(): Promise<void> {
    await this.kill();
    this.#folder.remove();
  }
}
