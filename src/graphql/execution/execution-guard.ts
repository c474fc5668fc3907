import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { limitExceeded, type ServiceError } from '../../shared/errors.js';
import type { Timers } from '../../shared/time.js';
import { weigh } from '../../shared/weigh.js';
import type { AnswerRoom } from '../context.js';
import type { AnswerRefusal, AnswerShare } from '../http/memory-budget.js';
import { busyWithAnswers } from '../http/transport-error.js';
import type { Turns } from './turns.js';

/** Allowance of one execution: objects, time, bytes. */
interface Allowance {
  readonly objectsMax: number;
  /** When it must have ended, ms; Infinity for none. */
  readonly deadline: number;
  readonly timers: Timers;
  /** Counts its bytes. */
  readonly answer: AnswerShare;
  readonly turns: Turns;
  /** A mutation that has begun is carried out: what it answers says so, and is never to be asked for again. */
  readonly isMutation: boolean;
}

/** Watches one execution: counts objects and bytes of its result and stops it, once and for good, when it asks too much or takes too long. */
export class ExecutionGuard implements AnswerRoom {
  readonly #allowance: Allowance;
  #objects = 0;
  #steps = 0;
  #failure: ServiceError | undefined;
  #told = 0;
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
    if ((++this.#steps & 63) === 0 && this.#allowance.timers.monotonic() > this.#allowance.deadline)
      this.stop(tooLong());
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Whether a field that may be null is null without a word: the execution was stopped, and that was told often enough. */
  get isSilenced(): boolean {
    return this.#failure !== undefined && ++this.#told > FAILURES_TOLD;
  }

  /** Counts objects that a field adds to the result. @throws LIMIT_EXCEEDED beyond the allowance */
  count(objects: number): void {
    this.#objects += objects;
    if (this.#objects > this.#allowance.objectsMax) this.stop(tooLarge(this.#allowance.objectsMax));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** What `make` gives, in a turn that has room for a value that may be large. */
  inTurn(make: () => unknown): unknown {
    return this.#allowance.turns.inTurn(make);
  }

  /** A list of objects, as it is to be completed. */
  spread(objects: readonly unknown[]): readonly unknown[] {
    return this.#allowance.turns.spread(objects);
  }

  /** How many bytes may still be read for the result. */
  get bytesLeft(): number {
    return this.#failure === undefined ? this.#allowance.answer.readBytesLeft : 0;
  }

  /** Counts bytes that were read for the result, or would have been. @throws LIMIT_EXCEEDED, UNAVAILABLE (503), as {@link countBytes} does */
  take(bytes: number): void {
    const { answer, isMutation } = this.#allowance;
    const refusal = answer.countRead(bytes);
    if (refusal !== undefined)
      this.stop(answerRefused(refusal, answer, isMutation, 'what is read for an answer to have'));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** A document of so many bytes was read by this thread. */
  read(bytes: number): void {
    this.#allowance.turns.count(bytes);
    if (!this.#allowance.isMutation) this.take(bytes);
  }

  /** Counts bytes that a field adds to the result. @throws LIMIT_EXCEEDED, UNAVAILABLE (503: all answers together have too many) */
  countBytes(bytes: number): void {
    const { answer, isMutation, turns } = this.#allowance;
    turns.count(bytes);
    const isFull = isMutation && answer.bytes + bytes > MUTATION_PART * answer.limits.answerBytesMax;
    const refusal = answer.count(bytes) ?? (isFull ? 'too_large' : undefined);
    if (refusal !== undefined) this.stop(answerRefused(refusal, answer, isMutation));
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Of the bytes of an answer values of a mutation may have: the rest is for names, escapes and errors, so that what it did can be told. */
const MUTATION_PART = 7 / 8;
/** How many fields of a stopped execution say so. */
const FAILURES_TOLD = 20;

/** The query did not end in time. */
export const tooLong = () =>
  limitExceeded('expected the query to end within its deadline, but it took longer', { reason: 'deadline_exceeded' });

const tooLarge = (objectsMax: number) =>
  limitExceeded(`expected a result of at most ${objectsMax} objects, but it has more`, { reason: 'result_too_large' });

/** Why an answer is not given. What a mutation did must not be asked for again, so to it both are a limit. `what`: of which there is too much. */
export function answerRefused(
  refusal: AnswerRefusal,
  { limits }: AnswerShare,
  isMutation: boolean,
  what = 'an answer of',
): ServiceError {
  const [whose, bytesMax] =
    refusal === 'no_room'
      ? ['the answers', limits.answersBytesMax]
      : ["one caller's answers", limits.answersPerClientBytesMax];
  if (refusal !== 'too_large' && !isMutation) return busyWithAnswers(whose, bytesMax);
  const expected =
    refusal === 'too_large'
      ? `${what} at most ${limits.answerBytesMax} bytes`
      : `${whose} that are being given to have at most ${bytesMax} bytes together`;
  const advice = isMutation ? 'what was changed stays changed' : 'ask for less at once';
  return limitExceeded(`expected ${expected}, but there are more; ${advice}`, { reason: 'answer_too_large' });
}

const GUARD = Symbol('guard');

/** The context value of a guarded execution, with its guard. */
interface Guarded {
  [GUARD]?: ExecutionGuard;
}

/** Lets `guard` watch the execution that runs with this context value. */
export function guardExecution(contextValue: object, guard: ExecutionGuard): void {
  (contextValue as Guarded)[GUARD] = guard;
}

/** Those of introspection are the same for all schemas. */
const guardedTypes = new WeakSet<GraphQLObjectType>();

type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** Wraps the fields of a schema so that the guard of an execution sees them. */
export function guardFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // A mutation that has begun is carried out and answered; what it selects below is guarded like any other field.
    if (!isObjectType(type) || type === schema.getMutationType() || guardedTypes.has(type)) continue;
    guardedTypes.add(type);
    for (const field of Object.values(type.getFields())) guardField(type, field);
  }
}

function guardField(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): void {
  const add = adding(type, field);
  if (field.resolve === undefined && add === addBytes) return guardProperty(field);
  if (field.resolve === undefined && add === undefined) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const mayBeNull = !isNonNullType(field.type);
  field.resolve = (source, args, context, info) => {
    const guard = (context as Guarded | undefined)?.[GUARD];
    if (guard === undefined) return resolve(source, args, context, info);
    const make = () => {
      if (mayBeNull && guard.isSilenced) return null;
      guard.check();
      const value = resolve(source, args, context, info);
      return add === undefined ? value : added(guard, value, add);
    };
    return add === addBytes ? guard.inTurn(make) : make();
  };
  if (!mayBeNull) field.resolve = neverThrowing(field.resolve);
}

/**
 * The resolver of a field that is never null, with its failure always as a promise. graphql-js gives a list up at the first object that throws, and
 * forgets those before it that wait: when they fail too, nobody is there to hear of it, which ends the process.
 */
function neverThrowing(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    try {
      return resolve(source, args, context, info) ?? Promise.resolve(null);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  };
}

/** A short text that is there already comes also when the execution was stopped: the objects of a mutation say who they are. */
function guardProperty(field: GraphQLField<unknown, unknown>): void {
  const mayBeNull = !isNonNullType(field.type);
  const mayBeLarge = getNamedType(field.type).name === 'JSON';
  field.resolve = (source, args, context, info) => {
    const guard = (context as Guarded | undefined)?.[GUARD];
    if (guard === undefined) return defaultFieldResolver(source, args, context, info);
    const make = () => {
      if (guard.failure === undefined) return added(guard, defaultFieldResolver(source, args, context, info), addBytes);
      if (!mayBeLarge && isShortText(source, info.fieldName)) return defaultFieldResolver(source, args, context, info);
      return mayBeNull && guard.isSilenced ? null : guard.check();
    };
    return mayBeLarge ? guard.inTurn(make) : make();
  };
  if (!mayBeNull) field.resolve = neverThrowing(field.resolve);
}

const isShortText = (source: unknown, name: string): boolean => {
  const value = (source as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value.length <= 255;
};

/** How a value counts. */
type Add = (guard: ExecutionGuard, value: unknown) => void;

/** How the values of a field count; undefined where they do not. */
function adding(type: GraphQLObjectType, { type: given }: GraphQLField<unknown, unknown>): Add | undefined {
  const named = getNamedType(given);
  if (isCompositeType(named)) return isWrapper(named.name) || isWrapper(type.name, /Edge$/) ? undefined : addObjects;
  const isShort = (isEnumType(named) || SHORT.has(named.name)) && !isListType(getNullableType(given));
  return isShort ? undefined : addBytes;
}

/** Scalars whose values have a few bytes each, which objects bound. */
const SHORT: ReadonlySet<string> = new Set(['Boolean', 'DateTime', 'Float', 'Int', 'Long']);

/** An item of a page is one object to whoever asks for it, not three: its edge is counted, the node within it and the frame around are not. */
const isWrapper = (name: string, pattern = /(Connection|^PageInfo)$/) => pattern.test(name);

function added(guard: ExecutionGuard, value: unknown, add: Add): unknown {
  if (value instanceof Promise) return value.then((settled) => added(guard, settled, add));
  add(guard, value);
  return add === addObjects && Array.isArray(value) ? guard.spread(value) : value;
}

const addObjects: Add = (guard, value) =>
  guard.count(Array.isArray(value) ? value.length : value === null || value === undefined ? 0 : 1);

const addBytes: Add = (guard, value) =>
  guard.countBytes(typeof value === 'string' ? value.length : ANY_ROOM - weigh(value, ANY_ROOM));

const ANY_ROOM = Number.MAX_SAFE_INTEGER;
