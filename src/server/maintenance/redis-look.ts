import { RedisLogs } from '../../store/index.js';
import type { Config } from '../settings/config.js';
import { redisAddressOf } from '../settings/redis-settings.js';
import { Recurring } from './recurring.js';

/** How often it is looked at how Redis keeps what it is given, beside each connect. */
const LOOK_MS = 60_000;

/** The logs in Redis, where the settings name one, and how to stop looking at it. */
export function openRedisLogs(config: Config): { readonly logs?: RedisLogs; readonly close: () => Promise<void> } {
  const address = redisAddressOf(config);
  if (address === undefined) return { close: async () => {} };
  const logs = new RedisLogs({ address, dataFolder: config.dataFolder, answerMs: config.logAnswerMs });
  const look = new Recurring({ name: 'how Redis keeps its data', everyMs: LOOK_MS, work: () => logs.look() });
  return { logs, close: () => look.close() };
}
