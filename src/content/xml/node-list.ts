import { limitExceeded } from '../../shared/errors.js';
import type { XmlLimits, XmlNode, XmlProperty } from './xml-document.js';

/** A node that is being read. */
export type OpenNode = Omit<XmlNode, 'properties' | 'mixins' | 'type' | 'uuid'> & {
  type: string | null;
  mixins: readonly string[];
  uuid: string | null;
  readonly properties: XmlProperty[];
};

/** The nodes of a document as they come, parents first. */
export class NodeList {
  readonly nodes: OpenNode[] = [];
  readonly #limits: Pick<XmlLimits, 'nodesMax'>;
  readonly #open: number[] = [];

  constructor(limits: Pick<XmlLimits, 'nodesMax'>) {
    this.#limits = limits;
  }

  /** The node that was opened last and not yet closed. */
  get current(): OpenNode | undefined {
    return this.nodes[this.#open.at(-1) ?? -1];
  }

  /** @throws LIMIT_EXCEEDED */
  open(name: string, line: number): OpenNode {
    if (this.nodes.length >= this.#limits.nodesMax) throw tooMany(this.#limits.nodesMax);
    const node = { parent: this.#open.at(-1) ?? -1, name, type: null, mixins: [], uuid: null, properties: [], line };
    this.#open.push(this.nodes.push(node) - 1);
    return node;
  }

  close(): void {
    this.#open.pop();
  }
}

const tooMany = (nodesMax: number) =>
  limitExceeded(
    `expected at most ${nodesMax} nodes in one import, but found more: import the parts of it one after the other`,
    { reason: 'import_too_large' },
  );
