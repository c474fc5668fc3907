import { type ReaderQuery, snapshotState } from '../../store/documents.js';
import { planReceivers, type ReceiversPlan, type ReceiversQuestion } from '../run/waiting-receivers.js';

/** Who waits for a message and has the variables that it seeks, among however many that wait. */
export const messageReceivers: ReaderQuery<ReceiversQuestion, ReceiversPlan> = {
  name: 'messageReceivers',
  run: (context, question) => planReceivers(snapshotState(context, question.partition, question.now), question),
};
