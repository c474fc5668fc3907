/** What a client does that wants to resume: notes the ids of the events that it reads, and sends the last one when it comes back. */
export class IdKeeper {
  #last: string | undefined;
  #onPosted = () => {};
  /** Resolves when an operation was accepted. */
  readonly posted = new Promise<void>((resolve) => {
    this.#onPosted = resolve;
  });

  get headers(): Record<string, string> {
    return this.#last === undefined ? {} : { 'last-event-id': this.#last };
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (init.method === 'POST') this.#onPosted();
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    let text = '';
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        text += Buffer.from(chunk).toString();
        this.#last = [...text.matchAll(/^id: (.*)\n/gm)].at(-1)?.[1] ?? this.#last;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(noted) ?? null, response);
  };
}
