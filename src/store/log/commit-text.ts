import type { CommitBody } from './log.js';
import { Packer, Unpacker } from './packed.js';

/** Makes the text of a commit's body; its events may be given piece by piece, before the rest is known. */
export class CommitText {
  readonly #packer = new Packer();
  #events = '[0';

  add(events: CommitBody['events']): this {
    for (const event of events) this.#events += `,${this.#packer.pack(event)}`;
    return this;
  }

  /** The text, which is made once. */
  end({ docs, type, userId, cause = {} }: Omit<CommitBody, 'events'>): string {
    const rest = [docs, type, userId, cause].map((one) => this.#packer.pack(one));
    return `[1,${this.#events}],${rest.join()}]`;
  }
}

/** The body of a commit's text; former versions wrote it without packing it. */
export const commitBodyOf = (text: string): CommitBody =>
  (text.startsWith('{') ? JSON.parse(text) : new Unpacker().unpack(JSON.parse(text))) as CommitBody;
