import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import { evaluated, type Outcome, untilReply } from '../../flow/outcome.js';
import { LEVELS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, EndpointAddress, LogLevel } from '../component.js';
import type { RouteOperations } from '../component-host.js';

const AT = { line: 1, column: 1 };

/** Operates routes from routes, where the server allows it. What fails is logged, and the exchange goes on. */
export const controlbus: Component = {
  schemes: ['controlbus'],
  syntax: 'command:language',
  options: {
    ...PRODUCER_OPTIONS,
    action: ['start', 'stop', 'fail', 'suspend', 'resume', 'restart', 'status', 'stats'],
    async: 'boolean',
    loggingLevel: LEVELS,
    restartDelay: 'duration',
    routeId: 'text',
  },
  endpoint(address, context) {
    const [command, language] = address.path.split(':');
    const task = command === 'language' ? evaluation(String(language), context) : action(address, context);
    return { uri: address.uri, producer: () => (exchange) => run(exchange, task(exchange), address, context) };
  },
};

/** What is done, and how it is told in the log. */
interface Task {
  readonly told: string;
  /** Its value is the body afterwards; none where it has none. */
  readonly work: () => Promise<unknown>;
  /** It would wait for its own exchange. */
  readonly isOfItself: boolean;
}

function run(exchange: Exchange, task: Task, { uri, options }: EndpointAddress, context: ComponentContext): Outcome {
  const level = (options.loggingLevel ?? 'INFO') as LogLevel;
  const log = (line: string) => context.log(level, 'org.apache.camel.component.controlbus.ControlBusProducer', line);
  const done = (result: unknown) => {
    log(`ControlBus task done [${task.told}] with result -> ${result === undefined ? 'void' : textOf(result)}`);
    return result;
  };
  const failed = (thrown: unknown) => {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    log(`Error executing ControlBus task [${task.told}]. This exception will be ignored. ${why}`);
    return undefined;
  };
  const through = task.work().then(done).catch(failed);
  if (options.async === true || task.isOfItself) return undefined;
  return untilReply(uri, through, (result) => {
    if (result !== undefined && result !== null) exchange.body = result;
    return undefined;
  });
}

function action({ uri, options }: EndpointAddress, context: ComponentContext): (exchange: Exchange) => Task {
  const { routes } = context.host;
  if (routes === undefined)
    throw new ExchangeFailure('java.lang.SecurityException', `${uri}: routes may not operate routes here`);
  const name = String(options.action ?? '');
  if (name === '' || (options.routeId === undefined && name !== 'stats'))
    throw new ExchangeFailure('java.lang.IllegalArgumentException', `${uri}: expected the options action and routeId`);
  return (exchange) => {
    const routeId = options.routeId === 'current' ? exchange.routeId : String(options.routeId ?? '');
    return {
      told: `${name} route ${routeId}`,
      work: () => operated(routes, name, routeId, Number(options.restartDelay ?? 1000), context),
      isOfItself: ['stop', 'suspend', 'restart', 'fail'].includes(name) && routeId === exchange.routeId,
    };
  };
}

async function operated(
  routes: RouteOperations,
  name: string,
  routeId: string,
  restartDelay: number,
  context: ComponentContext,
): Promise<unknown> {
  if (name === 'status') return routes.status(routeId);
  if (name === 'stats') return routes.statistics(routeId === '' ? null : routeId);
  if (name !== 'restart') return routes.operate(name as 'start', routeId);
  await routes.operate('stop', routeId);
  if (restartDelay > 0)
    await new Promise<void>((resolve) => void context.flow.at(context.now() + restartDelay, resolve));
  return routes.operate('start', routeId);
}

/** The body is an expression. */
function evaluation(language: string, context: ComponentContext): (exchange: Exchange) => Task {
  const its = context.language(language);
  return (exchange) => {
    const text = textOf(exchange.body);
    const work = async () => {
      const expression = its.expression({ language, text, options: {}, at: AT });
      let value: unknown;
      const outcome = evaluated(expression(exchange.copy()), (its) => {
        value = its;
        return undefined;
      });
      if (outcome?.wait.kind === 'reply') value = await outcome.wait.reply;
      return value;
    };
    return { told: text, work, isOfItself: false };
  };
}
