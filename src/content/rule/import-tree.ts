import { isAdministrator } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { nodes } from '../collections.js';
import { type ContentNode, ROOT_ID } from '../model/node.js';
import { type Property, valuesOf } from '../model/property.js';
import type { XmlDocument, XmlNode, XmlProperty } from '../xml/xml-document.js';
import { complete } from './add-node.js';
import { HELD_BY_NODE } from './auto-created.js';
import type { Change } from './change.js';
import { ImportPlaces, type UuidBehavior } from './import-place.js';
import { registerNamespaces } from './register-namespaces.js';
import { requireTarget } from './set-property.js';
import { atLine } from './xml-line.js';
import { propertyOfXml, referring } from './xml-property.js';

/** What an import has made. */
export interface Imported {
  /** The topmost nodes, in their order. */
  readonly nodeIds: readonly string[];
  readonly created: number;
  /** Nodes with the same identifier that gave way. */
  readonly replaced: number;
}

/** What administrators may take over although the repository keeps it. */
const KEPT: ReadonlySet<string> = new Set(['jcr:created', 'jcr:createdBy']);
/** Who did something is told by administrators alone. */
const WHO: ReadonlySet<string> = new Set(['jcr:lastModifiedBy']);

/** A node of the XML, and what it has become. */
interface Made {
  readonly xml: XmlNode;
  readonly id: string;
}

/**
 * Makes the nodes of an XML document below a node (JCR 2.0 §11). The root's own element stands for what is in it. Protected properties are the
 * repository's, and left out. @throws ServiceError, whose sentence begins with the line
 */
export function importTree(
  change: Change,
  target: ContentNode,
  document: XmlDocument,
  behavior: UuidBehavior,
): Imported {
  registerNamespaces(change, document.namespaces);
  const places = new ImportPlaces(change, target, behavior);
  const made = placed(change, places, target, document);
  const idOf = new Map(
    [...made.values()].flatMap(({ xml, id }) => (xml.uuid === null ? [] : [[xml.uuid, id] as const])),
  );
  for (const one of made.values()) atLine(one.xml.line, () => fill(change, document, one, idOf));
  places.requireUnreferenced();
  for (const { xml, id } of made.values()) requireSound(change, xml, id);
  const top = [...made.values()].filter(({ xml }) => !made.has(xml.parent));
  return { nodeIds: top.map(({ id }) => id), created: made.size, replaced: places.replaced };
}

/** All nodes in their places, by their number in the document. */
function placed(
  change: Change,
  places: ImportPlaces,
  target: ContentNode,
  { nodes: all }: XmlDocument,
): ReadonlyMap<number, Made> {
  const made = new Map<number, Made>();
  const left = new Set<number>();
  for (const [at, xml] of all.entries()) {
    const isRoot = xml.parent === -1 && xml.name === 'jcr:root';
    const isSystem = xml.name === 'jcr:system' && all[xml.parent]?.name === 'jcr:root' && target.id === ROOT_ID;
    if (isSystem || left.has(xml.parent)) left.add(at);
    if (isRoot || left.has(at)) continue;
    const parent = made.get(xml.parent);
    const above = parent === undefined ? target : change.draft.get(nodes, parent.id);
    const node = atLine(xml.line, () => places.place(above ?? target, xml));
    made.set(at, { xml, id: node.id });
  }
  return made;
}

function fill(change: Change, document: XmlDocument, { xml, id }: Made, idOf: ReadonlyMap<string, string>): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return; // a later one of the same identifier took its place
  const properties: Record<string, Property> = {};
  const exempt: string[] = [];
  for (const property of xml.properties) {
    const isProtected = protects(change, node, property);
    if (!isTaken(change, node, property, isProtected)) continue;
    if (isProtected) exempt.push(property.name);
    properties[property.name] = atLine(property.line, () => valueIn(change, document, node, property, idOf));
  }
  change.exempt(id, exempt);
  complete(change, change.put({ ...node, properties }));
}

const protects = (change: Change, node: ContentNode, { name }: XmlProperty): boolean =>
  change.types
    .of(node)
    .propertiesNamed(name)
    .some((definition) => definition.protected);

function isTaken(change: Change, node: ContentNode, { name }: XmlProperty, isProtected: boolean): boolean {
  if (HELD_BY_NODE.has(name)) return false;
  if (isProtected) return KEPT.has(name) && isAdministrator(change.caller);
  return !WHO.has(name) || !change.types.isA(node, 'mix:lastModified') || isAdministrator(change.caller);
}

function valueIn(
  change: Change,
  document: XmlDocument,
  node: ContentNode,
  property: XmlProperty,
  idOf: ReadonlyMap<string, string>,
): Property {
  const context = {
    namespaces: change.types.namespaces,
    // Made for a refusal alone: a path takes its time.
    get what(): string {
      return `property '${property.name}' of '${change.pathOf(node)}'`;
    },
  };
  return referring(propertyOfXml(change.types.of(node), document, property, context), idOf);
}

/** @throws BAD_REQUEST the node is not as its types say, or refers to nothing */
function requireSound(change: Change, xml: XmlNode, id: string): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return;
  const lineOf = (item: string | null) => xml.properties.find(({ name }) => name === item)?.line ?? xml.line;
  const [problem] = change.types.problems(change, node);
  if (problem !== undefined) {
    const { item, rule, message } = problem;
    const details = { path: change.pathOf(node), item, rule };
    atLine(lineOf(item), () => {
      throw badRequest(message, { reason: rule, details });
    });
  }
  for (const [name, property] of Object.entries(node.properties)) {
    if (property.type !== 'Reference') continue;
    atLine(lineOf(name), () => {
      const what = `property '${name}' of '${change.pathOf(node)}'`;
      for (const value of valuesOf(property)) requireTarget(change, String(value), what);
    });
  }
}
