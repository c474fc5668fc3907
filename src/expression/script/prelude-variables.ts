/**
 * Functions and a class that the prelude hands to the interpreter as text, so they use JavaScript and each other, nothing else: how a script comes
 * to variables by `execution`, by `task` and by the process instance.
 */

/** Variables as a script sees them from somewhere. */
interface SeenVariables {
  has(name: string): boolean;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  remove(name: string): void;
  names(): string[];
  hasLocal(name: string): boolean;
  getLocal(name: string): unknown;
  setLocal(name: string, value: unknown): void;
  removeLocal(name: string): void;
  localNames(): string[];
  typeOf(name: string): string;
}

/** Those of the script's own place, beside local variables that it has set. */
interface Around {
  readonly around: ReadonlyMap<string, unknown>;
  setAround(name: string, value: unknown): void;
  removeAround(name: string): void;
  typeOf(name: string): string;
}

/** Values by their names, some of which the host has withheld: they are not known, until they are set. */
export class KnownValues extends Map<string, unknown> {
  readonly #withheld: Set<string>;
  /** Whether one of these would have been read. */
  isShort = false;

  constructor(withheld: readonly string[]) {
    super();
    this.#withheld = new Set(withheld);
    for (const name of withheld) super.set(name, undefined);
  }

  override get(name: string): unknown {
    return this.#withheld.has(name) ? this.lack() : super.get(name);
  }

  override set(name: string, value: unknown): this {
    this.#withheld.delete(name);
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#withheld.delete(name);
    return super.delete(name);
  }

  /** The script may catch what this throws, but nothing of its run counts. */
  lack(): never {
    this.isShort = true;
    throw new Error('a variable was withheld');
  }
}

/** The process's own variables: those that the script sees, but for inner ones, and those that inner ones hide. */
export class ProcessVariables implements SeenVariables {
  readonly #seen: Around;
  readonly #inner: Set<string>;
  readonly #hidden: Map<string, unknown>;
  readonly #set = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(seen: Around, inner: readonly string[], hidden: readonly (readonly [string, unknown])[]) {
    this.#seen = seen;
    this.#inner = new Set(inner);
    this.#hidden = new Map(hidden);
  }

  /** Hidden ones that were set, and those that were removed. */
  get changed(): string[] {
    return [...this.#set];
  }

  get removed(): string[] {
    return [...this.#removed];
  }

  has(name: string): boolean {
    return this.#of(name).has(name);
  }

  get(name: string): unknown {
    return this.#of(name).get(name) ?? null;
  }

  set(name: string, value: unknown): void {
    if (!this.#inner.has(name)) return this.#seen.setAround(name, value);
    this.#hidden.set(name, value);
    this.#set.add(name);
    this.#removed.delete(name);
  }

  remove(name: string): void {
    if (!this.#inner.has(name)) return this.#seen.removeAround(name);
    if (this.#hidden.delete(name)) this.#removed.add(name);
    this.#set.delete(name);
  }

  names(): string[] {
    return [...[...this.#seen.around.keys()].filter((name) => !this.#inner.has(name)), ...this.#hidden.keys()];
  }

  hasLocal(name: string): boolean {
    return this.has(name);
  }

  getLocal(name: string): unknown {
    return this.get(name);
  }

  setLocal(name: string, value: unknown): void {
    this.set(name, value);
  }

  removeLocal(name: string): void {
    this.remove(name);
  }

  localNames(): string[] {
    return this.names();
  }

  typeOf(name: string): string {
    return this.#inner.has(name) ? typeName(this.get(name)) : this.#seen.typeOf(name);
  }

  #of(name: string): ReadonlyMap<string, unknown> {
    return this.#inner.has(name) ? this.#hidden : this.#seen.around;
  }
}

/** The type that a variable of this value would get. */
export function typeName(value: unknown): string {
  if (value instanceof Date) return 'date';
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'object') return 'json';
  if (typeof value !== 'number') return typeof value;
  if (!Number.isSafeInteger(value)) return 'double';
  return Math.abs(value) < 2 ** 31 ? 'integer' : 'long';
}

/** Methods that executions and tasks have in common. */
export function variableAccess(variables: SeenVariables): Record<string, unknown> {
  return {
    hasVariable: (name: string) => variables.has(String(name)),
    hasVariableLocal: (name: string) => variables.hasLocal(String(name)),
    getVariable: (name: string) => variables.get(String(name)),
    getVariableLocal: (name: string) => variables.getLocal(String(name)),
    getVariableTyped: (name: string) => typedValue(variables, String(name)),
    getVariableNames: () => variables.names(),
    getVariableNamesLocal: () => variables.localNames(),
    getVariablesLocal: () => Object.fromEntries(variables.localNames().map((name) => [name, variables.get(name)])),
    getVariableLocalTyped: (name: string) =>
      variables.hasLocal(String(name)) ? typedValue(variables, String(name)) : null,
    getVariables: () => Object.fromEntries(variables.names().map((name) => [name, variables.get(name)])),
    setVariable: (name: string, value: unknown) => variables.set(String(name), value),
    setVariableLocal: (name: string, value: unknown) => variables.setLocal(String(name), value),
    setVariables: (values: Readonly<Record<string, unknown>>) => {
      for (const [name, value] of Object.entries(values)) variables.set(name, value);
    },
    removeVariable: (name: string) => variables.remove(String(name)),
    setVariablesLocal: (values: Readonly<Record<string, unknown>>) => {
      for (const [name, value] of Object.entries(values)) variables.setLocal(name, value);
    },
    hasVariables: () => variables.names().length > 0,
    hasVariablesLocal: () => variables.localNames().length > 0,
    removeVariableLocal: (name: string) => variables.removeLocal(String(name)),
    // As in Camunda: without names, the activity's own.
    removeVariables: (names?: Iterable<string>) => {
      for (const name of names ?? variables.localNames()) variables.remove(String(name));
    },
    removeVariablesLocal: (names?: Iterable<string>) => {
      for (const name of names ?? variables.localNames()) variables.removeLocal(String(name));
    },
  };
}

/** Camunda's TypedValue; null where there is no such variable. */
export function typedValue(variables: SeenVariables, name: string): unknown {
  if (!variables.has(name)) return null;
  const type = getters({ name: variables.typeOf(name) });
  return Object.assign(getters({ value: variables.get(name), type }), { isTransient: () => false });
}

/** An object that has each fact as a property and by a getter: `id` and `getId()`. */
export function getters(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(facts)) {
    result[name] = value;
    result[`get${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => value;
  }
  return result;
}

/** A value as it leaves the sandbox: JSON, and the type that JSON cannot tell. */
export type Encoded = readonly [value: unknown, type: string | null];

/** A variable as a script has it. */
export function decode(type: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'Date') return new Date(value);
  if (type === 'Long') return BigInt(value);
  return type === 'Double' ? Number(value) : value;
}

/** What a script has set as it leaves the sandbox. */
export function encode(value: unknown): Encoded {
  if (value instanceof Date) return [value.toISOString(), 'Date'];
  if (typeof value === 'number' && !Number.isFinite(value)) return [String(value), 'Double'];
  const plain = (big: bigint) => (Number.isSafeInteger(Number(big)) ? Number(big) : String(big));
  if (typeof value === 'bigint') return [plain(value), 'Long'];
  const text = JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? plain(inner) : inner));
  return [text === undefined ? null : JSON.parse(text), null];
}
