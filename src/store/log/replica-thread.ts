import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../shared/errors.js';
import { ReplicaFollower } from './replica-follower.js';
import type { ReplicaReport, ReplicaRequest } from './replica-message.js';

// The thread that writes the replicas of all partitions that are kept in Redis.

const replicas = new Map<number, ReplicaFollower>();
/** One request of a replica after the other. */
const queues = new Map<number, Promise<void>>();
const report = (message: ReplicaReport) => parentPort?.postMessage(message);

parentPort?.on('message', (request: ReplicaRequest) => {
  const { replica, id, type } = request;
  if (type !== 'trim') replicas.get(replica)?.stop();
  const done = (queues.get(replica) ?? Promise.resolve())
    .then(() => perform(request))
    .then(
      () => report({ type: 'done', replica, id }),
      (thrown: unknown) => report({ type: 'done', replica, id, error: messageOf(thrown) }),
    );
  queues.set(replica, done);
  if (type === 'close') queues.delete(replica);
});

async function perform(request: ReplicaRequest): Promise<void> {
  const { replica } = request;
  if (request.type === 'open') {
    replicas.set(replica, new ReplicaFollower(request.data, (news) => report({ ...news, replica })));
    return;
  }
  const follower = replicas.get(replica);
  if (follower === undefined) throw new Error('the replica is not open');
  switch (request.type) {
    case 'follow':
      return follower.follow();
    case 'load':
      return follower.load(request.copyTo);
    case 'trim':
      return follower.trim(request.revision, request.outcomesBefore);
    case 'close':
      replicas.delete(replica);
      return follower.close();
  }
}
