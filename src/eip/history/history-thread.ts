import { join } from 'node:path';
import type { ThreadService } from '../../shared/thread-service.js';
import { partitionFolder, releaseClosed } from '../../store/files.js';
import type { StatsBucket } from './exchange-counts.js';
import type { ExchangeRecord } from './exchange-record.js';
import { HistoryFile, type HistoryPage, type HistoryRetention } from './history-file.js';
import type { HistoryQuery, StatsQuery } from './history-query.js';
import type { PackedRecords } from './packed-records.js';

type Asked = { readonly partition: string } & (
  | { readonly kind: 'append'; readonly now: number; readonly batches: readonly PackedRecords[] }
  | { readonly kind: 'list'; readonly query: HistoryQuery }
  | { readonly kind: 'find'; readonly exchangeId: string; readonly routeId?: string | undefined }
  | { readonly kind: 'stats'; readonly query: StatsQuery }
  | { readonly kind: 'routesBetween'; readonly from: number; readonly to: number }
  | { readonly kind: 'firstFrom'; readonly from: number }
  | { readonly kind: 'forget' }
);

/** A request to the thread of histories. `now`: of the domain's clock, ms. */
export type HistoryRequest = Asked;

export type HistoryAnswer = HistoryPage | ExchangeRecord | readonly StatsBucket[] | readonly string[] | number | null;

export interface HistoryThreadData {
  readonly dataFolder: string;
  readonly retention: HistoryRetention;
}

/** A file turned out to be damaged and was begun anew. */
export interface HistoryDamage {
  readonly partition: string;
  readonly reason: string;
}

/** How often what is old is looked for, by the domain's clock and by rows. */
const TIDY_MS = 60_000;
const TIDY_ROWS = 5_000;

/** The thread that writes and reads every workspace's history of exchanges. */
export const inThread = (data: HistoryThreadData, say: (damage: HistoryDamage) => void) => new HistoryThread(data, say);

interface Open {
  readonly file: HistoryFile;
  /** When it was tidied last, and how many rows came since. */
  tidied: number;
  rows: number;
}

class HistoryThread implements ThreadService<HistoryRequest, HistoryAnswer> {
  readonly #data: HistoryThreadData;
  readonly #say: (damage: HistoryDamage) => void;
  readonly #open = new Map<string, Open>();

  constructor(data: HistoryThreadData, say: (damage: HistoryDamage) => void) {
    this.#data = data;
    this.#say = say;
  }

  answer(request: HistoryRequest): HistoryAnswer {
    const { partition } = request;
    switch (request.kind) {
      case 'append':
        this.#append(this.#openOf(partition), request);
        return null;
      case 'list':
        return this.#openOf(partition).file.list(request.query);
      case 'find':
        return this.#openOf(partition).file.find(request.exchangeId, request.routeId);
      case 'stats':
        return this.#openOf(partition).file.stats(request.query);
      case 'routesBetween':
        return this.#openOf(partition).file.routesBetween(request.from, request.to);
      case 'firstFrom':
        return this.#openOf(partition).file.firstFrom(request.from);
      case 'forget':
        this.#open.get(partition)?.file.close();
        this.#open.delete(partition);
        releaseClosed();
        return null;
    }
  }

  end(): void {
    for (const { file } of this.#open.values()) file.close();
  }

  #append(open: Open, { batches, now }: Extract<HistoryRequest, { kind: 'append' }>): void {
    for (const packed of batches) {
      open.file.append(packed);
      open.rows += packed.count;
    }
    const isDue = now - open.tidied >= TIDY_MS || now < open.tidied || open.rows >= TIDY_ROWS;
    if (!isDue) return;
    open.tidied = now;
    open.rows = 0;
    open.file.trim(this.#data.retention, now);
  }

  #openOf(partition: string): Open {
    const known = this.#open.get(partition);
    if (known !== undefined) return known;
    const path = join(partitionFolder(this.#data.dataFolder, partition), 'history.db');
    const file = new HistoryFile(path, (reason) => this.#say({ partition, reason }));
    const open = { file, tidied: 0, rows: 0 };
    this.#open.set(partition, open);
    return open;
  }
}
