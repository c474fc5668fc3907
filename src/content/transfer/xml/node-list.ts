import { limitExceeded } from '../../../shared/errors.js';
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

  /** Adds a property to a node that was opened. @throws LIMIT_EXCEEDED */
  add(node: OpenNode, property: XmlProperty): void {
    if (node.properties.push(property) > PROPERTIES_MAX) throw tooManyProperties(node.name);
  }

  close(): void {
    this.#open.pop();
  }
}

/** The most properties of a node: more do not fit into its document, however small they are. */
const PROPERTIES_MAX = 8_000;

const tooManyProperties = (name: string) =>
  limitExceeded(`expected at most ${PROPERTIES_MAX} properties of a node, but '${name}' has more`, {
    reason: 'import_too_large',
  });

const tooMany = (nodesMax: number) =>
  limitExceeded(
    `expected at most ${nodesMax} nodes in one import, but found more: import the parts of it one after the other`,
    { reason: 'import_too_large' },
  );
