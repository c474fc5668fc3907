import { isAdministrator } from '../../../shared/caller.js';
import { badRequest } from '../../../shared/errors.js';
import { complete } from '../../tree/add-node.js';
import type { Change } from '../../tree/change.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { requireTarget } from '../../tree/references.js';
import { HELD_BY_NODE } from '../../type/auto-created.js';
import type { NamespaceRegistry } from '../../value/names.js';
import { type Property, valuesOf } from '../../value/property.js';
import type { XmlDocument, XmlNode, XmlProperty } from './xml-document.js';
import { atLine } from './xml-line.js';
import { propertyOfXml, referring } from './xml-property.js';

/** What administrators may take over although the repository keeps it. */
const KEPT: ReadonlySet<string> = new Set(['jcr:created', 'jcr:createdBy']);
/** Who did something is told by administrators alone. */
const WHO: ReadonlySet<string> = new Set(['jcr:lastModifiedBy']);

/** A node of the XML, and what it has become. */
export interface Made {
  readonly xml: XmlNode;
  readonly id: string;
}

/** Where properties come from. */
export interface Filling {
  readonly document: Pick<XmlDocument, 'view' | 'renamed'>;
  /** The identifiers that nodes have got, by those of the XML. */
  readonly idOf: ReadonlyMap<string, string>;
}

/** Gives a node that is in its place its properties, and what its types create by themselves. @throws ServiceError, with the line */
export function fillNode(change: Change, filling: Filling, { xml, id }: Made): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return; // a later one of the same identifier took its place
  const properties: Record<string, Property> = {};
  const exempt: string[] = [];
  for (const property of xml.properties) {
    const isProtected = protects(change, node, property);
    if (!isTaken(change, node, property, isProtected)) continue;
    if (isProtected) exempt.push(property.name);
    properties[property.name] = atLine(property.line, () => valueIn(change, filling, node, property));
  }
  change.exempt(id, exempt);
  atLine(xml.line, () => complete(change, change.put({ ...node, properties })));
}

/** Of whatever type it is; where another type is not protected, its value tells. */
function protects(change: Change, node: ContentNode, { name }: XmlProperty): boolean {
  const definitions = change.types.of(node).propertiesNamed(name);
  return definitions.length > 0 && definitions.every((definition) => definition.protected);
}

function isTaken(change: Change, node: ContentNode, { name }: XmlProperty, isProtected: boolean): boolean {
  if (HELD_BY_NODE.has(name)) return false;
  if (isProtected) return KEPT.has(name) && isAdministrator(change.caller);
  return !WHO.has(name) || !change.types.isA(node, 'mix:lastModified') || isAdministrator(change.caller);
}

function valueIn(change: Change, { document, idOf }: Filling, node: ContentNode, property: XmlProperty): Property {
  const context = new Valued(change, node, property.name);
  return referring(propertyOfXml(change.types.of(node), document, property, context), idOf);
}

/** Once all are in their places. @throws BAD_REQUEST the node is not as its types say, or refers to nothing, with the line */
export function requireSound(change: Change, { xml, id }: Made): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return;
  const lineOf = (item: string | null) => xml.properties.find(({ name }) => name === item)?.line ?? xml.line;
  const [problem] = change.types.problems(change, node, true);
  if (problem !== undefined) {
    const { item, rule, message } = problem;
    const details = { path: change.pathOf(node), item, rule };
    atLine(lineOf(item), () => {
      throw badRequest(message, { reason: rule, details });
    });
  }
  for (const [name, property] of Object.entries(node.properties)) {
    if (property.type !== 'Reference') continue;
    const holder = new Valued(change, node, name);
    atLine(lineOf(name), () => {
      for (const value of valuesOf(property)) requireTarget(change, String(value), holder);
    });
  }
}

/** The context of a property's values. */
class Valued {
  readonly namespaces: NamespaceRegistry;
  readonly #change: Change;
  readonly #node: ContentNode;
  readonly #name: string;

  constructor(change: Change, node: ContentNode, name: string) {
    this.namespaces = change.types.namespaces;
    this.#change = change;
    this.#node = node;
    this.#name = name;
  }

  /** Made for a refusal alone: a path takes its time. */
  get what(): string {
    return `property '${this.#name}' of '${this.#change.pathOf(this.#node)}'`;
  }
}
