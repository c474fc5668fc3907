/** A frame of an event stream as it came. */
export interface Frame {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string | undefined;
  readonly comment: string | undefined;
}

/** Reads the frames of an open event stream one after the other. */
export class EventReader {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#chunks = (response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  static async open(url: string, init: RequestInit = {}): Promise<EventReader> {
    const abort = new AbortController();
    return new EventReader(await fetch(url, { ...init, signal: abort.signal }), abort);
  }

  /** The next frame; undefined at the end of the stream. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        return frameOf(lines);
      }
      const chunk = await this.#chunks.next().catch(() => ({ done: true as const, value: undefined }));
      if (chunk.done) return undefined;
      this.#text += Buffer.from(chunk.value).toString();
    }
  }

  /** The texts of the next ticks, of whatever operation. */
  async texts(count: number): Promise<string[]> {
    const texts: string[] = [];
    while (texts.length < count) {
      const frame = await this.next();
      if (frame === undefined) throw new Error(`expected ${count} events, but the stream ended after ${texts.length}`);
      if (frame.event === 'next') texts.push(textOf(frame));
    }
    return texts;
  }

  close(): void {
    this.#abort.abort();
  }
}

/** The text of a tick in a frame of either mode. */
export function textOf(frame: Frame | undefined): string {
  const data = JSON.parse(frame?.data ?? '{}');
  return (data.payload ?? data).data.ticked.text;
}

function frameOf(lines: readonly string[]): Frame {
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart();
  return { event: field('event'), id: field('id'), data: field('data'), comment: field('') };
}
