import { WorkThread } from '../../../store/index.js';
import type { XmlSource } from './read-xml.js';
import type { XmlPages } from './xml-document.js';

interface XmlParserOptions {
  /** How long one document may take, in ms. */
  readonly budgetMs: number;
}

/** Reads XML in a thread of its own, one document after the other: see {@link WorkThread}. */
export class XmlParser {
  readonly #thread: WorkThread<XmlSource, XmlPages>;

  constructor({ budgetMs }: XmlParserOptions) {
    const module = new URL('./read-xml.js', import.meta.url);
    this.#thread = new WorkThread({ module, budgetMs, thing: 'document' });
  }

  /** @throws as `readXml`; LIMIT_EXCEEDED (longer than the budget), UNAVAILABLE (too many wait, or closed) */
  read(source: XmlSource): Promise<XmlPages> {
    return this.#thread.ask(source);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
