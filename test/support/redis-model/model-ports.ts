import type { ThreadPort } from '../../../src/shared/thread.js';
import { type Said, served, type ToThread } from '../../../src/shared/thread-service.js';
import type { RedisPorts } from '../../../src/store/log/redis-log.js';
import { ReplicaRequests } from '../../../src/store/log/replica-requests.js';
import { ReplicaThread } from '../../../src/store/log/replica-thread.js';
import type { RedisModel } from './redis-model.js';

/** What a `RedisLogs` needs of a model: its connections, and replicas that are written in this process, a message each time that `soon` lets one through. */
export function modelPorts(model: RedisModel, soon: (work: () => void) => void): RedisPorts {
  return { redis: model.port, replicas: new ReplicaThread(() => replicasInProcess(model, soon)) };
}

/** As the thread that writes replicas: messages are copied, keep their order, and come later. */
export function replicasInProcess(model: RedisModel, soon: (work: () => void) => void): ThreadPort {
  const asked: ToThread[] = [];
  const told: unknown[] = [];
  let hear: (message: unknown) => void = () => {};
  const say = (said: Said) => {
    told.push(structuredClone(said));
    soon(() => hear(told.shift()));
  };
  const requests = new ReplicaRequests(
    () => model.port,
    (news) => say({ news }),
  );
  const take = served(requests, say);
  const takeNext = () => {
    const request = asked.shift();
    if (request !== undefined) take(request);
  };
  return {
    post: (message) => {
      asked.push(structuredClone(message as ToThread));
      soon(takeNext);
    },
    onMessage: (listener) => {
      hear = listener;
    },
    onExit: () => {},
    hold: () => {},
    terminate: () => {},
  };
}
