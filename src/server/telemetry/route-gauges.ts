import type { Counted, Route } from '../../eip/index.js';
import { exchangesInflight, messagesConsumed, messagesSent, routeStates } from '../../shared/metrics.js';
import { isMeasuring } from '../../shared/trace.js';

/** The routes of one workspace, with their counts. */
export interface CountedWorkspace {
  readonly workspace: string;
  readonly routes: readonly Pick<Route, 'id' | 'actor'>[];
  readonly counted: Counted;
}

/** Reports what is counted of routes at each collection of metrics. Returns how to stop. */
export function observeRoutes(read: () => readonly CountedWorkspace[]): () => void {
  if (!isMeasuring()) return () => {};
  const eachRoute = (value: (numbers: Counted['routes'][number]['numbers']) => number) => (report: Report) => {
    for (const { workspace, counted } of read())
      for (const { routeId, numbers } of counted.routes)
        report(value(numbers), { 'eip.context': workspace, 'eip.route.id': routeId });
  };
  const stops = [
    messagesConsumed.observe(eachRoute(({ completed, failed }) => completed + failed)),
    exchangesInflight.observe(eachRoute(({ inflight }) => inflight)),
    messagesSent.observe((report) => {
      for (const { workspace, counted } of read())
        for (const { target, sent } of sentTo(counted))
          report(sent, { 'eip.context': workspace, 'messaging.destination.template': target });
    }),
    routeStates.observe((report) => {
      for (const { workspace, routes } of read())
        for (const [state, count] of byState(routes))
          report(count, { 'eip.context': workspace, 'eip.route.state': state });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

type Report = (value: number, attributes?: Readonly<Record<string, string>>) => void;

/** By endpoint without its query. */
function sentTo({ endpoints }: Counted) {
  const sums = new Map<string, number>();
  for (const { uri, completed, failed } of endpoints) {
    const target = uri.split('?', 1)[0] ?? '';
    sums.set(target, (sums.get(target) ?? 0) + completed + failed);
  }
  return Array.from(sums, ([target, sent]) => ({ target, sent }));
}

function byState(routes: CountedWorkspace['routes']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { actor } of routes) counts.set(actor.value, (counts.get(actor.value) ?? 0) + 1);
  return counts;
}
