import type { Caller } from '../../../shared/caller.js';
import { ServiceError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import type { BlobStore } from '../../../store/index.js';
import type { LargeWork } from '../../large/make-ready.js';
import { GIVEN_UP_MS, giveUp } from '../../large/staging-end.js';
import type { Made } from './import-fill.js';
import { WantedNodes } from './import-tree.js';
import type { StagedXml } from './publish-xml.js';
import {
  beginXmlImport,
  fillXmlNodes,
  IMPORT_TOP_MAX,
  placeXmlNodes,
  type StagedPlacing,
  tooManyOnTop,
} from './staged-nodes.js';
import type { XmlStage } from './staged-xml.js';
import { nodesWithBlobs } from './xml-blobs.js';
import type { XmlNode, XmlProperty } from './xml-document.js';
import { nodesIn, type XmlPages } from './xml-pages.js';
import type { XmlQuestion } from './xml-question.js';
import { decoded } from './xml-text.js';

/** What an import is staged with. */
export interface StagingServices {
  readonly blobs: BlobStore;
  readonly largeWork: LargeWork;
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
export class XmlStaging {
  readonly #services: StagingServices;
  readonly #question: XmlQuestion;
  readonly #pages: XmlPages;
  readonly #stage: XmlStage;
  /** What nodes have become, by their number; those that are not made have no entry. */
  readonly #ids = new Map<number, string>();
  readonly #idOf = new Map<string, string>();
  readonly #top: { readonly id: string; readonly line: number }[] = [];

  constructor(
    services: StagingServices,
    question: XmlQuestion,
    { caller, pages }: { readonly caller: Caller; readonly pages: XmlPages },
  ) {
    const { targetId, behavior, stamp, now } = question.place;
    this.#services = services;
    this.#question = question;
    this.#pages = pages;
    this.#stage = { rootId: newId(now), targetId, behavior, caller, stamp, namespaces: pages.namespaces };
  }

  /** @throws ServiceError as `importXml` */
  async run(): Promise<StagedXml> {
    const { largeWork } = this.#services;
    const { partition } = this.#question.place;
    const { rootId, targetId, stamp, namespaces } = this.#stage;
    let afterMs = 0;
    try {
      await largeWork.send(partition, beginXmlImport, { rootId });
      await this.#eachPage((page) => this.#place(page));
      await this.#eachPage((page) => this.#fill(page));
      afterMs = GIVEN_UP_MS;
      return { rootId, targetId, stamp, namespaces, top: this.#top, created: this.#ids.size };
    } finally {
      giveUp(largeWork, partition, rootId, afterMs);
    }
  }

  async #eachPage(work: (page: readonly Numbered[]) => Promise<void>): Promise<void> {
    const wanted = new WantedNodes(this.#stage.targetId);
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
      const first = part[0]?.at ?? 0;
      const numbers = new Map(part.map(({ at }, n) => [at, n]));
      const places = part.map(({ xml: { parent, name, type, mixins, uuid, line } }): StagedPlacing => {
        const above = parent >= first ? numbers.get(parent) : this.#ids.get(parent);
        return { parent: above ?? null, name, type, mixins, uuid, line };
      });
      const ids = await this.#services.largeWork.send(this.#question.place.partition, placeXmlNodes, {
        stage: this.#stage,
        places,
      });
      for (const [n, { at, xml }] of part.entries()) this.#placed(at, xml, ids[n] ?? '');
    });
  }

  /** @throws LIMIT_EXCEEDED */
  #placed(at: number, { parent, uuid, line }: XmlNode, id: string): void {
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
    if (!isTooMuch || all.length < 2) throw thrown;
    const middle = all.length >> 1;
    await inParts(all.slice(0, middle), work);
    await inParts(all.slice(middle), work);
  }
}
