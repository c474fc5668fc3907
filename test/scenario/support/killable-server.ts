import { readdirSync } from 'node:fs';
import { dataFolder } from '../../support/data-folder.js';
import { fillAsStarted } from '../../support/first-start.js';
import type { GraphqlClient } from '../../support/graphql-client.js';
import { logSettings } from '../../support/log-of-run.js';
import { clientOf } from '../../support/server.js';
import { type ServerProcess, serverProcess } from '../../support/server-process.js';
import { ADMIN_PASSWORD } from '../../support/test-server.js';
import { STAFF } from './company.js';
import { Person } from './person.js';

/** Those who work with servers that are killed: each password costs every start. */
const USERS = STAFF.filter(({ userId }) => ['ann', 'dora', 'sue'].includes(userId));

/** A server in a process of its own that can be killed and started again on its folder. */
export class KillableServer {
  readonly #data = dataFolder();
  readonly #isFirst: boolean;
  #process: ServerProcess | undefined;

  /** `isFirst`: its first start is on the empty folder. Default: on what a first start has left. */
  constructor({ isFirst = false } = {}) {
    this.#isFirst = isFirst;
  }

  /** Its data: empty before the first start. */
  get folder(): string {
    return this.#data.path;
  }

  async start(): Promise<void> {
    if (!this.#isFirst && readdirSync(this.folder).length === 0) await fillAsStarted(this.folder);
    const env = {
      MILLRACE_DATA: this.folder,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      MILLRACE_LOG_LEVEL: 'warn',
      ...(await logSettings(this.folder)),
    };
    this.#process = await serverProcess(env, USERS);
  }

  /** Gives the exit code, or the signal. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    return this.process.end(signal);
  }

  /** Kills it, and takes its folder away. */
  async remove(): Promise<void> {
    await this.end('SIGKILL');
    this.#data.remove();
  }

  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error('the server was not started');
    return this.#process;
  }

  client(userId: string, workspace?: string): GraphqlClient {
    return clientOf(this.process.baseUrl, userId, workspace);
  }

  person(userId: string): Person {
    return new Person(this.client(userId));
  }
}
