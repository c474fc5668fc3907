import { registerNamespaces } from '../../registration/namespaces.js';
import type { Change } from '../../tree/change.js';
import { type ContentNode, nodes, ROOT_ID } from '../../tree/node.js';
import { fillNode, type Made, requireSound } from './import-fill.js';
import { ImportPlaces, type UuidBehavior } from './import-place.js';
import type { XmlDocument, XmlNode } from './xml-document.js';
import { stepsAtLine } from './xml-line.js';

/** Result of an XML import. */
export interface Imported {
  /** The topmost nodes, in their order. */
  readonly nodeIds: readonly string[];
  readonly created: number;
  /** Nodes with the same identifier that gave way. */
  readonly replaced: number;
}

/**
 * Makes the nodes of an XML document below a node (JCR 2.0 §11), node by node. The root's own element stands for what is in it. Protected properties are the
 * repository's, and left out, as are protected nodes that types create. @throws ServiceError, whose sentence begins with the line
 */
export function* importTree(
  change: Change,
  target: ContentNode,
  document: XmlDocument,
  behavior: UuidBehavior,
): Generator<void, Imported, void> {
  registerNamespaces(change, document.namespaces);
  const places = new ImportPlaces(change, { target, behavior });
  const made = yield* placed(change, places, target, document);
  const idOf = new Map(
    [...made.values()].flatMap(({ xml, id }) => (xml.uuid === null ? [] : [[xml.uuid, id] as const])),
  );
  for (const one of made.values()) {
    fillNode(change, { document, idOf }, one);
    yield;
  }
  yield* places.forgetRemoved();
  for (const one of made.values()) {
    requireSound(change, one);
    yield;
  }
  const top = [...made.values()].filter(({ xml }) => !made.has(xml.parent));
  return { nodeIds: top.map(({ id }) => id), created: made.size, replaced: places.replaced };
}

/** Which nodes of a document are made: all but the root's own element, and what the repository itself has below the root, or makes. */
export class WantedNodes {
  readonly #isAtRoot: boolean;
  readonly #left: Set<number>;
  #root = -1;

  /** `left`: the numbers of nodes that are left out, with what lies below them. */
  constructor(targetId: string, left: Set<number>) {
    this.#isAtRoot = targetId === ROOT_ID;
    this.#left = left;
  }

  /** To be asked of each node in its order. `at`: its number in the document. */
  isWanted(at: number, { name, parent }: Pick<XmlNode, 'name' | 'parent'>): boolean {
    if (parent === -1 && name === 'jcr:root') {
      this.#root = at;
      return false;
    }
    const isSystem = this.#isAtRoot && name === 'jcr:system' && parent !== -1 && parent === this.#root;
    if (isSystem || this.#left.has(parent)) this.#left.add(at);
    return !this.#left.has(at);
  }
}

/** All nodes in their places, by their number in the document. */
function* placed(
  change: Change,
  places: ImportPlaces,
  target: ContentNode,
  { nodes: all }: XmlDocument,
): Generator<void, ReadonlyMap<number, Made>, void> {
  const made = new Map<number, Made>();
  const left = new Set<number>();
  const wanted = new WantedNodes(target.id, left);
  for (const [at, xml] of all.entries()) {
    if (!wanted.isWanted(at, xml)) continue;
    const parent = made.get(xml.parent);
    const above = parent === undefined ? target : change.draft.get(nodes, parent.id);
    const node = yield* stepsAtLine(xml.line, places.place(above ?? target, xml));
    if (node === undefined) left.add(at);
    else made.set(at, { xml, id: node.id });
    yield;
  }
  return made;
}
