import { parseDateTime } from '../../expression/index.js';
import { badRequest, limitExceeded } from '../../shared/errors.js';

/** Lengths of buckets by their labels, ms; the shortest one is what is used where nothing else is said. */
const INTERVALS = { '5min': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const;
type Label = keyof typeof INTERVALS;

const BUCKETS_MAX = 2_000;
/** The interval of a window that does not name one, by how long it is: of the last one whatever is longer. */
const BY_SPAN = [
  ['5min', 2 * INTERVALS['1h']],
  ['1h', 2 * INTERVALS['1d']],
  ['1d', Number.POSITIVE_INFINITY],
] as const;

const BOUNDARIES = [1_000, 5_000];

export interface StatsArguments {
  readonly at?: string | null;
  readonly buckets?: number | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly interval?: string | null;
  readonly elapsedBoundaries?: readonly number[] | null;
}

/** The window of time that statistics are about, and its buckets: instants in ms. */
export interface StatsWindow {
  readonly label: Label;
  readonly interval: number;
  /** Exchanges from here on, and before the end, are counted. */
  readonly from: number;
  readonly to: number;
  readonly anchor: number;
  /** Beginnings of all buckets, the oldest first. */
  readonly starts: readonly number[];
  readonly boundaries: readonly number[];
}

/**
 * Either so many buckets up to the one in which an instant lies, or a window from one instant to another. @throws BAD_REQUEST (neither, or what is no instant),
 * LIMIT_EXCEEDED (more than 2,000 buckets)
 */
export function statsWindow(given: StatsArguments, now: number): StatsWindow {
  const boundaries = boundariesOf(given.elapsedBoundaries);
  const { buckets } = given;
  if (buckets != null && buckets > 0) {
    const label = labelOf(given.interval) ?? '5min';
    const interval = INTERVALS[label];
    const at = instant(given.at) ?? now;
    const last = floor(at, interval);
    const window = { label, interval, from: last - (buckets - 1) * interval, to: last + interval, anchor: at };
    return { ...window, boundaries, starts: startsOf(window) };
  }
  const [from, to] = [instant(given.from), instant(given.to)];
  if (from === undefined || to === undefined)
    throw badRequest("expected 'buckets', or both 'from' and 'to', but found neither");
  if (to < from) throw badRequest("expected 'to' not to be before 'from'");
  const label = labelOf(given.interval) ?? BY_SPAN.find(([, most]) => to - from <= most)?.[0] ?? '1d';
  const window = { label, interval: INTERVALS[label], from, to, anchor: to };
  return { ...window, boundaries, starts: startsOf(window) };
}

const floor = (at: number, interval: number): number => Math.floor(at / interval) * interval;

function startsOf({ from, to, interval }: Pick<StatsWindow, 'from' | 'to' | 'interval'>): number[] {
  const first = floor(from, interval);
  const count = Math.ceil((to - first) / interval);
  if (count > BUCKETS_MAX) throw limitExceeded(`expected at most ${BUCKETS_MAX} buckets, but ${count} are asked for`);
  return Array.from({ length: count }, (_, at) => first + at * interval);
}

function labelOf(text: string | null | undefined): Label | undefined {
  const label = text?.trim().toLowerCase();
  return label !== undefined && Object.hasOwn(INTERVALS, label) ? (label as Label) : undefined;
}

const instant = (text: string | null | undefined): number | undefined =>
  text == null || text === '' ? undefined : parseDateTime(text);

function boundariesOf(given: readonly number[] | null | undefined): readonly number[] {
  const wanted = [...new Set((given ?? []).filter((boundary) => boundary > 0))].sort((a, b) => a - b);
  return wanted.length === 0 ? BOUNDARIES : wanted;
}

const BANDS: Readonly<Record<string, readonly [from: number, to: number | null]>> = {
  under1s: [0, 1_000],
  under5s: [1_000, 5_000],
  over5s: [5_000, null],
};

/** The times that bands by their names stand for; undefined: all. Names that are none stand for nothing. */
export function elapsedBands(
  names: readonly string[] | null | undefined,
): readonly (readonly [number, number | null])[] | undefined {
  if (names == null || names.length === 0) return undefined;
  const bands = Object.keys(BANDS).flatMap((name) => (names.includes(name) ? [BANDS[name]] : []));
  return bands.length === Object.keys(BANDS).length ? undefined : bands.filter((band) => band !== undefined);
}
