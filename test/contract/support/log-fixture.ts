import type { OpenedLog } from '../../../src/store/log/logs.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { type Store, storeCollections } from '../../../src/store/store.js';
import { Changes } from '../../support/changes.js';
import { counters } from '../../support/test-domain.js';
import { openTestPartition, openTestStore, type TestParts } from '../../support/test-store.js';
import type { LogKit, LogPlace } from '../log-kit.js';

/** A place of its own for each test, taken away behind it when `close` has closed what the test opened there. To be called within `describe`. */
export function placeFixture(kit: LogKit, close: () => Promise<unknown> = async () => {}): () => LogPlace {
  let place: LogPlace;
  beforeEach(async () => {
    place = await kit.make();
  });
  afterEach(async () => {
    await close();
    await place.remove();
  });
  return () => place;
}

/** Logs of the test domain, each a new one; closed behind each test. To be called within `describe`. */
export function logFixture(kit: LogKit): () => Promise<OpenedLog> {
  const opened: OpenedLog[] = [];
  const place = placeFixture(kit, async () => {
    for (const { log, replica } of opened.splice(0)) {
      await log.close();
      replica.close();
    }
  });
  return async () => {
    const one = await openLog(place());
    opened.push(one);
    return one;
  };
}

/** A store with the test domain on a place of its own for each test. To be called within `describe`. */
export function storeFixture(kit: LogKit) {
  let store: Store | undefined;
  const commits = new Changes();
  const end = async () => {
    const open = store;
    store = undefined;
    await open?.close(100);
  };
  const place = placeFixture(kit, end);
  return {
    place,
    end,
    /** Opens the store, again on what it had stored when it is called again after {@link end}; gives a partition. */
    async begin(parts?: TestParts): Promise<Partition> {
      const on = { folder: place().folder, logs: place().logs() };
      store = openTestStore(on, { ...parts, committed: commits.tell });
      return openTestPartition(store);
    },
    /** Waits until it holds of what is stored. */
    until: (holds: () => boolean): Promise<void> => commits.until(holds),
    store(): Store {
      if (store === undefined) throw new Error('the store is not open');
      return store;
    },
  };
}

let opened = 0;

/** A log of its own for the test domain. */
export const openLog = (place: LogPlace): Promise<OpenedLog> =>
  place.logs().open(`log-${opened++}`, [...storeCollections(), counters].map(shapeOf));
