import { join } from 'node:path';
import type { ThreadService } from '../../shared/thread-service.js';
import { partitionFolder, releaseClosed } from '../../store/files.js';
import type { StatsBucket } from './exchange-counts.js';
import type { ExchangeRecord } from './exchange-record.js';
import { HistoryFile, type HistoryPage, type HistoryRetention, type KeptStatistic } from './history-file.js';
import type { HistoryQuery, StatsQuery } from './history-query.js';
import { type ExchangeSummary, type PackedRecords, summariesOf } from './packed-records.js';

/** A request to the thread of histories. `now`: of the domain's clock, ms. */
export type HistoryRequest = Asked | { readonly kind: 'tidy'; readonly now: number };

type Asked = { readonly partition: string } & (
  | {
      readonly kind: 'append';
      readonly now: number;
      readonly batches: readonly PackedRecords[];
      /** How many of them the answer tells of one by one; 0: it tells nothing. */
      readonly told: number;
    }
  | { readonly kind: 'list' | 'records'; readonly query: HistoryQuery }
  | { readonly kind: 'find'; readonly exchangeId: string; readonly routeId?: string | undefined }
  | { readonly kind: 'stats'; readonly query: StatsQuery }
  | { readonly kind: 'routesBetween'; readonly from: number; readonly to: number }
  | { readonly kind: 'firstFrom'; readonly from: number }
  | { readonly kind: 'statistics' }
  | { readonly kind: 'keepStatistics'; readonly statistics: readonly KeptStatistic[] }
  | { readonly kind: 'forget' }
);

export type HistoryAnswer =
  | KeptExchanges
  | HistoryPage
  | HistoryPage<ExchangeRecord>
  | ExchangeRecord
  | readonly StatsBucket[]
  | readonly KeptStatistic[]
  | readonly string[]
  | number
  | null;

export interface HistoryThreadData {
  readonly dataFolder: string;
  readonly retention: HistoryRetention;
}

/** A file turned out to be damaged and was begun anew. */
export interface HistoryDamage {
  readonly partition: string;
  readonly reason: string;
}

/** Exchanges that can be read from now on: some, and of the others the hours (their beginnings, ms) in which they began. */
export interface KeptExchanges {
  readonly rows: readonly ExchangeSummary[];
  readonly hours: readonly number[];
}

const HOUR_MS = 3_600_000;

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
    if (request.kind === 'tidy') return this.#tidy(request.now);
    const { partition } = request;
    switch (request.kind) {
      case 'append':
        this.#append(this.#openOf(partition), request);
        return request.told === 0 ? null : keptOf(request);
      case 'list':
        return this.#openOf(partition).file.list(request.query);
      case 'records':
        return this.#openOf(partition).file.records(request.query);
      case 'find':
        return this.#openOf(partition).file.find(request.exchangeId, request.routeId);
      case 'stats':
        return this.#openOf(partition).file.stats(request.query);
      case 'routesBetween':
        return this.#openOf(partition).file.routesBetween(request.from, request.to);
      case 'firstFrom':
        return this.#openOf(partition).file.firstFrom(request.from);
      case 'statistics':
        return this.#openOf(partition).file.statistics();
      case 'keepStatistics':
        this.#openOf(partition).file.keepStatistics(request.statistics);
        return null;
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
    if (isDue) this.#trim(open, now);
  }

  /** Also where nothing new comes. */
  #tidy(now: number): null {
    for (const open of this.#open.values()) this.#trim(open, now);
    return null;
  }

  #trim(open: Open, now: number): void {
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

function keptOf({ batches, told }: Extract<HistoryRequest, { kind: 'append' }>): KeptExchanges {
  const rows: ExchangeSummary[] = [];
  const hours = new Set<number>();
  for (const packed of batches)
    for (const { at: _, ...row } of summariesOf(packed)) {
      if (rows.length < told) rows.push(row);
      else hours.add(Math.floor(row.createdAt / HOUR_MS) * HOUR_MS);
    }
  return { rows, hours: [...hours] };
}
