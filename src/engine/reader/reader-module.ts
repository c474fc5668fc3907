import { incidents, listPagesOf, type ReaderModule } from '../../store/documents.js';
import { engineCollections, jobs } from '../collections.js';
import { activityHistory, activityPage } from './activity-history.js';
import { engineGauges, taskCounts } from './counts.js';
import { messageReceivers } from './message-receivers.js';
import { variableSearch } from './variable-search.js';

const collections = [...engineCollections, jobs, incidents];

/** Several lists of the engine's at once. */
export const engineLists = listPagesOf('engineLists', collections);

/** The engine's part in the reader's threads. */
export const readerModule: ReaderModule = {
  collections,
  queries: [activityHistory, activityPage, taskCounts, engineGauges, engineLists, messageReceivers, variableSearch],
};
