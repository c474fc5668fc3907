import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import type { Clock } from '../shared/clock.js';
import { limitExceeded, type ServiceError } from '../shared/errors.js';

/** What one execution may still do. */
export interface Allowance {
  readonly objectsMax: number;
  /** When it must have ended, ms; Infinity for none. */
  readonly deadline: number;
  readonly clock: Clock;
}

/** Watches one execution: counts the objects of its result and stops it, once and for good, when it asks too much or takes too long. */
export class ExecutionGuard {
  readonly #allowance: Allowance;
  #objects = 0;
  #steps = 0;
  #failure: ServiceError | undefined;
  #onStop: (() => void) | undefined;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Why the execution was stopped. */
  get failure(): ServiceError | undefined {
    return this.#failure;
  }

  /** Called when the execution is stopped, or at once when it has been. */
  set onStop(listener: () => void) {
    this.#onStop = listener;
    if (this.#failure !== undefined) listener();
  }

  /** Stops the execution: every further guarded field fails with `failure`. */
  stop(failure: ServiceError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#onStop?.();
  }

  /** @throws the failure of a stopped execution */
  check(): void {
    // A busy execution lets no timer ring, so it looks at the clock by itself, though not at every field.
    if ((++this.#steps & 63) === 0 && this.#allowance.clock.now() > this.#allowance.deadline) this.stop(tooLong());
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Counts objects that a field adds to the result. @throws LIMIT_EXCEEDED beyond the allowance */
  count(objects: number): void {
    this.#objects += objects;
    if (this.#objects > this.#allowance.objectsMax) this.stop(tooLarge(this.#allowance.objectsMax));
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** The query did not end in time. */
export const tooLong = () =>
  limitExceeded('expected the query to end within its deadline, but it took longer', { reason: 'deadline_exceeded' });

const tooLarge = (objectsMax: number) =>
  limitExceeded(`expected a result of at most ${objectsMax} objects, but it has more`, { reason: 'result_too_large' });

const guards = new WeakMap<object, ExecutionGuard>();

/** Lets `guard` watch the execution that runs with this context value. */
export function guardExecution(contextValue: object, guard: ExecutionGuard): void {
  guards.set(contextValue, guard);
}

/** Those of introspection are the same for all schemas. */
const guardedTypes = new WeakSet<GraphQLObjectType>();

/** Wraps the fields of a schema so that the guard of an execution sees them: those that give objects, and those with a resolver. */
export function guardFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // A mutation that has begun is carried out and answered; what it selects below is guarded like any other field.
    if (!isObjectType(type) || type === schema.getMutationType() || guardedTypes.has(type)) continue;
    guardedTypes.add(type);
    for (const field of Object.values(type.getFields())) guardField(type, field);
  }
}

function guardField(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): void {
  const named = getNamedType(field.type);
  const counted = isCompositeType(named) && !isWrapper(named.name) && !isWrapper(type.name, /Edge$/);
  if (!counted && field.resolve === undefined) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    const guard = guards.get(context as object);
    if (guard === undefined) return resolve(source, args, context, info);
    guard.check();
    const value = resolve(source, args, context, info);
    return counted ? countInto(guard, value) : value;
  };
}

/** An item of a page is one object to whoever asks for it, not three: its edge is counted, the node within it and the frame around are not. */
const isWrapper = (name: string, pattern = /(Connection|^PageInfo)$/) => pattern.test(name);

function countInto(guard: ExecutionGuard, value: unknown): unknown {
  if (value instanceof Promise) return value.then((settled) => countInto(guard, settled));
  guard.count(Array.isArray(value) ? value.length : value === null || value === undefined ? 0 : 1);
  return value;
}
