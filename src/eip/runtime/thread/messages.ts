import type { LogLevel } from '../../component/component.js';
import type { ComponentLimits } from '../../component/component-host.js';
import type { HttpPlace } from '../../component/http-front.js';
import type { RouteCounters, RouteFault, RouteRuntime } from '../../route-port.js';
import type { HistoryBatch } from '../exchange-history.js';
import type { Meter } from '../meters.js';
import type { WorkspaceAnswer, WorkspaceRequest } from './workspace-link.js';

/** The data with which the thread of a workspace's routes begins. */
export interface RouteThreadData {
  /** The workspace's name. */
  readonly name: string;
  /** What ids of its exchanges begin with: another one for each thread. */
  readonly seed: string;
  /** Two Int32: one that grows as long as the event loop of the thread turns, and the number of the route that computes. */
  readonly beat: SharedArrayBuffer;
  /** The domain clock of a server whose clock is set. `null`: it is the machine's. */
  readonly virtualNow: number | null;
  /** Whether somebody collects spans. */
  readonly collectsSpans?: boolean;
  /** What `{{…}}` stands for, by key. */
  readonly properties: Readonly<Record<string, string>>;
  /** What components may do and reach. */
  readonly limits: ComponentLimits;
  /** URL of the operator's module of beans; null: there is none. */
  readonly beans: string | null;
}

type Verb = Exclude<keyof RouteRuntime, 'close' | keyof RouteCounters>;
type Asked<V extends Verb> = { readonly verb: V; readonly args: Parameters<RouteRuntime[V]> };

/** A question to the thread: a call of the runtime. A route that starts brings the memory of its counters along, and its number. */
export type RouteQuestion =
  | (Asked<'start'> & { readonly counters: SharedArrayBuffer; readonly number: number })
  | { [V in Exclude<Verb, 'start'>]: Asked<V> }[Exclude<Verb, 'start'>];

/** A message to the thread that has no answer. */
export type ToRoutes =
  | { readonly kind: 'workspace'; readonly answers: readonly WorkspaceAnswer[] }
  | { readonly kind: 'http'; readonly messages: readonly HttpToRoutes[] }
  /** Failed exchanges of so many bytes are kept. */
  | { readonly kind: 'kept'; readonly bytes: number }
  /** What `{{…}}` stands for from now on: in whatever is compiled or asked for. */
  | { readonly kind: 'properties'; readonly properties: Readonly<Record<string, string>> };

/** A message of the thread beside its answers. */
export type FromRoutes =
  | { readonly kind: 'log'; readonly lines: readonly LogLine[] }
  | { readonly kind: 'history'; readonly batch: HistoryBatch }
  | { readonly kind: 'counted'; readonly meters: readonly Meter[] }
  | { readonly kind: 'workspace'; readonly requests: readonly WorkspaceRequest[] }
  | { readonly kind: 'http'; readonly messages: readonly HttpFromRoutes[] }
  | { readonly kind: 'failed'; readonly routeId: string; readonly fault: RouteFault };

/** A request for a route, and what follows. Ids of requests, and of mounts, are never given twice; a `slot` tells whom an answer is for. */
export type HttpToRoutes =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly slot: number;
      readonly mount: number;
      /** See `packed-head.ts`, as of the body, whose characters are bytes. */
      readonly head: string;
      readonly body: string | null | typeof STREAM;
    }
  | StreamMessage;

/** Mounts of routes, and their answers. */
export type HttpFromRoutes =
  | { readonly kind: 'mount'; readonly mount: number; readonly place: HttpPlace }
  | { readonly kind: 'unmount'; readonly mount: number }
  | {
      readonly kind: 'reply';
      readonly id: number;
      readonly slot: number;
      readonly head: string;
      /** The characters are bytes, where `isBytes` says so; else it is a text. */
      readonly body: string | null | typeof STREAM;
      readonly isBytes: boolean;
    }
  | StreamMessage;

/** In the place of a body that comes piece by piece. */
export const STREAM = true;

/** About the body of a request, or of its answer, that goes over piece by piece. */
export type StreamMessage = { readonly id: number; readonly of: 'request' | 'reply' } & StreamStep;

export type StreamStep =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  /** `failed`: why it breaks off. */
  | { readonly kind: 'end'; readonly failed: string | null }
  /** So many bytes have been taken: as many more may come. */
  | { readonly kind: 'taken'; readonly bytes: number }
  /** Nobody takes the rest. */
  | { readonly kind: 'enough' };

export interface LogLine {
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly exchangeId: string | null;
}
