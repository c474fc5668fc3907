import type { Caller } from '../../../src/shared/caller.js';
import { collection } from '../../../src/store/collection.js';

/** A document with something of everything that a list can ask for. */
export interface Thing {
  readonly id: string;
  readonly name: string | null;
  readonly size: number | null;
  readonly kind: string;
  readonly groups: readonly string[];
  /** Who may see it; null: everyone. */
  readonly owner: string | null;
}

const columns = {
  name: (thing: Thing) => thing.name,
  size: (thing: Thing) => thing.size,
  kind: (thing: Thing) => thing.kind,
};
const indexes = {
  name: { columns: ['name'] },
  kind: { columns: ['kind', 'size'], seldomTied: true, few: true },
};

/** Things that everyone may see. */
export const openThings = collection<Thing>({
  name: 'openThing',
  columns,
  multi: { groups: (thing) => thing.groups },
  indexes,
});

/** Things that their owner alone may see. */
export const ownThings = collection<Thing>({
  name: 'ownThing',
  columns,
  multi: { groups: (thing) => thing.groups },
  indexes,
  visible: (caller, thing) => thing.owner === null || thing.owner === caller.userId,
  seesAll: (caller) => caller.roles.includes('administrator'),
});

export const thing = (id: string, given: Partial<Thing> = {}): Thing => ({
  id,
  name: null,
  size: null,
  kind: 'plain',
  groups: [],
  owner: null,
  ...given,
});

export const callerNamed = (userId: string, roles: readonly string[] = []): Caller => ({
  userId,
  groups: [],
  roles,
  sessionId: null,
  workspace: 'default',
  cause: {},
});
