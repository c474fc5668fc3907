import type { Headers } from './headers.js';

/** A message that something was taken apart into: who splits it gives each part these headers, too (an entry of an archive, with its name). */
export class PartMessage {
  readonly body: unknown;
  readonly headers: Headers;

  constructor(body: unknown, headers: Headers) {
    this.body = body;
    this.headers = headers;
  }
}
