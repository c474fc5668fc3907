import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { replyError } from './reply.js';

/** The second address of the server, at which there is content and nothing else: where pages of users are among themselves. */
export class ContentOrigin {
  readonly #host: string | undefined;

  /** `origin`: as it is set; undefined: there is none. */
  constructor(origin: string | undefined) {
    this.#host = origin === undefined ? undefined : new URL(origin).host;
  }

  /** Whether the request came there. */
  has({ headers }: IncomingMessage): boolean {
    return this.#host !== undefined && headers.host?.toLowerCase() === this.#host;
  }

  /** Answers what asks there for anything but content; tells whether it did. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    if (!this.has(req)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      const message = `expected GET or HEAD at the address of content, but found ${req.method}`;
      replyError(res, badRequest(message, { reason: 'method_not_allowed' }), 405);
      return true;
    }
    if (req.url?.startsWith('/bin/cms.cgi/') === true) return false;
    const message = 'expected a path below /bin/cms.cgi/: at this address there is content and nothing else';
    replyError(res, new ServiceError('NOT_FOUND', message, { reason: 'content_origin' }));
    return true;
  }
}
