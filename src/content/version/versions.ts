import { type KeysetRequest, type ReaderQuery, snapshotState } from '../../store/index.js';
import { ContentView } from '../tree/content-view.js';
import { type HistoryView, historyView } from './version-view.js';

export interface VersionsQuery extends KeysetRequest {
  readonly partition: string;
  readonly nodeId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** A page of the history of a node; null: the caller may not read the node, or it is not versionable. */
export const contentVersions: ReaderQuery<VersionsQuery, HistoryView | null> = {
  name: 'contentVersions',
  run(context, { partition, nodeId, now, ...request }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const node = view.get(nodeId);
    return node?.versioning === undefined ? null : historyView(view.tree.reading, node, request);
  },
};
