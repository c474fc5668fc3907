import { principalChanges } from '../../../src/identity/collections.js';
import { identityApi } from '../../../src/identity/identity.js';
import { Directory } from '../../../src/identity/index.js';
import { ensurePrincipals } from '../../../src/identity/operation/ensure-principals.js';
import { endPrincipalChanges } from '../../../src/identity/operation/principal-changes.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { rightsOf } from '../../../src/shared/principals.js';
import type { Operation } from '../../../src/store/index.js';
import { MemoryRepository } from '../../content/support/memory-repository.js';
import { MemoryState } from '../../support/memory-state.js';

/** Users, groups and roles in memory, with the directory that follows each commit. A password's "hash" is the password. */
export class MemoryIdentity {
  readonly repository = new MemoryRepository();
  readonly directory = this.newDirectory();

  constructor() {
    this.send(ensurePrincipals, { users: [], adminPassword: 'of admin' }, systemCaller('system'));
  }

  /** One that is read from what is stored, as at a start. */
  newDirectory(): Directory {
    const directory = new Directory({ verify: async (hash, password) => hash === password });
    const { documents } = this.repository;
    directory.fill({ read: ({ readMax } = {}) => new MemoryState(documents, 'read', 0, 0, readMax) });
    return directory;
  }

  send<I, A>(operation: Operation<I, A>, input: I, by: Caller = this.caller('admin')): A {
    const answer = this.repository.do(operation, input, by);
    this.directory.committed(this.repository);
    return answer;
  }

  /** The refusal of an operation as `CODE field`. */
  refused<I, A>(operation: Operation<I, A>, input: I, by?: Caller): string {
    try {
      this.send(operation, input, by);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      const { refusal = thrown.code, field = null } = (thrown.info.details ?? {}) as Record<string, string | null>;
      return field === null ? `${refusal}` : `${refusal} ${field}`;
    }
    return 'not refused';
  }

  /** Names that were given up are free, as when the jobs are through. */
  freeNames(): void {
    for (const { jobId } of this.repository.documents.all(principalChanges))
      if (jobId !== null) this.send(endPrincipalChanges, { jobId, workspaces: [] }, systemCaller('system'));
  }

  caller(userId: string): Caller {
    const { directory } = this;
    return { ...systemCaller('system'), userId, ...rightsOf(directory, userId) };
  }

  user(username: string, more: { roles?: string[]; memberOf?: string[]; enabled?: boolean } = {}): void {
    this.send(identityApi.createUser, { username, password: `of ${username}`, ...more });
  }

  group(id: string): void {
    this.send(identityApi.createGroup, nested(id));
  }

  role(id: string): void {
    this.send(identityApi.createRole, nested(id));
  }
}

function nested(id: string): { name: string; parentId: string | null } {
  const at = id.lastIndexOf('/');
  return { name: id.slice(at + 1), parentId: at < 0 ? null : id.slice(0, at) };
}
