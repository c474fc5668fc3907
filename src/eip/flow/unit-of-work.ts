import type { Ending, Exchange } from '../../expression/routes.js';
import { after, attempt, type Outcome } from './outcome.js';

/** Does what is to be done before whoever began an exchange is told that it is over, or behind that, once: the latest first. What fails of it is told, and keeps nothing else from being done. */
export function endOf(exchange: Exchange, when: 'before' | 'behind', failed: (thrown: unknown) => void): Outcome {
  const isLast = when === 'behind';
  const now = exchange.endings?.filter((it) => (it.isLast === true) === isLast) ?? [];
  const later = exchange.endings?.filter((it) => (it.isLast === true) !== isLast) ?? [];
  exchange.endings = later.length === 0 ? undefined : later;
  const from = (at: number): Outcome => {
    const ending = now[at];
    if (ending === undefined) return undefined;
    return after(done(ending, exchange, failed), () => from(at - 1));
  };
  return from(now.length - 1);
}

const done = (ending: Ending, exchange: Exchange, failed: (thrown: unknown) => void): Outcome =>
  attempt(
    () => ending.run(exchange) as Outcome,
    (thrown) => {
      failed(thrown);
      return undefined;
    },
  );

/** Another exchange goes on in place of this one, and what is to be done at the end is done at its end: behind a queue that nobody waits for. */
export function handOver(from: Exchange, to: Exchange): void {
  if (from.endings === undefined) return;
  to.endings = [...(to.endings ?? []), ...from.endings];
  from.endings = undefined;
}
