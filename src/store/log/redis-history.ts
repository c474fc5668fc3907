/** Where a history stands: which it is, and its newest commit. */
export interface HistoryPlace {
  readonly epoch: string;
  readonly revision: number;
  /** The newest commit's id; '' before the first. */
  readonly commit: string;
}

/** The history of a partition as Redis has it. */
interface RedisHistory extends HistoryPlace {
  readonly trimmed: number;
  /** The id of the commit that has the replica's revision; undefined where there is none (any more). */
  readonly atReplica: string | undefined;
}

/**
 * How a replica goes on: it `follow`s; is `load`ed anew, because it knows nothing yet, or too little; or because Redis has `lost` commits that
 * the replica has, or has others in their place, or its history is `another`.
 */
type NextStep = 'follow' | 'load' | 'lost' | 'another';

/** Compares what a replica knows with what Redis has. */
export function nextStep(replica: HistoryPlace, redis: RedisHistory): NextStep {
  if (replica.revision === 0) return replica.epoch === redis.epoch && redis.trimmed === 0 ? 'follow' : 'load';
  if (replica.epoch !== redis.epoch) return redis.revision === 0 ? 'lost' : 'another';
  if (replica.revision > redis.revision) return 'lost';
  if (replica.revision < redis.trimmed) return 'load';
  const there = replica.revision === redis.revision ? redis.commit : redis.atReplica;
  return there === replica.commit ? 'follow' : 'lost';
}
