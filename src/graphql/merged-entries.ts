import { earliestPosition } from '../store/index.js';

/** An entry of the feed as a subscription sees it: with a value if it is for it. */
export interface FeedEntry<T> {
  readonly position: string;
  readonly value?: T | undefined;
}

/** Entries of one feed, from a place on; they end when the signal aborts. `position`: null where they are of no feed; that of the feeds beside is theirs then. */
export interface EntrySource<T> {
  readonly position: string | null;
  entries(signal: AbortSignal): AsyncGenerator<SourceEntry<T>>;
}

interface SourceEntry<T> extends Omit<FeedEntry<T>, 'position'> {
  readonly position: string | null;
}

/** The next of a source: an entry that is waiting, its end, or an exception. */
type Come<T> = { readonly result: IteratorResult<SourceEntry<T>, void> } | { readonly thrown: unknown };

/** The entries of several feeds as they come; each has the position behind it in all of them. What one of them throws ends all. */
export async function* mergedEntries<T>(
  sources: readonly EntrySource<T>[],
  signal: AbortSignal,
): AsyncGenerator<FeedEntry<T>> {
  const ended = new AbortController();
  const end = () => ended.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const positions = sources.map(({ position }) => position);
  const come: (Come<T> | undefined)[] = sources.map(() => undefined);
  let wake = () => {};
  const arrived = (at: number, one: Come<T>) => {
    come[at] = one;
    wake();
  };
  const cursors = sources.map((source) => source.entries(ended.signal));
  const ask = (at: number) =>
    void cursors[at]?.next().then(
      (result) => arrived(at, { result }),
      (thrown: unknown) => arrived(at, { thrown }),
    );
  try {
    for (const at of sources.keys()) ask(at);
    for (let left = sources.length; left > 0; ) {
      const at = come.findIndex((one) => one !== undefined);
      const one = come[at];
      if (one === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      come[at] = undefined;
      if ('thrown' in one) throw one.thrown;
      if (one.result.done === true) left--;
      else {
        const { position, value } = one.result.value;
        positions[at] = position;
        ask(at);
        yield { position: earliestPosition(positions.filter(isPosition)), value };
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    ended.abort();
    await Promise.all(cursors.map((cursor) => cursor.return(undefined)));
  }
}

const isPosition = (position: string | null): position is string => position !== null;
