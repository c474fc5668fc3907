import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import { attempt, evaluated, type Outcome, untilInstant, untilReply } from '../../flow/outcome.js';
import { faultOf } from '../../route-faults.js';
import type { RouteFault } from '../../route-port.js';
import { LEVELS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, EndpointAddress, LogLevel } from '../component.js';
import { type WorkspaceClient, workspaceOf } from '../workspace-client.js';
import type { RouteCommand } from '../workspace-port.js';

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
    const [command = '', language = ''] = address.path.split(':');
    const isEvaluated = command === 'language' && language !== '';
    if (!isEvaluated && address.path !== 'route')
      throw new ExchangeFailure(
        'org.apache.camel.ResolveEndpointFailedException',
        `Failed to resolve endpoint: ${address.uri} due to: expected route, or language: with the name of one, got '${address.path}'`,
      );
    const task = isEvaluated ? evaluation(language, context) : action(address, context);
    return { uri: address.uri, producer: () => (exchange) => run(exchange, task(exchange), address, context) };
  },
};

/** A task of `controlbus:`, and how it is told in the log. */
interface Task {
  readonly told: string;
  /** Goes on with its value, which is the body afterwards; undefined: it has none. */
  readonly work: (then: (value: unknown) => Outcome) => Outcome;
  /** It would wait for its own exchange. */
  readonly isOfItself: boolean;
}

function run(exchange: Exchange, task: Task, { options }: EndpointAddress, context: ComponentContext): Outcome {
  const level = (options.loggingLevel ?? 'INFO') as LogLevel;
  const log = (line: string) => context.log(level, 'org.apache.camel.component.controlbus.ControlBusProducer', line);
  const through = (taken: (result: unknown) => void): Outcome =>
    attempt(
      () =>
        task.work((result) => {
          log(`ControlBus task done [${task.told}] with result -> ${result === undefined ? 'void' : textOf(result)}`);
          taken(result);
          return undefined;
        }),
      (thrown) => {
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        log(`Error executing ControlBus task [${task.told}]. This exception will be ignored. ${why}`);
        return undefined;
      },
    );
  if (options.async === true || task.isOfItself) {
    const aside = () => through(() => {});
    context.flow.start(exchange.copy(), aside, () => {});
    return undefined;
  }
  return through((result) => {
    if (result !== undefined && result !== null) exchange.body = result;
  });
}

function action({ uri, options }: EndpointAddress, context: ComponentContext): (exchange: Exchange) => Task {
  if (!context.host.controlsRoutes)
    throw new ExchangeFailure('java.lang.SecurityException', `${uri}: routes may not operate routes here`);
  const name = String(options.action ?? '');
  if (name === '' || (options.routeId === undefined && name !== 'stats'))
    throw new ExchangeFailure('java.lang.IllegalArgumentException', `${uri}: expected the options action and routeId`);
  const workspace = workspaceOf(context, uri);
  return (exchange) => {
    const routeId = options.routeId === 'current' ? exchange.routeId : String(options.routeId ?? '');
    const isOfItself = ['stop', 'suspend', 'restart', 'fail'].includes(name) && routeId === exchange.routeId;
    const told = `${name} route ${routeId}`;
    if (name === 'status' || name === 'stats') {
      const read = () => workspace.read(queryOf(name, routeId), exchange);
      return { told, work: (then) => untilReply(uri, read(), then), isOfItself };
    }
    const failure = name === 'fail' ? failureOf(exchange) : undefined;
    const ask = (command: Operation, then: () => Outcome) =>
      untilReply(uri, sent(workspace, command, exchange, routeId), then);
    return { told, work: (then) => operated(name, ask, () => then(undefined), failure), isOfItself };
  };

  function operated(
    action: string,
    ask: (command: Operation, then: () => Outcome) => Outcome,
    end: () => Outcome,
    failure?: RouteFault,
  ): Outcome {
    if (failure !== undefined) return ask({ verb: 'stop', failure }, end);
    if (action !== 'restart') return ask(OPERATIONS[action] ?? { verb: 'stop' }, end);
    const delay = Number(options.restartDelay ?? 1000);
    const start = () => ask({ verb: 'start' }, end);
    return ask({ verb: 'stop' }, () => untilInstant(context.now() + delay, start));
  }
}

type Operation = Pick<RouteCommand, 'verb' | 'failure'>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  start: { verb: 'start' },
  stop: { verb: 'stop' },
  suspend: { verb: 'suspend' },
  resume: { verb: 'resume' },
};

/** What the exchange has caught, or that the route is failed without a cause. */
function failureOf({ properties, routeId: by }: Exchange): RouteFault {
  const caught = properties.get('CamelExceptionCaught');
  if (caught !== undefined && caught !== null) return faultOf(caught);
  return {
    message: `route '${by}' has failed it`,
    exceptionType: 'java.util.concurrent.RejectedExecutionException',
  };
}

const sent = (workspace: WorkspaceClient, operation: Operation, exchange: Exchange, routeId: string) =>
  workspace.operate({ kind: 'routes.operate', routeId, ...operation }, exchange);

const queryOf = (action: 'status' | 'stats', routeId: string) =>
  action === 'status'
    ? ({ kind: 'routes.status', routeId } as const)
    : ({ kind: 'routes.statistics', routeId: routeId === '' ? null : routeId } as const);

/** The body is an expression. */
function evaluation(language: string, context: ComponentContext): (exchange: Exchange) => Task {
  const its = context.language(language);
  return (exchange) => {
    const text = textOf(exchange.body);
    const work: Task['work'] = (then) =>
      evaluated(its.expression({ language, text, options: {}, at: AT })(exchange.copy()), then);
    return { told: text, work, isOfItself: false };
  };
}
