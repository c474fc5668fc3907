import { seedRandom, stopClock } from './prelude-world.js';

/**
 * What runs inside the sandbox around a script. The functions and classes of this file are handed to the interpreter as text: they may use
 * JavaScript and each other, nothing else. They make scripts convenient, not safe: a script can change anything it finds here, so the host
 * trusts no more of the outcome than what the script could have asked for anyway.
 */

/** What the host tells the prelude. */
export interface PreludeInput {
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;
  readonly now: number;
  /** Four words of 32 bits. */
  readonly seed: readonly number[];
  readonly execution: Readonly<Record<string, unknown>>;
  readonly task: Readonly<Record<string, unknown>> | null;
}

/** A value as it leaves the sandbox: JSON, and the type that JSON cannot tell. */
type Encoded = readonly [value: unknown, type: string | null];

/** What the prelude tells the host, as JSON text. */
export interface PreludeOutcome {
  readonly result: Encoded;
  readonly variables: readonly (readonly [name: string, ...Encoded])[];
  readonly locals: readonly (readonly [name: string, ...Encoded])[];
  readonly removed: readonly string[];
  readonly bpmnError: { readonly code: string; readonly message: string | null } | null;
  /** What was called on `task` to change it, in order. */
  readonly task: readonly (readonly [method: string, ...Encoded])[];
}

/** The source of a function: given the input as JSON text, it prepares the globals and gives the two functions that end a run. */
export const preludeSource = (): string =>
  `(() => { ${[
    BpmnError,
    Variables,
    begin,
    stopClock,
    seedRandom,
    describeExecution,
    describeTask,
    variableAccess,
    getters,
    decode,
    encode,
  ]
    .map(String)
    .join('\n')}\nreturn begin; })()`;

interface Ending {
  /** The outcome of a script that gave this value. */
  finish(value: unknown): string;
  /** The outcome of a script that threw a BpmnError; null when it threw anything else. */
  caught(thrown: unknown): string | null;
}

function begin(text: string): Ending {
  const input: PreludeInput = JSON.parse(text);
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  stopClock(input.now);
  seedRandom(input.seed);
  const nothing = () => undefined;
  define('BpmnError', BpmnError);
  // Named here and filled below: a process variable must not hide them.
  define('execution', undefined);
  define('task', undefined);
  const reserved = Object.getOwnPropertyNames(globalThis);
  define('now', () => new Date());
  define('print', nothing);
  define('console', { log: nothing, info: nothing, warn: nothing, error: nothing, debug: nothing, trace: nothing });
  const variables = new Variables(reserved, input.variables);
  const execution = describeExecution(input.execution, variables);
  define('execution', execution);
  const calls: [string, unknown][] = [];
  if (input.task !== null) define('task', describeTask({ ...input.task, execution }, variables, calls));
  return {
    finish: (value) => {
      if (value instanceof Promise) throw new TypeError('the result of a script cannot be a promise');
      return variables.outcome(value, null, calls);
    },
    caught: (thrown) => {
      if (!(thrown instanceof BpmnError)) return null;
      return variables.outcome(null, { code: String(thrown.code), message: thrown.message || null }, calls);
    },
  };
}

/** Camunda's BpmnError: thrown, it looks for a boundary event with its code. */
class BpmnError extends Error {
  readonly code: string;

  constructor(code: string, message?: string) {
    super(message ?? '');
    this.name = 'BpmnError';
    this.code = code;
  }

  getErrorCode(): string {
    return this.code;
  }

  getMessage(): string {
    return this.message;
  }
}

/**
 * The variables that the script sees. As in Camunda 7 each is a global of its own from the beginning: a plain assignment changes that global and
 * nothing else, and what `execution.setVariable` sets is read by `execution.getVariable`.
 */
class Variables {
  readonly #values = new Map<string, unknown>();
  readonly #locals = new Map<string, unknown>();
  readonly #set = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(reserved: readonly string[], variables: PreludeInput['variables']) {
    const taken = new Set(reserved);
    for (const [name, { type, value }] of Object.entries(variables)) {
      const decoded = decode(type, value);
      this.#values.set(name, decoded);
      if (taken.has(name)) continue;
      Object.defineProperty(globalThis, name, { value: decoded, writable: true, enumerable: true, configurable: true });
    }
  }

  has(name: string): boolean {
    return this.#locals.has(name) || this.#values.has(name);
  }

  get(name: string): unknown {
    return (this.#locals.has(name) ? this.#locals.get(name) : this.#values.get(name)) ?? null;
  }

  hasLocal(name: string): boolean {
    return this.#locals.has(name);
  }

  getLocal(name: string): unknown {
    return this.#locals.get(name) ?? null;
  }

  names(): string[] {
    return [...new Set([...this.#values.keys(), ...this.#locals.keys()])];
  }

  /** Where the name is a local variable already, that is what changes. */
  set(name: string, value: unknown): void {
    if (this.#locals.has(name)) {
      this.#locals.set(name, value);
      return;
    }
    this.#values.set(name, value);
    this.#set.add(name);
    this.#removed.delete(name);
  }

  setLocal(name: string, value: unknown): void {
    this.#locals.set(name, value);
  }

  remove(name: string): void {
    if (this.#locals.delete(name)) return;
    if (this.#values.delete(name)) this.#removed.add(name);
    this.#set.delete(name);
  }

  outcome(
    value: unknown,
    bpmnError: PreludeOutcome['bpmnError'],
    calls: readonly (readonly [string, unknown])[],
  ): string {
    const entry = (name: string) => [name, ...encode(this.#values.get(name))];
    return JSON.stringify({
      result: encode(value),
      variables: [...this.#set].map(entry),
      locals: [...this.#locals].map(([name, local]) => [name, ...encode(local)]),
      removed: [...this.#removed],
      bpmnError,
      task: calls.map(([method, given]) => [method, ...encode(given)]),
    });
  }
}

/** Camunda's DelegateExecution, as far as it is about variables and ids. */
function describeExecution(facts: Readonly<Record<string, unknown>>, variables: Variables): unknown {
  return Object.assign(
    getters(facts),
    { getBusinessKey: () => facts.processBusinessKey ?? null },
    variableAccess(variables),
  );
}

/** Camunda's DelegateTask: a setter or an assignment changes what the script sees at once, and the task when it has ended. */
function describeTask(
  facts: Readonly<Record<string, unknown>>,
  variables: Variables,
  calls: [string, unknown][],
): unknown {
  const task = getters(facts);
  for (const name of ['name', 'description', 'assignee', 'owner', 'priority', 'dueDate', 'followUpDate']) {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    let present = facts[name] ?? null;
    const get = () => present;
    const set = (value: unknown) => {
      present = value ?? null;
      calls.push([`set${capital}`, present]);
    };
    Object.defineProperty(task, name, { get, set, enumerable: true });
    Object.assign(task, { [`get${capital}`]: get, [`set${capital}`]: set });
  }
  for (const kind of ['CandidateUser', 'CandidateGroup']) {
    for (const method of [`add${kind}`, `add${kind}s`, `delete${kind}`]) {
      task[method] = (value: unknown) => void calls.push([method, value ?? null]);
    }
  }
  return Object.assign(task, variableAccess(variables));
}

/** What executions and tasks have in common. */
function variableAccess(variables: Variables): Record<string, unknown> {
  return {
    hasVariable: (name: string) => variables.has(String(name)),
    hasVariableLocal: (name: string) => variables.hasLocal(String(name)),
    getVariable: (name: string) => variables.get(String(name)),
    getVariableLocal: (name: string) => variables.getLocal(String(name)),
    getVariableNames: () => variables.names(),
    getVariables: () => Object.fromEntries(variables.names().map((name) => [name, variables.get(name)])),
    setVariable: (name: string, value: unknown) => variables.set(String(name), value),
    setVariableLocal: (name: string, value: unknown) => variables.setLocal(String(name), value),
    setVariables: (values: Readonly<Record<string, unknown>>) => {
      for (const [name, value] of Object.entries(values)) variables.set(name, value);
    },
    removeVariable: (name: string) => variables.remove(String(name)),
    removeVariables: (names?: Iterable<string>) => {
      for (const name of names ?? variables.names()) variables.remove(String(name));
    },
  };
}

/** An object that has each fact as a property and by a getter: `id` and `getId()`. */
function getters(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(facts)) {
    result[name] = value;
    result[`get${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => value;
  }
  return result;
}

function decode(type: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'Date') return new Date(value);
  if (type === 'Long') return BigInt(value);
  return type === 'Double' ? Number(value) : value;
}

function encode(value: unknown): Encoded {
  if (value instanceof Date) return [value.toISOString(), 'Date'];
  if (typeof value === 'number' && !Number.isFinite(value)) return [String(value), 'Double'];
  const plain = (big: bigint) => (Number.isSafeInteger(Number(big)) ? Number(big) : String(big));
  if (typeof value === 'bigint') return [plain(value), 'Long'];
  const text = JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? plain(inner) : inner));
  return [text === undefined ? null : JSON.parse(text), null];
}
