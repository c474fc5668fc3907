import { parentPort } from 'node:worker_threads';
import { redisStreams } from './redis-streams.js';
import type { ReplicaRequest } from './replica-message.js';
import { ReplicaRequests } from './replica-requests.js';

// The thread that writes the replicas of all partitions that are kept in Redis.

const requests = new ReplicaRequests(redisStreams, (message) => parentPort?.postMessage(message));
parentPort?.on('message', (request: ReplicaRequest) => requests.take(request));
