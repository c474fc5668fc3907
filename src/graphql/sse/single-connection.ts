import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asked } from '../execution/operation-runner.js';
import type { EarliestPosition } from '../feed-iterator.js';
import { TOKEN_HEADER } from '../http/request-head.js';
import { type RequestParams, withExtensions } from '../http/request-params.js';
import { malformed, unknownToken } from '../http/transport-error.js';
import type { StreamOptions } from './distinct-connection.js';
import { OperationStream } from './operation-stream.js';

/** One request to the event stream of a workspace. */
interface StreamRequest<W> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly search: URLSearchParams;
  readonly asked: Asked<W>;
  /** Reads the JSON body. */
  readonly params: () => Promise<RequestParams>;
}

/**
 * Single connection mode: PUT reserves a token, GET opens its stream, POST starts an operation on it, DELETE ends one. A token belongs to
 * the session that reserved it, in the workspace where that was, or to the API token, or the user of HTTP Basic; to anyone else it does not exist.
 */
export class SingleConnections<W> {
  readonly #options: StreamOptions<W> & { readonly earliestPosition: EarliestPosition };
  readonly #streams = new Map<string, OperationStream<W>>();

  constructor(options: StreamOptions<W> & { readonly earliestPosition: EarliestPosition }) {
    this.#options = options;
  }

  /** Answers one request. @throws TransportError */
  async serve(to: StreamRequest<W>): Promise<void> {
    switch (to.request.method) {
      case 'PUT':
        return this.#reserve(to);
      case 'GET':
        return this.#find(to).attach(to.response, to.asked.caller, to.asked.after);
      case 'POST':
        return this.#start(to);
      default:
        return this.#end(to);
    }
  }

  #reserve({ response, asked }: StreamRequest<W>): void {
    const stream = new OperationStream(asked, {
      ...this.#options,
      onDrop: (dropped) => {
        this.#streams.delete(dropped.token);
        this.#options.registry.remove(dropped);
      },
    });
    try {
      this.#options.registry.add(stream);
    } catch (thrown) {
      stream.drop();
      throw thrown;
    }
    this.#streams.set(stream.token, stream);
    response.writeHead(201, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.end(stream.token);
  }

  async #start(to: StreamRequest<W>): Promise<void> {
    const params = await to.params();
    const stream = this.#find(to); // looked for after the body: it may have gone in the meantime
    const operationId = params.extensions.operationId ?? to.search.get('operationId');
    if (typeof operationId !== 'string' || operationId === '')
      throw malformed('expected an operationId in extensions or as parameter');
    stream.refuseBeyondLimit(operationId);
    const asked = withExtensions(to.asked, params);
    to.response.writeHead(202).end();
    stream.start(operationId, this.#options.runner.prepare(params, asked), asked);
  }

  /**
   * 204 whether or not there was such an operation. To a token in the header it answers 200, as that protocol's own client wants it, which
   * reports anything else as a network error.
   */
  #end({ request, response, search, asked }: StreamRequest<W>): void {
    const stream = this.#lookUp(request, search, asked);
    stream?.remove(search.get('operationId') ?? '');
    response.writeHead(request.headers[TOKEN_HEADER] === undefined ? 204 : 200).end();
  }

  #find({ request, search, asked }: StreamRequest<W>): OperationStream<W> {
    const stream = this.#lookUp(request, search, asked);
    if (stream === undefined) throw unknownToken();
    return stream;
  }

  #lookUp(request: IncomingMessage, search: URLSearchParams, { caller }: Asked<W>): OperationStream<W> | undefined {
    const header = request.headers[TOKEN_HEADER];
    const token = search.get('token') ?? (typeof header === 'string' ? header : '');
    const stream = this.#streams.get(token);
    return stream?.isOf(caller) === true ? stream : undefined;
  }
}
