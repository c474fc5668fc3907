import { parentPort } from 'node:worker_threads';
import { redisClients } from './redis-clients.js';
import type { ReplicaRequest } from './replica-message.js';
import { ReplicaRequests } from './replica-requests.js';

// The thread that writes the replicas of all partitions that are kept in Redis.

const requests = new ReplicaRequests(redisClients, (message) => parentPort?.postMessage(message));
parentPort?.on('message', (request: ReplicaRequest) => requests.take(request));
