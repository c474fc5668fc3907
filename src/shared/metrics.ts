import {
  type Attributes,
  type Histogram,
  type Meter,
  metrics,
  type Observable,
  type UpDownCounter,
} from '@opentelemetry/api';

/** A measured value, in the unit of the instrument. */
interface Measured {
  record(value: number, attributes?: Attributes): void;
}

/** A number that goes up, or up and down. */
interface Counted {
  add(value: number, attributes?: Attributes): void;
}

/** A number that is read when it is asked for. */
interface Observed {
  /** Called at each collection, at once and synchronously. Returns how to stop it. */
  observe(read: (report: (value: number, attributes?: Attributes) => void) => void): () => void;
}

/*
 * Names, units and attributes follow OpenTelemetry's semantic conventions where those speak (HTTP, database client, messaging), and are
 * our own where they do not (bpm, eip, sse). `error.type` is there on failure only.
 */

/** How long a request took. Attributes: http.request.method, http.route, http.response.status_code, error.type. */
export const httpRequestDuration = measured('http.server.request.duration', 's', 'Duration of HTTP requests');
/** Requests that are being answered. Attribute: http.request.method. */
export const httpActiveRequests = upAndDown('http.server.active_requests', '{request}', 'HTTP requests in flight');
/** How long a GraphQL operation took. Attributes: graphql.operation.type, error.type. */
export const graphqlOperationDuration = measured(
  'graphql.server.operation.duration',
  's',
  'Duration of GraphQL operations',
);

/** How long ended process instances lived. Attributes: bpm.process.definition.key, bpm.process.instance.outcome. */
export const processInstanceDuration = measured('bpm.process.instance.duration', 's', 'Life of process instances');
/** Process instances that have not ended. Attributes: bpm.process.definition.key, bpm.process.instance.state. */
export const activeProcessInstances = observed(
  'bpm.process.instance.active',
  '{instance}',
  'Process instances not ended',
);
/** How long an attempt of a job took. Attributes: messaging.destination.name, error.type. */
export const jobDuration = measured('bpm.job.duration', 's', 'Duration of attempts of jobs');
/** The time from when a job was due to when it was taken. Attribute: messaging.destination.name. */
export const jobWaitDuration = measured('bpm.job.wait.duration', 's', 'Time between due and taken');
/** Attempts that failed and will be made again. Attribute: messaging.destination.name. */
export const jobRetries = counted('bpm.job.retries', '{retry}', 'Attempts of jobs that failed and are made again');
/** Jobs that are due and not taken. */
export const jobBacklog = observed('bpm.job.backlog', '{job}', 'Jobs that are due and not running');
/** Open incidents. Attribute: bpm.incident.type. */
export const activeIncidents = observed('bpm.incident.active', '{incident}', 'Incidents that are open');
/** How old completed user tasks became. Attribute: bpm.task.definition.key. */
export const taskAge = measured('bpm.task.age', 's', 'Age of user tasks at their completion');

/** How long exchanges took that are kept. Attributes: eip.context, eip.route.id, error.type. */
export const messageDuration = measured('messaging.process.duration', 's', 'Duration of exchanges of routes');
/** Exchanges that have ended. Attributes: eip.context, eip.route.id. */
export const messagesConsumed = summed(
  'messaging.client.consumed.messages',
  '{message}',
  'Exchanges of routes that have ended',
);
/** Messages that routes have sent to endpoints. Attributes: eip.context, messaging.destination.template. */
export const messagesSent = summed('messaging.client.sent.messages', '{message}', 'Messages sent by routes');
/** Exchanges that are under way. Attributes: eip.context, eip.route.id. */
export const exchangesInflight = observed('eip.exchange.inflight', '{exchange}', 'Exchanges of routes under way');
/** Routes. Attributes: eip.context, eip.route.state. */
export const routeStates = observed('eip.route.state', '{route}', 'Routes by their states');

/** How long the store took to make a group of commits durable. Attributes: db.system.name, db.operation.name, error.type. */
export const storeOperationDuration = measured(
  'db.client.operation.duration',
  's',
  'Duration of operations of the store',
);

/** Stored things (documents, files) that are known to be damaged. */
export const damagedStored = observed('store.damaged', '{thing}', 'Stored things that are known to be damaged');

/** How many commits the store made durable at once. Attribute: db.system.name. */
export const storeGroupSize = measured('store.commit.group.size', '{commit}', 'Commits made durable at once');

/** Event streams that are open. */
export const streamConnections = upAndDown('sse.connections', '{connection}', 'Event streams that are open');
/** Events that were sent. No attribute: names of operations are the clients', without bound. */
export const streamEventsSent = counted('sse.events.sent', '{event}', 'Events sent to event streams');
/** Streams that were resumed. Attribute: sse.resume.outcome, `hit` or `miss` (the position is older than the feed). */
export const streamResumes = counted('sse.resume', '{resume}', 'Resumptions of event streams');

function measured(name: string, unit: string, description: string): Measured {
  const histogram = made((meter): Histogram => meter.createHistogram(name, { unit, description }));
  return { record: (value, attributes) => histogram().record(value, attributes) };
}

function counted(name: string, unit: string, description: string): Counted {
  const counter = made((meter) => meter.createCounter(name, { unit, description }));
  return { add: (value, attributes) => counter().add(value, attributes) };
}

function upAndDown(name: string, unit: string, description: string): Counted {
  const counter = made((meter): UpDownCounter => meter.createUpDownCounter(name, { unit, description }));
  return { add: (value, attributes) => counter().add(value, attributes) };
}

function observed(name: string, unit: string, description: string): Observed {
  return observing(made((meter) => meter.createObservableGauge(name, { unit, description })));
}

function observing(instrument: () => Observable): Observed {
  return {
    observe: (read) => {
      const target = instrument();
      const callback: Parameters<typeof target.addCallback>[0] = (result) =>
        read((value, attributes) => result.observe(value, attributes));
      target.addCallback(callback);
      return () => target.removeCallback(callback);
    },
  };
}

function summed(name: string, unit: string, description: string): Observed {
  return observing(made((meter) => meter.createObservableCounter(name, { unit, description })));
}

/**
 * The instrument of the present meter provider. The API hands out instruments that do nothing before there is one, and never mends them, so
 * an instrument is made when it is first used, and again when the provider is another.
 */
function made<I>(make: (meter: Meter) => I): () => I {
  let of: { readonly provider: unknown; readonly instrument: I } | undefined;
  return () => {
    const provider = metrics.getMeterProvider();
    if (of?.provider !== provider) of = { provider, instrument: make(provider.getMeter('millrace')) };
    return of.instrument;
  };
}
