import { hostname } from 'node:os';
import type { ClusterFacts } from '../../graphql/index.js';
import type { RedisLogs } from '../../store/index.js';

const ALONE: ClusterFacts = { enabled: false, nodeId: null, members: [] };

/**
 * The servers that share what is kept, as this one knows them: of a Redis it is the only one that decides, and another one that would is refused as
 * long as this one is alive. `started`: when this one began, ms.
 */
export function clusterOf(redis: Pick<RedisLogs, 'member'> | undefined, started: number): ClusterFacts {
  if (redis === undefined) return ALONE;
  const { nodeId, lastHeartbeat, isAlive } = redis.member;
  const own = { nodeId, hostName: hostname(), started, lastHeartbeat, alive: isAlive, self: true };
  return { enabled: true, nodeId, members: [own] };
}
