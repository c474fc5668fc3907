import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import { type Step, untilReply } from '../../flow/outcome.js';
import type { ComponentContext, EndpointAddress } from '../component.js';
import { type OptionValue, simpleOption } from '../simple-option.js';
import { type WorkspaceClient, workspaceOf } from '../workspace-client.js';
import { NODE_FAILURES, workspaceFailure } from '../workspace-failure.js';

/** An endpoint of `cms:`: nodes of the workspace, by the path in its URI or its options. */
export class CmsEndpoint {
  readonly address: EndpointAddress;
  readonly context: ComponentContext;
  readonly workspace: WorkspaceClient;
  readonly #path: OptionValue;

  constructor(address: EndpointAddress, context: ComponentContext) {
    this.address = address;
    this.context = context;
    this.workspace = workspaceOf(context, address.uri);
    this.#path = this.option('path');
  }

  /** An option that is an expression in Simple. */
  option(name: string): OptionValue {
    return simpleOption(this.context, this.address.options[name]);
  }

  /** Path of the node that an exchange is about: the option, else the header. @throws ExchangeFailure there is none */
  async pathOf(exchange: Exchange): Promise<string> {
    const path = (await this.#path(exchange)) ?? exchange.headers.get('CamelCmsPath');
    if (path !== undefined && path !== null && path !== '') return textOf(path);
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `${this.address.uri}: expected the path of a node as the option path or the header CamelCmsPath, but found none`,
    );
  }

  /** Path of the node whose changes are followed: there is no exchange yet. @throws ExchangeFailure there is none */
  get watchedPath(): string {
    const { path } = this.address.options;
    if (typeof path === 'string' && path.startsWith('/')) return path;
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `${this.address.uri}: expected the option path to be the path of a node, got '${path ?? ''}'`,
    );
  }

  /** A step that does so; `work` gives what is done with the exchange in the end. */
  step(work: (exchange: Exchange) => Promise<() => void>): Step {
    const failed = (thrown: unknown) => {
      throw workspaceFailure(thrown, NODE_FAILURES);
    };
    return (exchange) =>
      untilReply(this.address.uri, work(exchange).catch(failed), (done) => {
        (done as () => void)();
        return undefined;
      });
  }
}

/** Sets a header, or takes it away where there is nothing to tell. */
export function setHeader({ headers }: Exchange, name: string, value: unknown): void {
  if (value === null || value === undefined) headers.delete(name);
  else headers.set(name, value);
}
