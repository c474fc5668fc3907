import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import { type Step, untilReply } from '../../flow/outcome.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, EndpointAddress } from '../component.js';
import { isPlainMap, plainMap, plainValue } from '../plain-value.js';
import { type OptionValue, simpleOption, simpleOptions, valuesOf } from '../simple-option.js';
import { workspaceOf } from '../workspace-client.js';
import { PROCESS_FAILURES, workspaceFailure } from '../workspace-failure.js';
import type { ProcessCommand } from '../workspace-port.js';

/**
 * Processes of the workspace: started, told of messages and signals, their tasks completed, with the rights of whoever deployed the route. Their variables are the
 * entries of a body that is a map, and the options `variable.*`.
 */
export const bpm: Component = {
  schemes: ['bpm'],
  syntax: 'operation',
  options: {
    ...PRODUCER_OPTIONS,
    processDefinitionKey: 'text',
    businessKey: 'text',
    messageName: 'text',
    signalName: 'text',
    processInstanceId: 'text',
    taskId: 'text',
    bodyVariable: 'text',
    'variable.*': 'text',
  },
  endpoint(address, context) {
    const operation = operationOf(address);
    return { uri: address.uri, producer: () => producer(operation, address, context) };
  },
};

/** Values of the options for one exchange. */
type Given = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

const NAMES = [
  ...(['processDefinitionKey', 'businessKey', 'messageName', 'signalName'] as const),
  ...(['processInstanceId', 'taskId'] as const),
];

interface Operation {
  /** What has to be given. */
  readonly needs: (typeof NAMES)[number];
  command(given: Given, needed: string, variables: Record<string, unknown>): ProcessCommand;
  /** The header that the answer goes to. */
  readonly header?: string;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  start: {
    needs: 'processDefinitionKey',
    command: ({ businessKey }, processDefinitionKey, variables) => ({
      ...{ kind: 'bpm.start', processDefinitionKey, variables },
      ...(businessKey !== undefined && { businessKey }),
    }),
    header: 'CamelBpmProcessInstanceId',
  },
  correlate: {
    needs: 'messageName',
    command: ({ businessKey, processInstanceId }, messageName, variables) => ({
      ...{ kind: 'bpm.correlate', messageName, variables },
      ...(businessKey !== undefined && { businessKey }),
      ...(processInstanceId !== undefined && { processInstanceId }),
    }),
    header: 'CamelBpmProcessInstanceId',
  },
  complete: {
    needs: 'taskId',
    command: (_, taskId, variables) => ({ kind: 'bpm.complete', taskId, variables }),
  },
  signal: {
    needs: 'signalName',
    command: ({ processInstanceId }, signalName, variables) => ({
      ...{ kind: 'bpm.signal', signalName, variables },
      ...(processInstanceId !== undefined && { processInstanceId }),
    }),
  },
};

function operationOf({ path, uri }: EndpointAddress): Operation {
  const found = Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined;
  if (found !== undefined) return found;
  throw new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: expected one of ${Object.keys(OPERATIONS).join(', ')}, got '${path}'`,
  );
}

function producer({ needs, command, header }: Operation, address: EndpointAddress, context: ComponentContext): Step {
  const { uri, options } = address;
  const workspace = workspaceOf(context, uri);
  const named = NAMES.map((name) => [name, simpleOption(context, options[name])] as const);
  const variables = variablesOf(address, context);
  const send = async (exchange: Exchange) => {
    const given = await givenIn(named, exchange);
    const needed = given[needs];
    if (needed === undefined)
      throw new ExchangeFailure(
        'java.lang.IllegalArgumentException',
        `${uri}: expected the option ${needs} or the header ${headerOf(needs)}, but found none`,
      );
    return workspace.send(command(given, needed, await variables(exchange)), exchange);
  };
  const failed = (thrown: unknown) => {
    throw workspaceFailure(thrown, PROCESS_FAILURES);
  };
  return (exchange) =>
    untilReply(uri, send(exchange).catch(failed), (answer) => {
      if (header !== undefined && answer === null) exchange.headers.delete(header);
      else if (header !== undefined) exchange.headers.set(header, answer);
      return undefined;
    });
}

/** `taskId` is given by the header `CamelBpmTaskId`, too; all are but the instance, which an earlier step may have told of. */
const headerOf = (name: string) => `CamelBpm${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

async function givenIn(named: readonly (readonly [string, OptionValue])[], exchange: Exchange): Promise<Given> {
  const given: Record<string, string> = {};
  for (const [name, option] of named) {
    const inHeader = name === 'processInstanceId' ? undefined : exchange.headers.get(headerOf(name));
    const value = (await option(exchange)) ?? inHeader;
    if (value !== undefined && value !== null && value !== '') given[name] = textOf(value);
  }
  return given;
}

function variablesOf(address: EndpointAddress, context: ComponentContext) {
  const named = simpleOptions(context, address, 'variable.');
  const { bodyVariable } = address.options;
  return async (exchange: Exchange): Promise<Record<string, unknown>> => {
    const { body } = exchange;
    const asWhole = bodyVariable !== undefined;
    const ofBody = asWhole ? { [String(bodyVariable)]: plainValue(body) } : isPlainMap(body) ? plainMap(body) : {};
    return { ...ofBody, ...plainMap(await valuesOf(named, exchange)) };
  };
}
