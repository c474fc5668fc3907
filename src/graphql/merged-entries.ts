import { earliestPosition } from '../store/index.js';
import type { FeedEntry } from './feed-iterator.js';

/** Entries of one feed, from a place on; they end when the signal aborts. */
export interface EntrySource<T> {
  readonly position: string;
  entries(signal: AbortSignal): AsyncGenerator<FeedEntry<T>>;
}

/** What a source has come to: an entry that is waiting, its end, or what it threw. */
type Come<T> = { readonly result: IteratorResult<FeedEntry<T>, void> } | { readonly thrown: unknown };

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
        yield { position: earliestPosition(positions), value };
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    ended.abort();
    await Promise.all(cursors.map((cursor) => cursor.return(undefined)));
  }
}
