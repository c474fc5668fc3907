import type { Collection, Document, State } from '../../store/index.js';
import type { Changes } from './changes.js';

/** A version of something that is deployed: a decision, a form. */
interface Versioned extends Document {
  readonly key: string;
  readonly version: number;
  readonly latest: boolean;
  readonly deploymentId: string;
  readonly deleting: boolean;
}

/** Where versions come and go. */
interface VersionScene {
  readonly state: State;
  readonly changes: Changes;
}

/** Makes room for a new latest version of the key; gives its number. */
export function nextVersionOf<T extends Versioned>(
  { state, changes }: VersionScene,
  collection: Collection<T>,
  key: string,
): number {
  const [latest] = state.find(collection, 'latest', [1, key]);
  if (latest !== undefined) changes.put(collection, { ...latest, latest: false });
  const [newest] = state.range(collection, 'key', [key], 1);
  return newest?.key === key ? newest.version + 1 : 1;
}

/** How many versions back the one is looked for that becomes the latest again. */
const VERSIONS_BACK_MAX = 100;

/** Nobody sees or uses it any more: the version before is the latest again. */
export function withdrawVersion<T extends Versioned>(
  { state, changes }: VersionScene,
  collection: Collection<T>,
  withdrawn: T,
): void {
  changes.put(collection, { ...withdrawn, deleting: true, latest: false });
  if (!withdrawn.latest) return;
  const { key, version, deploymentId } = withdrawn;
  const before = state
    .range(collection, 'key', [key, -version], VERSIONS_BACK_MAX)
    .find((it) => it.key === key && !it.deleting && it.deploymentId !== deploymentId);
  if (before !== undefined) changes.put(collection, { ...before, latest: true });
}
