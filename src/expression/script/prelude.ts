import { candidateLinks, describeTask, seedRandom, stopClock } from './prelude-functions.js';
import {
  decode,
  type Encoded,
  encode,
  getters,
  KnownValues,
  ProcessVariables,
  typedValue,
  typeName,
  variableAccess,
} from './prelude-variables.js';

/**
 * What runs inside the sandbox around a script. The functions and classes of this file are handed to the interpreter as text: they may use
 * JavaScript and each other, nothing else. They make scripts convenient, not safe: a script can change anything it finds here, so the host
 * trusts no more of the outcome than what the script could have asked for anyway.
 */

/** Message of the host to the prelude. */
export interface PreludeInput {
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;
  /** Names of more: to read one of these ends the run. */
  readonly withheld: readonly string[];
  readonly now: number;
  /** Four words of 32 bits. */
  readonly seed: readonly number[];
  /** Which of the variables are the activity's own. */
  readonly own: readonly string[];
  /** Which of them are not the process's, and what of the process they hide. */
  readonly inner: readonly string[];
  readonly hidden: PreludeInput['variables'];
  readonly execution: Readonly<Record<string, unknown>>;
  readonly task: Readonly<Record<string, unknown>> | null;
}

/** Message of the prelude to the host, as JSON text. */
export interface PreludeOutcome {
  readonly result: Encoded;
  readonly variables: readonly (readonly [name: string, ...Encoded])[];
  readonly locals: readonly (readonly [name: string, ...Encoded])[];
  readonly removed: readonly string[];
  /** Set, or removed, by `execution.getProcessInstance()`, as far as inner ones hide them. */
  readonly process?: readonly (readonly [name: string, ...Encoded])[];
  readonly processRemoved?: readonly string[];
  /** The business key that was set last; null: none was. */
  readonly businessKey: readonly [value: unknown] | null;
  readonly bpmnError: { readonly code: string; readonly message: string | null } | null;
  /** Whether it would have read a variable that was withheld. */
  readonly isShort?: boolean;
  /** Calls on `task` to change it, in order. */
  readonly task: readonly (readonly [method: string, ...Encoded])[];
}

/** The outcome of a script that would have read a variable that was withheld. */
const SHORT =
  '{"result":[null,null],"variables":[],"locals":[],"removed":[],"businessKey":null,"bpmnError":null,"task":[],"isShort":true}';

/** The source of a function: given the input as JSON text, it prepares the globals and gives the two functions that end a run. */
export const preludeSource = (): string =>
  `(() => { ${[
    BpmnError,
    Variables,
    begin,
    stopClock,
    seedRandom,
    describeExecution,
    withBusinessKey,
    describeTask,
    candidateLinks,
    variableAccess,
    typedValue,
    typeName,
    getters,
    KnownValues,
    ProcessVariables,
    decode,
    encode,
  ]
    .map(String)
    .join('\n')}\nconst SHORT = ${JSON.stringify(SHORT)}; return begin; })()`;

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
  const variables = new Variables(reserved, input);
  const execution = describeExecution(input.execution, variables);
  define('execution', execution);
  const calls: [string, unknown][] = [];
  if (input.task !== null) define('task', describeTask({ ...input.task, execution }, variableAccess(variables), calls));
  return {
    finish: (value) => {
      if (variables.isShort) return SHORT;
      if (value instanceof Promise) throw new TypeError('the result of a script cannot be a promise');
      return variables.outcome(value, null, calls);
    },
    caught: (thrown) => {
      if (variables.isShort) return SHORT;
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
  readonly #values: KnownValues;
  readonly #locals = new Map<string, unknown>();
  readonly #set = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #own: Set<string>;
  /** The declared types of values that are as they came. */
  readonly #types = new Map<string, string>();
  /** Set by `execution.setProcessBusinessKey`. */
  businessKey: [unknown] | null = null;
  readonly process: ProcessVariables;

  constructor(reserved: readonly string[], { variables, withheld, own, inner, hidden }: PreludeInput) {
    const taken = new Set(reserved);
    const hiddenOnes = Object.entries(hidden).map(([name, { type, value }]) => [name, decode(type, value)] as const);
    this.process = new ProcessVariables(this, inner, hiddenOnes);
    this.#own = new Set(own);
    this.#values = new KnownValues(withheld);
    const globals = { enumerable: true, configurable: true };
    for (const name of withheld) {
      if (taken.has(name)) continue;
      const set = (value: unknown) => Object.defineProperty(globalThis, name, { value, writable: true, ...globals });
      Object.defineProperty(globalThis, name, { get: () => this.#values.lack(), set, ...globals });
    }
    for (const [name, { type, value }] of Object.entries(variables)) {
      const decoded = decode(type, value);
      this.#values.set(name, decoded);
      this.#types.set(name, type);
      if (taken.has(name)) continue;
      Object.defineProperty(globalThis, name, { value: decoded, writable: true, ...globals });
    }
  }

  /** Whether the script would have read one that was withheld. */
  get isShort(): boolean {
    return this.#values.isShort;
  }

  has(name: string): boolean {
    return this.#locals.has(name) || this.#values.has(name);
  }

  get(name: string): unknown {
    return (this.#locals.has(name) ? this.#locals.get(name) : this.#values.get(name)) ?? null;
  }

  hasLocal(name: string): boolean {
    return this.#locals.has(name) || this.#own.has(name);
  }

  getLocal(name: string): unknown {
    return this.hasLocal(name) ? this.get(name) : null;
  }

  /** The declared type; of a value that the script has set the one that it would get. */
  typeOf(name: string): string {
    const value = this.get(name);
    const declared = this.#locals.has(name) || value === null ? undefined : this.#types.get(name);
    return declared?.toLowerCase() ?? typeName(value);
  }

  localNames(): string[] {
    return [...new Set([...this.#own, ...this.#locals.keys()])];
  }

  names(): string[] {
    return [...new Set([...this.#values.keys(), ...this.#locals.keys()])];
  }

  /** Where the name is a local variable already, that is what changes. */
  set(name: string, value: unknown): void {
    if (this.#locals.has(name)) this.#locals.set(name, value);
    else this.setAround(name, value);
  }

  /** What there is beside local variables that the script has set. */
  get around(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  setAround(name: string, value: unknown): void {
    this.#values.set(name, value);
    this.#types.delete(name);
    this.#set.add(name);
    this.#removed.delete(name);
  }

  setLocal(name: string, value: unknown): void {
    this.#locals.set(name, value);
  }

  remove(name: string): void {
    if (!this.#locals.delete(name)) this.removeAround(name);
  }

  removeAround(name: string): void {
    this.#own.delete(name);
    if (this.#values.delete(name)) this.#removed.add(name);
    this.#set.delete(name);
  }

  removeLocal(name: string): void {
    if (this.hasLocal(name)) this.remove(name);
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
      process: this.process.changed.map((name) => [name, ...encode(this.process.get(name))]),
      processRemoved: this.process.removed,
      businessKey: this.businessKey,
      bpmnError,
      task: calls.map(([method, given]) => [method, ...encode(given)]),
    });
  }
}

/** Camunda's DelegateExecution, as far as it is about variables and ids. */
function describeExecution(facts: Readonly<Record<string, unknown>>, variables: Variables): Record<string, unknown> {
  const execution = withBusinessKey(Object.assign(getters(facts), variableAccess(variables)), facts, variables);
  const ids = { ...facts, id: facts.processInstanceId, activityInstanceId: facts.processInstanceId, parentId: null };
  const process = withBusinessKey(Object.assign(getters(ids), variableAccess(variables.process)), facts, variables);
  for (const each of [execution, process]) Object.assign(each, getters({ processInstance: process }));
  return execution;
}

function withBusinessKey(
  execution: Record<string, unknown>,
  facts: Readonly<Record<string, unknown>>,
  variables: Variables,
): Record<string, unknown> {
  const get = () => (variables.businessKey === null ? facts.processBusinessKey : variables.businessKey[0]) ?? null;
  for (const name of ['processBusinessKey', 'businessKey']) {
    Object.defineProperty(execution, name, { get, enumerable: true });
    execution[`get${name.charAt(0).toUpperCase()}${name.slice(1)}`] = get;
  }
  execution.isCanceled = () => facts.canceled ?? false;
  execution.setProcessBusinessKey = (key: unknown) => {
    variables.businessKey = [key ?? null];
  };
  return execution;
}
