import type { EngineGauges } from '../../engine/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { activeIncidents, activeProcessInstances, jobBacklog } from '../../shared/metrics.js';
import { isMeasuring } from '../../shared/trace.js';

/** Sources of the gauges. */
interface GaugeSource {
  /** The ids of the open partitions. */
  readonly partitions: () => readonly string[];
  /** Counts in a partition, outside of the main thread. */
  readonly count: (partition: string) => Promise<EngineGauges>;
}

/**
 * Reports running instances, open incidents and due jobs at each collection of metrics. A collection takes what was counted at the one
 * before, and has it counted anew: nothing waits for a count, and nothing is counted that nobody collects. Returns how to stop.
 */
export function observeEngine(source: GaugeSource): () => void {
  if (!isMeasuring()) return () => {};
  let counted: readonly EngineGauges[] = [];
  let isCounting = false;
  const countAnew = async () => {
    if (isCounting) return;
    isCounting = true;
    try {
      const counts = await Promise.allSettled(source.partitions().map((partition) => source.count(partition)));
      counted = counts.flatMap((count) => (count.status === 'fulfilled' ? count.value : []));
      // Of one that was closed meanwhile nothing is counted.
      for (const count of counts)
        if (count.status === 'rejected') log.debug(`the gauges could not be counted: ${messageOf(count.reason)}`);
    } finally {
      isCounting = false;
    }
  };
  const stops = [
    activeProcessInstances.observe((report) => {
      for (const [attributes, count] of sums(counted.flatMap(({ instances }) => instances.map(instanceEntry))))
        report(count, attributes);
      void countAnew();
    }),
    activeIncidents.observe((report) => {
      for (const [attributes, count] of sums(counted.flatMap(({ incidents }) => incidents.map(incidentEntry))))
        report(count, attributes);
    }),
    jobBacklog.observe((report) => report(counted.reduce((sum, { dueJobs }) => sum + dueJobs, 0))),
  ];
  void countAnew();
  return () => {
    for (const stop of stops) stop();
  };
}

type Named = Readonly<Record<string, string>>;
type Entry = readonly [attributes: Named, count: number];

const instanceEntry = ({ key, state, count }: EngineGauges['instances'][number]): Entry => [
  { 'bpm.process.definition.key': key, 'bpm.process.instance.state': state },
  count,
];

const incidentEntry = ({ type, count }: EngineGauges['incidents'][number]): Entry => [
  { 'bpm.incident.type': type },
  count,
];

/** One entry per set of attributes: the same key may be in several partitions. */
function sums(entries: readonly Entry[]): Iterable<Entry> {
  const found = new Map<string, Entry>();
  for (const [attributes, count] of entries) {
    const name = JSON.stringify(attributes);
    found.set(name, [attributes, (found.get(name)?.[1] ?? 0) + count]);
  }
  return found.values();
}
