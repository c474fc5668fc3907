import { nearest } from '../shared/nearest.js';
import type { ExecutionFacts } from './element/execution-bean.js';
import type { Variables } from './element/instance-state.js';
import type { Path } from './element/large-scope.js';
import type { TaskView } from './element/task-bean.js';

/** A call of a handler, as the handler gets it. */
export interface HandlerCall {
  /** The same for every attempt of this call: the key by which a repeated effect is known. */
  readonly id: string;
  readonly name: string;
  /** `camunda:field`s, evaluated. */
  readonly fields: Readonly<Record<string, string>>;
  /** Variables that the activity sees, as plain JSON. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Id of the workspace; null: of a handler that runs within the run. */
  readonly workspaceId: string | null;
  readonly processInstanceId: string | null;
  readonly businessKey: string | null;
  readonly activityId: string | null;
  /** What scripts see as `execution`: the event that a listener is told, the flow that is taken … Null: of a handler with a job of its own. */
  readonly execution: ExecutionFacts | null;
  /** The task, where a task listener is told of it, as its scripts see it; else null. */
  readonly task: TaskView | null;
  /** Sets a variable of the process when the call has succeeded. */
  setVariable(name: string, value: unknown): void;
  /** Changes the task, by a method of Camunda's DelegateTask, when the call has succeeded: `changeTask('setAssignee', 'ben')`. */
  changeTask(method: string, value: unknown): void;
}

/** Does the work of a service task. Its result goes to the task's result variable; a {@link BpmnError} goes to the boundary event that catches it. */
export type Handler = (call: HandlerCall) => unknown;

/** A failure that the model knows: caught by an error event of the same code. */
export class BpmnError extends Error {
  override readonly name = 'BpmnError';
  readonly code: string;

  constructor(code: string, message = '') {
    super(message);
    this.code = code;
  }
}

export interface HandlerOptions {
  /** Promises that the handler is repeatable and has no effect outside: it then runs within the run. Default false: a job of its own. */
  readonly inline?: boolean;
  /** It only waits for others, and so keeps no other job from running meanwhile. Default false. */
  readonly waits?: boolean;
}

/** Why a handler cannot be called: `registered` are the names of those that can. */
export function unknownHandler(name: string, registered: readonly string[]): string {
  const meant = nearest(name, registered);
  const found = meant === undefined ? 'nor under any other' : `the nearest is '${meant}'`;
  return `no handler is registered under the name '${name}', ${found} (MILLRACE_HANDLERS names the module that registers them)`;
}

/** The handlers that models name in `camunda:delegateExpression`, `camunda:class` and `camunda:topic`. */
export class Handlers {
  readonly #handlers = new Map<string, Required<HandlerOptions> & { readonly handler: Handler; isLater: boolean }>();

  /** The last one registered under a name counts. */
  register(name: string, handler: Handler, options: HandlerOptions = {}): void {
    this.#handlers.set(name, {
      handler,
      inline: options.inline ?? false,
      waits: options.waits ?? false,
      isLater: handler instanceof AsyncFunction,
    });
  }

  waits(name: string): boolean {
    return this.#handlers.get(name)?.waits === true;
  }

  kind(name: string): 'inline' | 'call' | undefined {
    const registered = this.#handlers.get(name);
    return registered && (registered.inline ? 'inline' : 'call');
  }

  /**
   * Calls a handler: what it gave, or the BPMN error that it ended with, and the variables that it set.
   * @throws whatever else the handler throws; an Error where none is registered under the name
   */
  async call(name: string, call: AskedCall): Promise<CallOutcome> {
    const handler = this.#handlers.get(name)?.handler;
    if (handler === undefined) throw new Error(unknownHandler(name, this.names()));
    const { given, left } = callFor(name, call);
    try {
      return { result: await handler(given), ...left() };
    } catch (thrown) {
      return endedWith(thrown, left());
    }
  }

  /** Whether {@link callNow} may have an outcome. */
  mayAnswerNow(name: string): boolean {
    const registered = this.#handlers.get(name);
    return registered?.inline === true && !registered.isLater;
  }

  /**
   * The same of an inline handler that gives no promise; undefined: it gives one, or is not there. Of one that is not declared `async` this is seen when it
   * is called, and kept in mind: it is called a second time for it, once.
   * @throws whatever else the handler throws
   */
  callNow(name: string, call: AskedCall): CallOutcome | undefined {
    const registered = this.#handlers.get(name);
    if (registered === undefined) return undefined;
    const { given, left } = callFor(name, call);
    try {
      const result = registered.handler(given);
      if (!isThenable(result)) return { result, ...left() };
      registered.isLater = true;
      if (result instanceof Promise) result.catch(() => {}); // Its second call tells.
      return undefined;
    } catch (thrown) {
      return endedWith(thrown, left());
    }
  }

  names(): string[] {
    return [...this.#handlers.keys()].sort();
  }
}

/** What is declared `async`. */
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

const isThenable = (value: unknown): boolean => typeof (value as { then?: unknown } | null)?.then === 'function';

/** What a handler leaves behind beside its result. */
type Left = Pick<CallOutcome, 'variables' | 'task'>;

/** The call as the handler gets it, and what it leaves behind. */
function callFor(name: string, call: AskedCall): { readonly given: HandlerCall; readonly left: () => Left } {
  const set = new Map<string, unknown>();
  const task: TaskChange[] = [];
  const given: HandlerCall = {
    execution: null,
    task: null,
    ...call,
    name,
    variables: plain(call.variables),
    setVariable: (variable, value) => void set.set(variable, value),
    changeTask: (method, value) => void task.push({ method, value }),
  };
  return { given, left: () => ({ variables: Object.fromEntries(set), ...(task.length > 0 && { task }) }) };
}

/** @throws what was thrown, unless it is a BPMN error */
function endedWith(thrown: unknown, left: Left): CallOutcome {
  if (!(thrown instanceof BpmnError)) throw thrown;
  return { error: { code: thrown.code, message: thrown.message || null }, ...left };
}

/** Typed variables as plain JSON. */
const plain = (variables: Variables): HandlerCall['variables'] =>
  Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));

/** A call, as the engine asks for it. */
export interface AskedCall
  extends Omit<HandlerCall, 'name' | 'variables' | 'execution' | 'task' | 'setVariable' | 'changeTask'>,
    Partial<Pick<HandlerCall, 'execution' | 'task'>> {
  readonly variables: Variables;
}

/** A call of {@link HandlerCall.changeTask}. */
interface TaskChange {
  readonly method: string;
  readonly value: unknown;
}

/** Input of the job of a call. */
export interface CallInput {
  readonly handler: string;
  readonly fields: Readonly<Record<string, string>>;
  /** null: too large to be kept; the instance's when the call is made. */
  readonly variables: Variables | null;
  readonly tokenId: number;
  /** Where the token is, if that is in a large scope. */
  readonly within?: Path;
  readonly businessKey: string | null;
  /** How the call ended while its instance was suspended. */
  readonly outcome?: CallOutcome;
}

/** How a call ended: with a result, or with a BPMN error. Plain JSON. */
export interface CallOutcome {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string | null };
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of a task listener. */
  readonly task?: readonly TaskChange[];
}

/** Characters of JSON up to which an outcome is kept with its job; a larger call is made again. */
const OUTCOME_MAX = 65_536;

/** The input of a job that is held, with its outcome. */
export function withOutcome(input: unknown, outcome: CallOutcome): CallInput {
  const call = input as CallInput;
  return JSON.stringify(outcome).length <= OUTCOME_MAX ? { ...call, outcome } : call;
}
