import { type ContentNode, dateOfInstant, EXCHANGES_ID, type Mount, type Property } from '../../content/index.js';
import {
  type ExchangeRecord,
  exchangeFile,
  exchangePath,
  HISTORY_ROOT,
  type HistoryPlace,
  placeOf,
  unnamed,
} from '../../eip/index.js';
import { cursorsOf, Keyset, type KeysetPage, type KeysetRequest } from '../../store/index.js';
import type { ApiServices } from '../api-services.js';
import { memoryPage } from '../memory-page.js';

type History = Pick<ApiServices['history'], 'list' | 'records' | 'find' | 'routesBetween' | 'firstFrom'>;

const PREFIX = 'exchange:';
const CONTENT = 'jcr:content';
/** Year, month, day and hour, then the route. */
const TIMES = 4;
const ROUTE = TIMES + 1;
const FILE = ROUTE + 1;

/**
 * Exchanges of routes as nodes below /var/eip/history, in folders by the hour in which they began and by their route. They are kept elsewhere, and
 * looked up there: what was found shows in the tree of the request that asked. Identifiers: `exchange:<path below the folder>`.
 */
export class ExchangeNodes implements Mount {
  readonly rootId = EXCHANGES_ID;
  readonly #history: History;
  readonly #partition: string;
  readonly #found = new Map<string, ContentNode>();

  constructor(history: History, partition: string) {
    this.#history = history;
    this.#partition = partition;
  }

  readonly get = (_: unknown, id: string): ContentNode | undefined => this.#found.get(id);

  readonly child = (_: unknown, parent: ContentNode, name: string, index = 1): ContentNode | undefined =>
    index === 1 ? this.#found.get(idOf([...segmentsOf(parent), name])) : undefined;

  /** Nobody lists them without waiting: see {@link page}. */
  readonly children = (): ContentNode[] => [];

  /** Whether children of the node are exchanges, or folders of them. */
  shows({ id }: ContentNode): boolean {
    return id === EXCHANGES_ID || this.#found.has(id);
  }

  /** Whether anything shows in the node, which is one of these. */
  async hasChildren({ id }: ContentNode): Promise<boolean> {
    return id !== EXCHANGES_ID || (await this.#history.firstFrom(this.#partition, 0)) !== null;
  }

  /** Looks up what is at the path, so that it shows in the tree; nothing: nothing is kept that would be there. */
  async look(path: string): Promise<void> {
    const segments = path.slice(HISTORY_ROOT.length + 1).split('/');
    if (segments.at(-1) === '') segments.pop();
    if (segments.length > 0 && (await this.#isThere(segments))) this.#addFolders(segments);
  }

  /** A page of what shows in the node, which is one of these: folders by their names, exchanges the newest first. */
  async page(parent: ContentNode, request: KeysetRequest): Promise<KeysetPage<ContentNode>> {
    const segments = segmentsOf(parent);
    if (segments.length === ROUTE) return this.#files(segments, request);
    const folders = async () => (await this.#names(segments)).map((name) => this.#addFolder([...segments, name]));
    const all = segments.length < ROUTE ? await folders() : [this.child(null, parent, CONTENT)];
    return namedPage(parent, all.filter(isNode), request);
  }

  async #isThere(segments: readonly string[]): Promise<boolean> {
    if (segments.length > FILE + 1 || (segments.length > FILE && segments[FILE] !== CONTENT)) return false;
    const range = rangeOf(segments.slice(0, TIMES));
    if (range === undefined) return false;
    if (segments.length <= TIMES) {
      const first = await this.#history.firstFrom(this.#partition, range.from);
      return first !== null && first < range.to;
    }
    if (segments.length > ROUTE) return this.#hasFile(segments.slice(0, FILE));
    const filter = { routes: [unnamed(segments[TIMES] ?? '')], ...range };
    const { rows } = await this.#history.list(this.#partition, { filter, limit: 1 });
    return rows.length > 0;
  }

  async #hasFile(segments: readonly string[]): Promise<boolean> {
    const path = `${HISTORY_ROOT}/${segments.join('/')}`;
    const place = placeOf(path);
    const record = place && (await this.#history.find(this.#partition, place.exchangeId, place.routeId));
    if (record == null || exchangePath(record) !== path) return false;
    this.#addFile(record);
    return true;
  }

  async #names(segments: readonly string[]): Promise<string[]> {
    const range = rangeOf(segments);
    if (range === undefined) return [];
    if (segments.length === TIMES) return this.#routes(range);
    const found: string[] = [];
    for (let from = range.from; ; ) {
      const next = await this.#history.firstFrom(this.#partition, from);
      if (next === null || next >= range.to) return found;
      const within = timesOf(next).slice(0, segments.length + 1);
      found.push(within.at(-1) ?? '');
      from = rangeOf(within)?.to ?? range.to;
    }
  }

  async #routes({ from, to }: Range): Promise<string[]> {
    const routes = await this.#history.routesBetween(this.#partition, from, to);
    return routes.map((routeId) => segmentsIn(exchangePath({ createdAt: from, routeId, exchangeId: '' }))[TIMES] ?? '');
  }

  async #files(segments: readonly string[], request: KeysetRequest): Promise<KeysetPage<ContentNode>> {
    const range = rangeOf(segments.slice(0, TIMES));
    const keyset = new Keyset(cursorsOf(idOf(segments), 3), request);
    if (range === undefined) return keyset.page([], () => 0);
    const place = keyset.after && placeFrom(keyset.after);
    const { rows, total } = await this.#history.records(this.#partition, {
      filter: { routes: [unnamed(segments[TIMES] ?? '')], ...range },
      limit: keyset.wanted,
      counts: request.count,
      ...(place && { after: place }),
    });
    const found = rows.map((record) => {
      const { createdAt, exchangeId, routeId } = record;
      return { key: [createdAt, exchangeId, routeId], node: this.#addFile(record) };
    });
    return keyset.page(found, () => total ?? 0);
  }

  #addFolders(segments: readonly string[]): void {
    for (let depth = 1; depth <= Math.min(segments.length, ROUTE); depth++) this.#addFolder(segments.slice(0, depth));
  }

  #addFolder(segments: readonly string[]): ContentNode {
    return this.#add({ ...placed(segments), type: 'nt:folder', properties: {} });
  }

  #addFile(record: ExchangeRecord): ContentNode {
    const segments = segmentsIn(exchangePath(record));
    const bytes = exchangeFile(record);
    this.#add({
      ...placed([...segments, CONTENT]),
      type: 'nt:resource',
      properties: {
        'jcr:data': { type: 'Binary', value: { inline: bytes.toString('base64'), size: bytes.length } },
        'jcr:mimeType': text('application/json'),
        'jcr:encoding': text('UTF-8'),
        'jcr:lastModified': date(record.completedAt),
      },
    });
    return this.#add({
      ...placed(segments),
      type: 'nt:file',
      properties: { 'jcr:created': date(record.createdAt) },
    });
  }

  #add(node: ContentNode): ContentNode {
    this.#found.set(node.id, node);
    return node;
  }
}

const isNode = (node: ContentNode | undefined): node is ContentNode => node !== undefined;

async function namedPage({ id }: ContentNode, all: readonly ContentNode[], { first, after, count }: KeysetRequest) {
  const name = (node: ContentNode) => node.name;
  const list = { name: id, all, isWanted: () => true, value: name, id: name, descending: false };
  const page = await memoryPage(list, { first, after }, first);
  return count ? page : { ...page, totalCount: null };
}

/** Identifier of the file that an exchange shows as. */
export const exchangeNodeId = (path: string): string => idOf(segmentsIn(path));

/** The segments of a path below the folder. */
const segmentsIn = (path: string): string[] => path.slice(HISTORY_ROOT.length + 1).split('/');

const segmentsOf = ({ id }: ContentNode): string[] =>
  id === EXCHANGES_ID ? [] : id.startsWith(PREFIX) ? id.slice(PREFIX.length).split('/') : ['', id];

const idOf = (segments: readonly string[]): string =>
  segments.length === 0 ? EXCHANGES_ID : `${PREFIX}${segments.join('/')}`;

const placed = (segments: readonly string[]) => ({
  id: idOf(segments),
  parent: idOf(segments.slice(0, -1)),
  name: segments.at(-1) ?? '',
  order: null,
  mixins: [],
  version: 0,
});

const text = (value: string): Property => ({ type: 'String', value });
const date = (ms: number): Property => ({ type: 'Date', value: dateOfInstant(ms) ?? '' });

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Year, month, day and hour of an instant, as names of folders. */
const timesOf = (ms: number): string[] =>
  segmentsIn(exchangePath({ createdAt: ms, routeId: '', exchangeId: '' })).slice(0, TIMES);

/** The time that folders stand for, as many as are given; none: all time. Undefined: they stand for none. */
function rangeOf(names: readonly string[]): Range | undefined {
  if (names.length === 0) return { from: 0, to: Number.MAX_SAFE_INTEGER };
  const [year = 0, month = 1, day = 1, hour = 0] = names.map(Number);
  const from = Date.UTC(year, month - 1, day, hour);
  if (Number.isNaN(from) || names.some((name, at) => name !== timesOf(from)[at])) return undefined;
  const end = [year, month - 1, day, hour];
  end[names.length - 1] = (end[names.length - 1] ?? 0) + 1;
  return { from, to: Date.UTC(end[0] ?? 0, end[1] ?? 0, end[2] ?? 1, end[3] ?? 0) };
}

const placeFrom = ([createdAt, exchangeId, routeId]: readonly unknown[]): HistoryPlace => ({
  createdAt: Number(createdAt),
  exchangeId: String(exchangeId),
  routeId: String(routeId),
});
