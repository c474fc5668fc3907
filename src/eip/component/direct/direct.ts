import { ExchangeFailure } from '../../../expression/routes.js';
import { type Outcome, untilSignal } from '../../flow/outcome.js';
import { CONSUMER_OPTIONS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, Consumer, Intake } from '../component.js';

/** Calls of routes by each other, within a workspace: the caller goes on when the called route is through with the exchange. */
export const direct: Component = {
  schemes: ['direct'],
  syntax: 'name',
  options: {
    ...CONSUMER_OPTIONS,
    ...PRODUCER_OPTIONS,
    block: 'boolean',
    timeout: 'duration',
    failIfNoConsumers: 'boolean',
    synchronous: 'boolean',
  },
  endpoint({ uri, path, options }, context) {
    const doors = context.shared('direct', () => new Map<string, Door>());
    const door = doors.get(path) ?? new Door();
    doors.set(path, door);
    const none = (): Outcome => {
      if (options.failIfNoConsumers === false) return undefined;
      throw new ExchangeFailure(
        'org.apache.camel.component.direct.DirectConsumerNotAvailableException',
        `No consumers available on endpoint: ${uri}`,
      );
    };
    const timeout = options.block === false ? 0 : Number(options.timeout ?? 30_000);
    return {
      uri,
      producer: () => (exchange) => {
        if (door.intake !== undefined) return door.intake.call(exchange);
        if (timeout <= 0) return none();
        const opens = (wake: (intake?: unknown) => void) => door.whenOpen(timeout, wake, context);
        const through = (intake: unknown) => (intake === undefined ? none() : (intake as Intake).call(exchange));
        return untilSignal(`a route that begins at ${uri}`, opens, through);
      },
      consumer: (intake) => consumer(uri, door, intake),
    };
  },
};

/** Where callers of a name meet the route that begins there. */
class Door {
  intake: Intake | undefined;
  readonly #waiting = new Set<(intake: Intake) => void>();

  open(intake: Intake): void {
    this.intake = intake;
    for (const wake of [...this.#waiting]) wake(intake);
  }

  /** Calls `wake` with the route that comes, or with nothing when none came in time. */
  whenOpen(timeout: number, wake: (intake?: Intake) => void, context: ComponentContext): void {
    const late = context.flow.at(context.now() + timeout, () => end(undefined));
    const end = (intake: Intake | undefined) => {
      late();
      this.#waiting.delete(end);
      wake(intake);
    };
    this.#waiting.add(end);
  }
}

/** Suspended is as stopped: callers wait for it. */
function consumer(uri: string, door: Door, intake: Intake): Consumer {
  return {
    start() {
      if (door.intake !== undefined)
        throw new ExchangeFailure(
          'org.apache.camel.FailedToStartRouteException',
          `Cannot add a 2nd consumer to the same endpoint: ${uri}`,
        );
      door.open(intake);
    },
    stop() {
      if (door.intake === intake) door.intake = undefined;
    },
  };
}
