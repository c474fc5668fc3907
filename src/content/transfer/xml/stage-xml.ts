import { setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '../../../shared/caller.js';
import { limitExceeded, ServiceError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import type { BlobStore } from '../../../store/index.js';
import {
  answeringRefusals,
  type LargeWork,
  NodeStaging,
  preparation,
  type Staging,
  stagedInRounds,
} from '../../large/make-ready.js';
import { binaryOf } from '../../value/binary-value.js';
import { type BlobValue, INLINE_BYTES_MAX, TEXT_INLINE_MAX } from '../../value/property.js';
import type { Made } from './import-fill.js';
import { DIRECT_MAX, REPLACING_MAX } from './import-place.js';
import { WantedNodes } from './import-tree.js';
import { importing, type XmlAnswer, type XmlQuestion } from './import-xml.js';
import {
  fillXmlNodes,
  hasNodes,
  IMPORT_TOP_MAX,
  placeXmlNodes,
  type StagedPlacing,
  tooManyOnTop,
  type XmlStage,
} from './staged-xml.js';
import {
  type LargeValue,
  nodesIn,
  type XmlDocument,
  type XmlNode,
  type XmlPages,
  type XmlProperty,
  type XmlValue,
} from './xml-document.js';
import type { XmlParser } from './xml-parser.js';
import { decoded } from './xml-text.js';

/** Services of the XML importer. */
export interface XmlServices {
  readonly blobs: BlobStore;
  readonly xmlParser: Pick<XmlParser, 'read'>;
  readonly largeWork: LargeWork;
}

/** Reads the XML of imports, makes blobs of what is large in it, and stages many nodes. */
export const preparedImports = preparation(importing, (services: XmlServices, question, caller) =>
  answeringRefusals(async () => {
    const pages = await pagesOf(services, question);
    if (pages.count > DIRECT_MAX && !(await isReplacing(services, question, pages)))
      return stagedInRounds(new XmlStaging(services, question, { caller, pages }));
    return { problem: null, document: await documentOf(services, pages), staged: null };
  }),
);

/** Whether nodes that are there have to give way, as far as can be said now, and are few enough for one decision. */
async function isReplacing(
  { largeWork }: XmlServices,
  { place }: XmlQuestion,
  { pages, count }: XmlPages,
): Promise<boolean> {
  if (count > REPLACING_MAX || place.behavior === 'CREATE_NEW' || place.behavior === 'THROW') return false;
  const ids: string[] = [];
  for (const page of pages) {
    for (const { uuid } of nodesIn(page)) if (uuid !== null) ids.push(uuid);
    await turn();
  }
  return largeWork.send(place.partition, hasNodes, { ids });
}

async function pagesOf({ blobs, xmlParser }: XmlServices, question: XmlQuestion): Promise<XmlPages> {
  const { blob, size, namespaces, limits } = question;
  if (size > limits.bytesMax)
    throw limitExceeded(`expected XML of at most ${limits.bytesMax} bytes, but found ${size}`, {
      reason: 'xml_too_large',
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.open({ sha256: blob, size })) chunks.push(chunk);
  return xmlParser.read({ bytes: Buffer.concat(chunks), namespaces, limits });
}

async function documentOf({ blobs }: XmlServices, { pages, count: _, ...facts }: XmlPages): Promise<XmlDocument> {
  const nodes: XmlNode[] = [];
  for (const page of pages) {
    nodes.push(...(await nodesWithBlobs(nodesIn(page), blobs)));
    // Pages with much text take their time: others get their turn between them.
    await turn();
  }
  return { ...facts, nodes };
}

/** A node of the document, and its number there. */
interface Numbered {
  readonly at: number;
  readonly xml: XmlNode;
}

/**
 * Makes an import out of the tree, page by page, each of which is one commit: first all nodes come into their places, so that references and
 * mandatory children are found wherever they are, then they get what they hold. What is refused leaves nothing behind.
 */
class XmlStaging implements Staging<XmlAnswer> {
  readonly #services: XmlServices;
  readonly #question: XmlQuestion;
  readonly #pages: XmlPages;
  readonly #stage: XmlStage;
  readonly #nodes: NodeStaging;
  /** What nodes have become, by their number; those that are not made have no entry. */
  readonly #ids = new Map<number, string>();
  readonly #idOf = new Map<string, string>();
  /** The numbers of nodes that are left out. */
  readonly #left = new Set<number>();
  readonly #top: { readonly id: string; readonly line: number }[] = [];

  constructor(
    services: XmlServices,
    question: XmlQuestion,
    { caller, pages }: { readonly caller: Caller; readonly pages: XmlPages },
  ) {
    const { partition, targetId, behavior, stamp, now } = question.place;
    this.#services = services;
    this.#question = question;
    this.#pages = pages;
    this.#nodes = new NodeStaging(services.largeWork, partition, newId(now));
    const { rootId } = this.#nodes;
    this.#stage = { rootId, targetId, behavior, caller, stamp, namespaces: pages.namespaces };
  }

  get path(): string {
    return this.#stage.targetId;
  }

  /** All of it: what it rests on must not change meanwhile. @throws ServiceError as `importXml` */
  async round(): Promise<XmlAnswer> {
    const { rootId, targetId, stamp, namespaces } = this.#stage;
    await this.#nodes.begin({ purpose: 'import' });
    await this.#eachPage((page) => this.#place(page));
    await this.#eachPage((page) => this.#fill(page));
    const staged = { rootId, targetId, stamp, namespaces, top: this.#top, created: this.#ids.size };
    return { problem: null, document: null, staged };
  }

  abandon(): Promise<void> {
    return this.#nodes.abandon();
  }

  async #eachPage(work: (page: readonly Numbered[]) => Promise<void>): Promise<void> {
    const wanted = new WantedNodes(this.#stage.targetId, this.#left);
    let at = 0;
    for (const page of this.#pages.pages) {
      const from = at;
      const all = nodesIn(page).map((xml, n) => ({ at: from + n, xml }));
      at += all.length;
      const made = all.filter((one) => wanted.isWanted(one.at, one.xml));
      if (made.length > 0) await work(made);
    }
  }

  #place(page: readonly Numbered[]): Promise<void> {
    return inParts(page, async (part) => {
      const all = part.filter((one) => !this.#isLeft(one));
      const numbers = new Map(all.map(({ at }, n) => [at, n]));
      const places = all.map(({ xml: { parent, name, type, mixins, uuid, line } }): StagedPlacing => {
        const above = numbers.get(parent) ?? this.#ids.get(parent) ?? null;
        return { parent: above, name, type, mixins, uuid, line };
      });
      const ids = await this.#services.largeWork.send(this.#question.place.partition, placeXmlNodes, {
        stage: this.#stage,
        places,
      });
      for (const [n, { at, xml }] of all.entries()) this.#placed(at, xml, ids[n] ?? null);
    });
  }

  /** Whether it lies below a node that was left out in an earlier part of the page. */
  #isLeft({ at, xml }: Numbered): boolean {
    if (this.#left.has(xml.parent)) this.#left.add(at);
    return this.#left.has(at);
  }

  /** @throws LIMIT_EXCEEDED */
  #placed(at: number, { parent, uuid, line }: XmlNode, id: string | null): void {
    if (id === null) return void this.#left.add(at);
    if (!this.#ids.has(parent) && this.#top.push({ id, line }) > IMPORT_TOP_MAX) throw tooManyOnTop();
    this.#ids.set(at, id);
    if (uuid !== null) this.#idOf.set(uuid, id);
  }

  async #fill(page: readonly Numbered[]): Promise<void> {
    const nodes = await nodesWithBlobs(
      page.map(({ xml }) => xml),
      this.#services.blobs,
    );
    const made = page.map(({ at }, n): Made => ({ xml: nodes[n] as XmlNode, id: this.#ids.get(at) ?? '' }));
    const { view, renamed } = this.#pages;
    await inParts(made, async (part) => {
      await this.#services.largeWork.send(this.#question.place.partition, fillXmlNodes, {
        stage: this.#stage,
        document: { view, renamed },
        made: part,
        idOf: this.#referredIn(part),
      });
    });
  }

  /** The identifiers of the import that values of these nodes may tell. */
  #referredIn(part: readonly Made[]): (readonly [string, string])[] {
    const found = new Map<string, string>();
    if (this.#idOf.size === 0) return [];
    for (const property of part.flatMap(({ xml }) => xml.properties)) {
      for (const word of this.#wordsOf(property)) {
        const id = this.#idOf.get(word);
        if (id !== undefined) found.set(word, id);
      }
    }
    return [...found];
  }

  /** The document view tells neither types nor where one value ends: any word may be an identifier. */
  #wordsOf({ type, values }: XmlProperty): string[] {
    const texts = values.filter((value) => typeof value === 'string');
    if (this.#pages.view === 'DOCUMENT') return texts.flatMap((text) => [text, ...text.split(/\s+/)]).map(decoded);
    return type === null || type === 'Reference' || type === 'WeakReference' ? texts : [];
  }
}

/** What is too much for one decision is done in halves. */
async function inParts<T>(all: readonly T[], work: (part: readonly T[]) => Promise<void>): Promise<void> {
  try {
    await work(all);
  } catch (thrown) {
    // Without a reason it is the decision's own limit.
    const isTooMuch = thrown instanceof ServiceError && thrown.code === 'LIMIT_EXCEEDED' && thrown.info.reason == null;
    const middle = all.length >> 1;
    if (!isTooMuch || middle === 0) throw thrown;
    await inParts(all.slice(0, middle), work);
    await inParts(all.slice(middle), work);
  }
}

/** The nodes with their large values as blobs. */
async function nodesWithBlobs(nodes: readonly XmlNode[], blobs: BlobStore): Promise<readonly XmlNode[]> {
  const made: XmlNode[] = [];
  for (const node of nodes) {
    const properties: XmlProperty[] = [];
    for (const property of node.properties) properties.push(await withBlobs(property, blobs));
    made.push({ ...node, properties });
  }
  return made;
}

async function withBlobs(property: XmlProperty, blobs: BlobStore): Promise<XmlProperty> {
  const isLarge = property.values.some((value) => isLargeText(property, value));
  if (!isLarge) return property;
  const values: XmlValue[] = [];
  for (const value of property.values)
    values.push(isLargeText(property, value) ? await largeValue(String(value), blobs) : value);
  return { ...property, values };
}

/** Base64 has four characters for three bytes. */
const BASE64_INLINE_MAX = Math.ceil(INLINE_BYTES_MAX / 3) * 4;

function isLargeText({ type }: XmlProperty, value: XmlValue): boolean {
  if (typeof value !== 'string' || (type !== null && type !== 'Binary' && type !== 'String')) return false;
  return value.length > (type === 'Binary' ? BASE64_INLINE_MAX : TEXT_INLINE_MAX);
}

async function largeValue(text: string, blobs: BlobStore): Promise<LargeValue> {
  const base64 = text.replace(/\s+/g, '');
  const bytes = binaryOf(base64) === null ? null : await stored(Buffer.from(base64, 'base64'), blobs);
  return { text: await stored(Buffer.from(text), blobs), bytes };
}

async function stored(bytes: Buffer, blobs: BlobStore): Promise<BlobValue> {
  const { sha256, size } = await blobs.write(bytes);
  return { blob: sha256, size };
}
