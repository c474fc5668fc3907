/** Items one after the other; of a stream each must be waited for. */
export type ItemIterator = IterableIterator<unknown> | AsyncIterableIterator<unknown>;

const isAsync = (items: ItemIterator): items is AsyncIterableIterator<unknown> => Symbol.asyncIterator in items;

/** What is made of items as they come: of each one any number, and what is left at the end. */
interface Change {
  item(item: unknown): Iterable<unknown>;
  end(): Iterable<unknown>;
}

function changed(items: ItemIterator, change: Change): ItemIterator {
  return isAsync(items) ? changedLater(items, change) : changedNow(items, change);
}

function* changedNow(items: Iterable<unknown>, change: Change): IterableIterator<unknown> {
  for (const item of items) yield* change.item(item);
  yield* change.end();
}

async function* changedLater(items: AsyncIterable<unknown>, change: Change): AsyncIterableIterator<unknown> {
  for await (const item of items) yield* change.item(item);
  yield* change.end();
}

/** Iterator over the items, each changed by `make`. */
export const itemwise = (items: ItemIterator, make: (item: unknown) => unknown): ItemIterator =>
  changed(items, { item: (item) => [make(item)], end: () => [] });

/** All but the first. */
export function skippedFirst(items: ItemIterator): ItemIterator {
  let isFirst = true;
  return changed(items, {
    item(item) {
      const skips = isFirst;
      isFirst = false;
      return skips ? [] : [item];
    },
    end: () => [],
  });
}

/** So many as one text each, with a delimiter between them; the last one may have fewer. */
export function grouped(items: ItemIterator, size: number, delimiter: string): ItemIterator {
  let group: unknown[] = [];
  const taken = () => {
    const text = group.join(delimiter);
    group = [];
    return [text];
  };
  return changed(items, {
    item: (item) => (group.push(item) < size ? [] : taken()),
    end: () => (group.length === 0 ? [] : taken()),
  });
}
