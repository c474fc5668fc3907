import type { OperatorBeans } from '../../../src/eip/bean/operator-beans.js';
import type { Component } from '../../../src/eip/component/component.js';
import type { ComponentHost } from '../../../src/eip/component/component-host.js';
import { COMPONENTS } from '../../../src/eip/component/components.js';
import type { Received } from '../../../src/eip/component/mock/mock.js';
import { type Step, Waiting } from '../../../src/eip/flow/outcome.js';
import { resolvePlaceholders } from '../../../src/eip/model/placeholder.js';
import type { RouteModel, ScopedModel } from '../../../src/eip/model/route-model.js';
import { PATTERNS } from '../../../src/eip/pattern/patterns.js';
import type { RouteToRun } from '../../../src/eip/route-port.js';
import type { HistoryBatch } from '../../../src/eip/runtime/exchange-history.js';
import { InlineRuntime } from '../../../src/eip/runtime/inline-runtime.js';
import type { Meter } from '../../../src/eip/runtime/meters.js';
import { RouteContext } from '../../../src/eip/runtime/route-context.js';
import {
  Exchange,
  type ExchangePattern,
  Headers,
  type LanguageFinder,
  languageOf,
} from '../../../src/expression/routes.js';
import { readRoutes } from './read-routes.js';
import { VirtualTime } from './virtual-time.js';

interface Logged {
  readonly level: string;
  readonly logger: string;
  readonly message: string;
  readonly marker: string | undefined;
}

/** Routes that run in line, by a clock that stands. */
export class Routes {
  readonly time = new VirtualTime();
  readonly context: RouteContext;
  readonly runtime: InlineRuntime;
  readonly logged: Logged[] = [];
  readonly #outside = new Map<string, Step>();
  #ids = 0;

  /** `history`: takes what is kept of exchanges. Default: nothing is. `counted`: is told of what is counted from now on. */
  constructor(
    properties: Readonly<Record<string, string>> = {},
    host: Partial<ComponentHost> = {},
    history?: (batch: HistoryBatch) => void,
    {
      operator,
      language = languageOf,
      counted,
      unkeptMax,
    }: {
      operator?: OperatorBeans;
      language?: LanguageFinder;
      counted?: (meters: readonly Meter[]) => void;
      unkeptMax?: number;
    } = {},
  ) {
    this.context = new RouteContext({
      name: 'test',
      time: this.time,
      patterns: PATTERNS,
      components: [...COMPONENTS, outside(this.#outside), pause],
      host,
      language,
      operator,
      resolved: (text) => resolvePlaceholders(text, (key) => properties[key]),
      property: (key) => properties[key],
      random: () => 0.5,
      newId: () => `exchange-${++this.#ids}`,
      history: history && { send: history, unkeptMax },
      counted,
      log: (level, logger, message, _, marker) => this.logged.push({ level, logger, message, marker }),
    });
    this.runtime = new InlineRuntime(this.context);
  }

  /** Gives what a YAML text has beside routes to all routes. */
  share(file: string, yaml: string): void {
    this.context.share(file, readRoutes(yaml));
  }

  /** Starts all routes of a YAML text. */
  async start(yaml: string): Promise<this> {
    const { routes: models, scoped, ...shared } = readRoutes(yaml);
    this.context.share('test.yaml', shared);
    for (const model of models) await this.runtime.start(toRun(model, scoped));
    return this;
  }

  /** Sends to an endpoint, and gives the exchange when that is through with it. What failed is in its `exception`. */
  async send(
    uri: string,
    body: unknown = null,
    headers: Record<string, unknown> = {},
    pattern: ExchangePattern = 'InOut',
  ): Promise<Exchange> {
    const { context } = this;
    const parts = { body, headers: new Headers(Object.entries(headers)), pattern };
    const exchange = new Exchange(context, { routeId: 'test', endpointUri: 'test:' }, parts);
    const producer = context.endpointOf(uri).producer?.();
    if (producer === undefined) throw new Error(`${uri} takes no messages`);
    return new Promise((resolve) => {
      context.runner.start(exchange, producer, (thrown) => {
        if (thrown !== undefined) exchange.exception = thrown;
        resolve(exchange);
      });
    });
  }

  /** `outside:name` is the step from now on: a system that is not ours. */
  outside(name: string, call: Step): void {
    this.#outside.set(name, call);
  }

  /** What `mock:name` got. */
  mock(name: string): Received {
    const mocks = this.context.shared('mock', () => new Map<string, Received>());
    return mocks.get(name) ?? { exchanges: [], counter: 0 };
  }

  /** The bodies that `mock:name` got. */
  bodies(name: string): unknown[] {
    return this.mock(name).exchanges.map(({ body }) => body);
  }
}

const toRun = (model: RouteModel, scoped: ScopedModel): RouteToRun => ({
  ...{ routeId: model.id, version: 1, file: 'test.yaml', model, scoped, template: null },
  deployer: { userId: 'tester', principalId: null },
});

export const routes = (
  yaml: string,
  properties?: Record<string, string>,
  host?: Partial<ComponentHost>,
): Promise<Routes> => new Routes(properties, host).start(yaml);

const outside = (steps: ReadonlyMap<string, Step>): Component => ({
  schemes: ['outside'],
  syntax: 'name',
  options: {},
  endpoint: ({ uri, path }) => ({ uri, producer: () => (exchange) => steps.get(path)?.(exchange) }),
});

/** `pause:100` waits so many ms: the consumer with it, or (`frees`) by itself. */
const pause: Component = {
  schemes: ['pause'],
  syntax: 'ms',
  options: { frees: 'boolean' },
  endpoint: ({ uri, path, options }) => ({
    uri,
    producer:
      () =>
      ({ context }) => {
        const at = context.now() + Number(path);
        return new Waiting({ kind: 'instant', at, frees: options.frees === true }, () => undefined);
      },
  }),
};
