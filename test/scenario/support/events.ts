import { type Client, createClient, type ExecutionResult } from 'graphql-sse';
import type { ProcessInstance, Task } from '../../../src/graphql/generated/schema.js';
import { Changes } from '../../support/changes.js';
import type { GraphqlClient } from '../../support/graphql-client.js';

/** What the API's subscriptions deliver, as far as the tests select it. */
export interface Delivered {
  readonly [field: string]: {
    readonly eventType: string;
    readonly timestamp: string;
    readonly task?: Partial<Task>;
    readonly processInstance?: Partial<ProcessInstance>;
    readonly path?: string | null;
    readonly sourcePath?: string | null;
    readonly identifier?: string;
    readonly userId?: string;
  };
}

/** Follows subscriptions with the client of graphql-sse. */
export class Events {
  readonly #client: Client<boolean>;
  /** Open streams. */
  #open = 0;
  readonly #changes = new Changes();

  constructor({ url, headers }: GraphqlClient, singleConnection: boolean) {
    this.#client = createClient({
      singleConnection,
      url: singleConnection ? `${url}/stream` : url,
      headers: { ...headers },
      retryAttempts: 0,
      on: {
        connected: () => {
          this.#open++;
          this.#changes.tell();
        },
      },
    } as Parameters<typeof createClient<boolean>>[0]);
  }

  /** Begins to follow. */
  follow(query: string, variables: Record<string, unknown> = {}): Received {
    const received = new Received();
    received.stop = this.#client.subscribe<Delivered>({ query, variables }, received);
    return received;
  }

  async connected(count: number): Promise<void> {
    await this.#changes.until(() => this.#open >= count);
  }

  close(): void {
    this.#client.dispose();
  }
}

/** What a subscription has brought so far. */
export class Received {
  readonly results: ExecutionResult<Delivered, unknown>[] = [];
  readonly #changes = new Changes();
  failure: unknown;
  isComplete = false;
  stop = (): void => {};

  next(result: ExecutionResult<Delivered, unknown>): void {
    this.results.push(result);
    this.#changes.tell();
  }

  error(thrown: unknown): void {
    this.failure = thrown;
    this.#changes.tell();
  }

  complete(): void {
    this.isComplete = true;
  }

  /** The events, when there are as many as expected. */
  events(count: number): Promise<Delivered[string][]> {
    return this.#when(() => this.results.length >= count);
  }

  /** The events, when one is what is looked for. */
  until(isIt: (event: Delivered[string]) => boolean): Promise<Delivered[string][]> {
    return this.#when(() => this.#all().some(isIt));
  }

  async #when(holds: () => boolean): Promise<Delivered[string][]> {
    await this.#changes.until(() => this.failure !== undefined || holds());
    if (this.failure !== undefined) throw this.failure;
    return this.#all();
  }

  #all(): Delivered[string][] {
    return this.results.flatMap(({ data }) => Object.values(data ?? {}));
  }
}
