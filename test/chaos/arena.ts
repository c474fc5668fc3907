import { mkdirSync } from 'node:fs';
import { dataFolder } from '../support/data-folder.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { clientOf } from '../support/server.js';
import { type ServerProcess, serverProcess } from '../support/server-process.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

/** Who calls, and who watches. */
export const CALLER = 'ann';
export const WATCHERS = ['wanda', 'walter'] as const;
const USERS = [
  { userId: CALLER, groups: ['accounting'], roles: ['administrator'] },
  ...WATCHERS.map((userId) => ({ userId, roles: ['administrator'] })),
];

export interface ArenaOptions {
  /** An existing empty folder for the data. Default: one of its own. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The real server in a process of its own, with its data, to be killed and started again. */
export class Arena {
  readonly folder: string;
  readonly #own: { remove(): void };
  readonly #env: Readonly<Record<string, string>>;
  #process: ServerProcess | undefined;
  #running = false;
  /** Of all its processes. */
  #logged = '';

  constructor({ folder, env = {} }: ArenaOptions = {}) {
    const own = dataFolder();
    this.#own = own;
    this.folder = folder ?? own.path;
    this.#env = env;
    mkdirSync(this.folder, { recursive: true });
  }

  async start(): Promise<void> {
    const env = {
      MILLRACE_DATA: this.folder,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      MILLRACE_LOG_LEVEL: 'warn',
      ...this.#env,
    };
    this.#process = await serverProcess(env, USERS);
    this.#running = true;
    this.#process.child.once('exit', () => {
      this.#running = false;
    });
  }

  /** Whether its process is there: it should answer. */
  get isRunning(): boolean {
    return this.#running;
  }

  get pid(): number {
    return this.process.child.pid ?? 0;
  }

  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error('the server was not started');
    return this.#process;
  }

  get baseUrl(): string {
    return this.process.baseUrl;
  }

  client(userId: string = CALLER): GraphqlClient {
    return clientOf(this.baseUrl, userId);
  }

  /** Gives the exit code, or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    this.#running = false;
    const outcome = await this.process.end(signal);
    this.#logged += this.process.logged();
    return outcome;
  }

  /** What all of its processes have logged. */
  logged(): string {
    return this.#running ? this.#logged + this.process.logged() : this.#logged;
  }

  remove(): void {
    this.#own.remove();
  }
}
