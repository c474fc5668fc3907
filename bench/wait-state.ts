import type { Committed } from '../src/store/index.js';
import { engineInStore } from './engine-in-store.js';

/** How large what is stored of an instance of (d) is, without variables, while it waits at its task: bytes of JSON text. */
export interface WaitState {
  /** By collection: `processInstance`, `task`, `run` (the history of the run and what replaying it needs). */
  readonly documents: Readonly<Record<string, number>>;
  /** What the feed keeps of the commit for as long as streams may be resumed. */
  readonly feed: number;
}

export async function waitState(): Promise<WaitState> {
  const seen: Committed[] = [];
  const engine = await engineInStore(null, { followers: () => [{ committed: (commit) => seen.push(commit) }] });
  seen.length = 0;
  await engine.start('d');
  await engine.close();
  const [commit] = seen;
  if (commit === undefined || seen.length > 1) throw new Error(`expected one commit, but found ${seen.length}`);
  const { documents, body } = commit.record;
  return {
    documents: Object.fromEntries(documents.map((one) => [one.collection, Buffer.byteLength(one.body ?? '')])),
    feed: Buffer.byteLength(body),
  };
}
