import assert from 'node:assert/strict';
import type { FirstUser } from '../../../src/server/wire/domain.js';
import { type LiveOptions, type LiveServer, liveServer } from '../../support/server.js';
import { replayAll } from '../../support/stored-instances.js';
import { Person } from './person.js';

/** The people of the samples, with the groups that the models name. */
const GROUPS = {
  ann: ['accounting'],
  carl: ['controlling'],
  dora: ['accounting', 'controlling'],
  mia: ['management'],
  sal: ['sales'],
  will: ['warehouse', 'shipping'],
  sue: ['support'],
  otto: ['operations', 'security'],
  kim: ['communication'],
  nora: [],
} as const;

export const STAFF: readonly FirstUser[] = Object.entries(GROUPS).map(([userId, groups]) => ({ userId, groups }));

type Name = keyof typeof GROUPS | 'admin';

/** A server with people. */
export interface Company {
  readonly server: LiveServer;
  readonly people: Readonly<Record<Name, Person>>;
  /** Runs every instance's kept commands again and compares with what is stored; then ends all. */
  close(): Promise<void>;
}

/** Starts a server with the samples and people who work with them; the clock stands still until it is advanced. */
export async function openCompany(options: LiveOptions = {}): Promise<Company> {
  const server = await liveServer({ users: STAFF, ...options });
  const names = ['admin', ...Object.keys(GROUPS)];
  const people = Object.fromEntries(names.map((name) => [name, new Person(server.as(name))]));
  return {
    server,
    people: people as Record<Name, Person>,
    close: async () => {
      try {
        assertReplays(server.folder);
      } finally {
        await server.remove();
      }
    },
  };
}

/** Kept commands, run again through the pure interpreter, give the stored state. */
export function assertReplays(folder: string): void {
  const replayed = replayAll(folder);
  assert.ok(replayed.length > 0, 'expected an instance to replay');
  for (const { id, definitionKey, stored, again } of replayed) {
    assert.deepEqual(again, stored, `the kept commands of ${definitionKey} ${id} give another state`);
  }
}
