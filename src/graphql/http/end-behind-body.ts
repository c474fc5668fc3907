import type { ServerResponse } from 'node:http';

/**
 * Ends a response, which has the length of its body in its headers. Where the connection ends with it, that waits until what is still coming of the request has
 * passed by: closed before, it would be reset, and the client would lose the answer with it.
 */
export function endBehindBody(response: ServerResponse, body: string): void {
  const { req: request } = response;
  if (request.complete || request.destroyed || !closes(response)) {
    response.end(body);
    return;
  }
  response.write(body);
  request.once('close', () => response.end());
  request.resume();
}

const closes = (response: ServerResponse): boolean =>
  !response.shouldKeepAlive || String(response.getHeader('connection')).toLowerCase() === 'close';
