import type { IncomingMessage } from 'node:http';
import type { ApiOperations, JobOperations, ProgramStore } from '../../engine/index.js';
import { parseDateTime } from '../../expression/index.js';
import { TransportError, type WorkerServices } from '../../graphql/index.js';
import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import type { Principals } from '../../shared/principals.js';
import type {
  ListRequest,
  LongJobOperations,
  Operation,
  Page,
  PartitionPort,
  Reader,
  ReaderQuery,
  State,
} from '../../store/index.js';

/** Services that the resources of Camunda's REST API are answered from. */
export interface RestServices {
  readonly api: ApiOperations;
  /** What a migration sends each instance. */
  readonly migrateInstance: JobOperations['migrateInstance'];
  readonly principals: Pick<Principals, 'groupsOf' | 'describe'>;
  readonly abortLongJob: LongJobOperations['abortLongJob'];
  readonly programs: ProgramStore;
  readonly workers: WorkerServices;
  readonly reader: Pick<Reader, 'list' | 'query'>;
  /** How long a command is waited for that has been decided, until what it set off has come to rest, ms. */
  readonly answerWaitMs: number;
  /** The names of the open workspaces. */
  readonly workspaces: () => readonly string[];
  /** How clients reach `/engine-rest` of the workspace. */
  readonly baseUrl: (workspace: string) => string;
}

interface RestCallParts {
  readonly services: RestServices;
  readonly partition: PartitionPort;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** JSON objects of requests. */
export type Json = Readonly<Record<string, unknown>>;

/** One call of a resource: who asks what, and the way to the engine. */
export class RestCall {
  readonly services: RestServices;
  readonly partition: PartitionPort;
  readonly caller: Caller;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly #parts: RestCallParts;

  constructor(parts: RestCallParts) {
    this.#parts = parts;
    this.services = parts.services;
    this.partition = parts.partition;
    this.caller = parts.caller;
    this.query = parts.query;
    this.signal = parts.signal;
  }

  /** A part of the path. */
  param(name: string): string {
    return this.#parts.params[name] ?? '';
  }

  /** The body, which may be missing or `null`: then there is nothing in it. @throws BAD_REQUEST; TransportError 415 (it is said to be something else) */
  json(): Json {
    const text = this.#parts.body.toString('utf8').trim();
    if (text === '') return {};
    const type = this.#parts.headers['content-type'] ?? 'application/json';
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
      throw new TransportError(415, 'BAD_REQUEST', `expected a body of application/json, but it is '${type}'`);
    let value: unknown;
    try {
      value = JSON.parse(withLongs(text));
    } catch {
      throw badRequest('expected a body of JSON, but it is none', { reason: 'body_unreadable' });
    }
    if (value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Json;
    throw badRequest('expected a JSON object as the body, but found something else', { reason: 'body_unreadable' });
  }

  /** As if these parameters alone had been asked for, in a body. */
  about(parameters: Json): RestCall {
    const body = Buffer.from(JSON.stringify(parameters));
    return new RestCall({ ...this.#parts, query: new URLSearchParams(), headers: {}, body });
  }

  /** The fields of a form with files. @throws BAD_REQUEST */
  async form(): Promise<FormData> {
    const type = this.#parts.headers['content-type'] ?? '';
    try {
      if (!/^multipart\/form-data\b/i.test(type)) throw new Error(`it is '${type}'`);
      return await new Response(new Uint8Array(this.#parts.body), { headers: { 'content-type': type } }).formData();
    } catch {
      throw badRequest('expected a body of multipart/form-data, but it cannot be read as that', {
        reason: 'body_unreadable',
      });
    }
  }

  /** The durable state, not older than what this call has changed. */
  get state(): State {
    return this.partition.replica.readBack();
  }

  /** A page of a list, as the caller sees it. */
  list(request: Omit<ListRequest, 'caller'>): Promise<Page> {
    return this.services.reader.list(this.partition.id, { ...request, caller: this.caller });
  }

  /** The answer of a query of the reader. */
  async ask<A, R>(query: ReaderQuery<A, R>, args: A): Promise<R> {
    return (await this.services.reader.query(this.partition.id, query, args, this.caller)).answer;
  }

  /** Sends a command; resolves when it is durable. */
  async send<I, A>(operation: Operation<I, A>, input: NoInfer<I>): Promise<A> {
    return (await this.#send(operation, input)).answer;
  }

  /** As {@link send}; where the instance's mailbox is full it waits for room, and then until what it set off has come to rest. `about`: what another command set off. */
  async sendAndSettle<I, A>(operation: Operation<I, A>, input: NoInfer<I>, about?: string): Promise<A> {
    const { workers, answerWaitMs } = this.services;
    const { answer, commandId } = await workers.patiently(() => this.#send(operation, input));
    await this.partition.replica.settled(about ?? commandId, answerWaitMs);
    return answer;
  }

  #send<I, A>(operation: Operation<I, A>, input: I) {
    return this.partition.send(operation, input, { caller: this.caller });
  }
}

/** Answer of a resource. */
export type RestAnswer =
  /** 204. */
  | null
  | { readonly json: unknown; readonly status?: number }
  | { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> };

/** A resource, by method and path: `external-task/:id/complete`. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  answer(call: RestCall): RestAnswer | Promise<RestAnswer>;
}

/** A text of a JSON object; undefined: there is none. @throws BAD_REQUEST */
export function textIn(json: Json, name: string): string | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw unfit(name, 'a text', value);
}

/** A number of a JSON object, also where it is written as a text. @throws BAD_REQUEST */
export function numberIn(json: Json, name: string): number | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw unfit(name, 'a number', value);
}

/** As {@link numberIn}, without what is behind the point. @throws BAD_REQUEST */
export function wholeIn(json: Json, name: string): number | undefined {
  const number = numberIn(json, name);
  return number === undefined ? undefined : Math.trunc(number);
}

/** true or false of a JSON object. @throws BAD_REQUEST */
export function flagIn(json: Json, name: string): boolean | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw unfit(name, 'true or false', value);
}

/** Texts of a JSON object, as a list. @throws BAD_REQUEST */
export function textsIn(json: Json, name: string): readonly string[] | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw unfit(name, 'a list of texts', value);
}

/** An object within a JSON object. @throws BAD_REQUEST */
export function objectIn(json: Json, name: string): Json | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Json;
  throw unfit(name, 'an object', value);
}

/** A date of a JSON object, ms; undefined: there is none. @throws BAD_REQUEST */
export function dateIn(json: Json, name: string): number | undefined {
  const text = textIn(json, name);
  return text === undefined ? undefined : dateOf(name, text);
}

/** As Camunda writes dates, or otherwise in ISO 8601; ms. @throws BAD_REQUEST */
export function dateOf(name: string, text: string): number {
  try {
    // Where a `+` stands in an address, it is a space.
    return parseDateTime(text.replace(' ', '+'));
  } catch {
    throw unfit(name, "a date such as '2026-01-31T08:00:00.000+0000'", text);
  }
}

/** Objects within a JSON object, as a list. @throws BAD_REQUEST */
export function objectsIn(json: Json, name: string): readonly Json[] | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  if (Array.isArray(value) && value.every(isObject)) return value as Json[];
  throw unfit(name, 'a list of objects', value);
}

export const unfit = (name: string, expected: string, found: unknown): ServiceError =>
  badRequest(`expected ${expected} as '${name}', but found ${(JSON.stringify(found) ?? 'nothing').slice(0, 100)}`, {
    reason: 'argument_invalid',
    details: { argument: name },
  });

/** An instant as Camunda writes it: `2026-01-31T08:00:00.000+0000`. */
export const instant = (ms: number): string => new Date(ms).toISOString().replace('Z', '+0000');

export const notThere = (what: string, id: string, by: 'id' | 'key' = 'id'): ServiceError =>
  new ServiceError(
    'NOT_FOUND',
    `expected ${/^(?!us)[aeiou]/.test(what) ? 'an' : 'a'} ${what} with ${by} '${id}', but there is none`,
    {
      reason: `${what.replaceAll(' ', '_')}_not_found`,
      resourceId: id,
      details: { by },
    },
  );

/** Mark before the digits of a whole number of 64 bits that no number of JavaScript holds. */
export const LONG = '\u0001long:';

/** Whole numbers with more digits than a number of JavaScript surely has stay what they are, as texts. */
const withLongs = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${ESCAPED_LONG}${token}"`,
  );

const ESCAPED_LONG = '\\u0001long:';
