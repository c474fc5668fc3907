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
    const rest = [docs.flat(), type, userId, cause].map((one) => this.#packer.pack(one));
    return `[1,${this.#events}],${rest.join()}]`;
  }
}

/** The body of a commit's text; former versions wrote it without packing it, or each document as a list of its own. */
export function commitBodyOf(text: string): CommitBody {
  if (text.startsWith('{')) return JSON.parse(text);
  const body = new Unpacker().unpack(JSON.parse(text)) as Omit<CommitBody, 'docs'> & {
    readonly docs: readonly unknown[];
  };
  const isFlat = typeof body.docs[0] === 'string';
  return { ...body, docs: isFlat ? docsOf(body.docs) : (body.docs as CommitBody['docs']) };
}

/** The documents of one list: collection, id and, behind those that were removed, null. */
function docsOf(flat: readonly unknown[]): CommitBody['docs'] {
  const docs: CommitBody['docs'][number][] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const [collection, id] = [String(flat[i]), String(flat[i + 1])];
    const isGone = flat[i + 2] === null;
    docs.push(isGone ? [collection, id, null] : [collection, id]);
    if (isGone) i++;
  }
  return docs;
}
