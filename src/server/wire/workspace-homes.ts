import { ContentView } from '../../content/index.js';
import { DESKTOP, type Directory, ensureWorkspaceHome, homePath } from '../../identity/index.js';
import { systemCaller } from '../../shared/caller.js';
import { log } from '../../shared/log.js';
import type { PartitionPort } from '../../store/index.js';
import { SYSTEM_PARTITION } from './workspaces.js';

/**
 * The folders that users have in workspaces beside `system`, where they are made with the user: each is made once, at the user's first request there.
 * Which ones are there is remembered, so that a request asks nothing more.
 */
export class WorkspaceHomes {
  readonly #directory: Pick<Directory, 'user'>;
  /** The profiles of those whose folders are there, by the partition, as long as that is open. A user that is made anew has another one. */
  readonly #known = new WeakMap<PartitionPort, Set<string>>();
  readonly #making = new Map<string, Promise<void>>();

  constructor(directory: Pick<Directory, 'user'>) {
    this.#directory = directory;
  }

  /** Undefined: nothing is to be waited for. What cannot be made keeps nobody from reading. */
  ensure(userId: string, partition: PartitionPort): Promise<void> | undefined {
    const profileId = this.#directory.user(userId)?.profileId;
    if (profileId === undefined || partition.id === SYSTEM_PARTITION) return undefined;
    const known = this.#known.get(partition) ?? new Set<string>();
    if (known.has(profileId)) return undefined;
    this.#known.set(partition, known);
    if (!isThere(userId, partition)) return this.#make(userId, partition, () => known.add(profileId));
    known.add(profileId);
    return undefined;
  }

  #make(username: string, partition: PartitionPort, done: () => void): Promise<void> {
    const key = `${partition.id}/${username}`;
    const making =
      this.#making.get(key) ??
      partition
        .sendAsSystem(ensureWorkspaceHome, { username })
        .then(done, (error: unknown) => {
          log.warn(
            { err: error, workspace: partition.workspace, user: username },
            'the folders of a user could not be made',
          );
        })
        .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }
}

const isThere = (username: string, { replica, workspace }: PartitionPort): boolean =>
  new ContentView(replica.read(), systemCaller(workspace)).at(`${homePath(username)}/${DESKTOP}`) !== undefined;
