import type { Content, GivenProperty, GivenValue, TransactionStep, WriteAnswer } from '../../content/index.js';
import { storedBytes, storedText } from '../../content/index.js';
import type {
  BlockCommand,
  NodeCommand,
  ProcessCommand,
  RouteCommand,
  VariableValues,
  WorkspaceCommand,
  WrittenNode,
} from '../../eip/index.js';
import type { Engine } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { isUnicode } from '../../shared/sound-text.js';
import type { BlobStore, Operation } from '../../store/index.js';
import type { ProcessStep, RouteBlock } from './route-blocks.js';
import { ofRoute, type RouteControl } from './route-control.js';

/** A command as the store takes it. */
export interface PreparedCommand {
  // biome-ignore lint/suspicious/noExplicitAny: operations of any input and answer
  readonly operation: Operation<any, any>;
  readonly input: unknown;
  /** The operation's answer as the route gets it. */
  readonly answer: (given: unknown) => unknown;
}

/** Services with which commands of routes become operations. */
export interface CommandParts {
  readonly content: Content;
  readonly engine: Engine;
  readonly blobs: Pick<BlobStore, 'write'>;
  readonly routes: RouteControl;
}

/** The input of a block: what it rests on, what it changes, and what follows. */
export async function preparedBlock(
  parts: CommandParts,
  { steps, reads }: Pick<BlockCommand, 'steps' | 'reads'>,
): Promise<RouteBlock> {
  const nodes: TransactionStep[] = reads.map((input) => ({ field: 'expectNode', input }));
  const processes: ProcessStep[] = [];
  for (const { command } of steps) {
    if (command.kind === 'cms.write') nodes.push({ field: 'writeNode', input: await writeInput(parts, command) });
    else if (command.kind === 'cms.delete') nodes.push({ field: 'deleteNode', input: deleteInput(command) });
    else {
      const { operation, input } = ofProcess(parts.engine, command);
      processes.push({ operation: operation.name, input });
    }
  }
  return { nodes, processes };
}

/** The operation that a command asks for; what must be stored before is stored. @throws BAD_REQUEST */
export async function prepared(
  parts: CommandParts,
  command: WorkspaceCommand | RouteCommand,
): Promise<PreparedCommand> {
  switch (command.kind) {
    case 'cms.write':
      return {
        operation: parts.content.nodes.writeNode.operation,
        input: await writeInput(parts, command),
        answer: (given) => written(given as WriteAnswer),
      };
    case 'cms.delete':
      return { operation: parts.content.nodes.deleteNode.operation, input: deleteInput(command), answer: asIs };
    case 'routes.operate':
      return ofRoute(parts.routes, command);
    default:
      return ofProcess(parts.engine, command);
  }
}

const asIs = (given: unknown) => given;
const nothing = () => null;

const written = ({ nodeId: id, isNew, path, version }: WriteAnswer): WrittenNode => ({ id, isNew, path, version });

const deleteInput = ({ path, expectedVersion }: Extract<NodeCommand, { readonly kind: 'cms.delete' }>) => ({
  path,
  expectedVersion,
});

type Write = Extract<NodeCommand, { readonly kind: 'cms.write' }>;

/** Input of `writeNode`. */
async function writeInput({ blobs }: Pick<CommandParts, 'blobs'>, command: Write) {
  const { path, content, mimeType, nodeType, createsParents: createParents, exists, expectedVersion } = command;
  const properties = await Promise.all(
    Object.entries(command.properties).map(([name, value]) => givenProperty(name, value, blobs)),
  );
  return { path, content, mimeType, nodeType, createParents, exists, expectedVersion, properties };
}

/** A property of a plain value: its type is the value's own. @throws BAD_REQUEST it has none */
async function givenProperty(name: string, value: unknown, blobs: Pick<BlobStore, 'write'>): Promise<GivenProperty> {
  if (value === null || value === undefined) return { name, value: null };
  const multiple = Array.isArray(value);
  const values: readonly unknown[] = multiple ? value : [value];
  const types = new Set(values.map((one) => typeOf(name, one)));
  if (types.size > 1)
    throw badRequest(`expected the values of property '${name}' to be of one type, but found ${[...types].join(', ')}`);
  const [type = 'String'] = types;
  return { name, value: { type, multiple, values: await Promise.all(values.map((one) => storedValue(one, blobs))) } };
}

function typeOf(name: string, value: unknown): GivenValue['type'] {
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Long' : 'Double';
  if (value instanceof Date) return 'Date';
  if (value instanceof Uint8Array) return 'Binary';
  const found = value === null ? 'null' : 'a map or a list';
  throw badRequest(`expected a text, a number, a boolean, a date or bytes in property '${name}', but found ${found}`, {
    reason: 'property_refused',
  });
}

function storedValue(value: unknown, blobs: Pick<BlobStore, 'write'>): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return storedBytes(Buffer.from(value), blobs);
  if (typeof value !== 'string') return value;
  if (isUnicode(value)) return storedText(value, blobs);
  throw badRequest('expected a text without halves of surrogate pairs as a value, but there are some', {
    reason: 'invalid_text',
  });
}

/** The engine's operation for a command. */
export function ofProcess({ api }: Pick<Engine, 'api'>, command: ProcessCommand): PreparedCommand {
  const variables = variablesOf(command.variables);
  switch (command.kind) {
    case 'bpm.start': {
      const { processDefinitionKey: definitionKey, businessKey, instanceId } = command;
      const input = { definitionKey, businessKey, instanceId, variables };
      return { operation: api.startProcess, input, answer: asIs };
    }
    case 'bpm.correlate': {
      const { messageName, businessKey, processInstanceId } = command;
      const input = { messageName, businessKey, processInstanceId, variables };
      return { operation: api.correlateMessage, input, answer: asIs };
    }
    case 'bpm.complete':
      return { operation: api.completeTask, input: { taskId: command.taskId, variables }, answer: nothing };
    case 'bpm.signal': {
      const { signalName, processInstanceId } = command;
      return { operation: api.publishSignal, input: { signalName, processInstanceId, variables }, answer: nothing };
    }
  }
}

const variablesOf = (values: VariableValues) =>
  Object.entries(values).map(([name, value]) => {
    if (value instanceof Date) return { name, type: 'Date', value: value.toISOString() };
    if (value instanceof Uint8Array)
      throw badRequest(`expected a text, a number, a boolean, a list or a map as variable '${name}', but found bytes`);
    return { name, value };
  });
