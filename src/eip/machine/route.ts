import { assign, setup } from 'xstate';
import { caused } from '../../store/documents.js';

/** Continuation when the route has stopped: it stays, starts anew, or is removed. */
type OnStopped = 'stay' | 'start' | 'leave';

/** Context of a route's actor. */
interface RouteContext {
  /** How often its consumer may still be started, the present start among them. */
  readonly attempts: number;
  readonly onStopped: OnStopped;
}

export type RouteEvent =
  /** `attempts`: 1 where whoever asks for it waits for it; more where nobody does, so that it is tried again. */
  | { type: 'start'; attempts: number }
  | { type: 'stop' }
  /** A route counts as failed, says another one: it stops, and tells why. */
  | { type: 'fail' }
  | { type: 'suspend' }
  | { type: 'resume' }
  /** Another version is there. `start`: whether it is to run where the route is just leaving. */
  | { type: 'update'; start: boolean }
  /** Its file does not have it any more. */
  | { type: 'withdraw' }
  /** The runtime is another one: nothing of the route runs there. */
  | { type: 'recover'; attempts: number }
  /** The time before the next attempt is over. */
  | { type: 'retry' }
  /** The runtime tells: its consumer takes exchanges. `attempts`: for the next time. */
  | { type: 'started'; attempts: number }
  /** The runtime tells: its consumer takes none any more, and what was under way has ended or was ended. */
  | { type: 'drained' }
  /** The runtime tells: its consumer did not start, or cannot go on. */
  | { type: 'failed' }
  /** The runtime tells: the consumer is that of the new version. */
  | { type: 'updated' }
  /** The runtime tells: the new version did not start, and the old one has the consumer. */
  | { type: 'notUpdated' };

/** Work that a route's transitions give to the runtime. */
export type RouteWork = 'start' | 'resume' | 'suspend' | 'stop' | 'swap';

/** Actions of a route's transitions: the runtime is given work, the route is written or gone, and its subscribers hear of it. */
export type RouteAction =
  | {
      readonly type:
        | 'takeVersion'
        /** Where another version waits for the consumer. */
        | 'swapNext'
        | 'dropVersion'
        | 'forgive'
        | 'blame'
        | 'retryLater'
        | 'openIncident'
        | 'store'
        | 'remove'
        | 'tell';
      readonly params?: undefined;
    }
  | { readonly type: 'begin'; readonly params: BeginParams };

interface BeginParams {
  readonly work: RouteWork;
}

const begin = <W extends RouteWork>(work: W) => ({ type: 'begin', params: { work } }) as const;

const starts = { target: 'Starting', actions: ['allowAttempts', begin('start'), 'store', 'tell'] } as const;
const stops = { target: 'Stopping', actions: ['takeVersion', begin('stop'), 'store', 'tell'] } as const;
const leaves = { target: 'Stopping', actions: ['leave', begin('stop'), 'store', 'tell'] } as const;
const fails = {
  target: 'Stopping',
  actions: ['takeVersion', 'blame', 'openIncident', begin('stop'), 'store', 'tell'],
} as const;
const isBlamed = { actions: ['blame', 'openIncident', 'store'] } as const;
const takesVersion = { actions: ['takeVersion', 'store'] } as const;

/**
 * A route: the life of its consumer. Messages do not pass through it. A transition to the same state without actions: there is nothing to do, it is so already.
 */
export const routeMachine = setup({
  types: { context: {} as RouteContext, events: {} as RouteEvent },
  guards: {
    mayRetry: ({ context }) => context.attempts > 1,
    isLeaving: ({ context }) => context.onStopped === 'leave',
    startsAgain: ({ context }) => context.onStopped === 'start',
    isToStart: ({ context, event }) => context.onStopped === 'leave' && event.type === 'update' && event.start,
  },
  actions: {
    allowAttempts: assign({
      attempts: ({ event, context }) => ('attempts' in event ? event.attempts : context.attempts),
    }),
    useAttempt: assign({ attempts: ({ context }) => context.attempts - 1 }),
    leave: assign({ onStopped: 'leave' }),
    stay: assign({ onStopped: 'stay' }),
    startAgain: assign({ onStopped: 'start' }),
    begin: (_, _params: BeginParams) => caused(),
    takeVersion: caused,
    swapNext: caused,
    dropVersion: caused,
    forgive: caused,
    blame: caused,
    retryLater: caused,
    openIncident: caused,
    store: caused,
    remove: caused,
    tell: caused,
  },
}).createMachine({
  id: 'route',
  initial: 'Stopped',
  context: { attempts: 1, onStopped: 'stay' },
  states: {
    Stopped: {
      on: {
        start: starts,
        stop: 'Stopped',
        fail: isBlamed,
        update: takesVersion,
        withdraw: { actions: 'remove' },
      },
    },
    Starting: {
      on: {
        start: 'Starting',
        resume: 'Starting',
        stop: stops,
        fail: fails,
        update: { actions: ['takeVersion', begin('start'), 'store'] },
        withdraw: leaves,
        recover: { actions: ['allowAttempts', begin('start'), 'store'] },
        retry: { actions: [begin('start'), 'store'] },
        started: { target: 'Started', actions: ['allowAttempts', 'forgive', 'swapNext', 'store', 'tell'] },
        failed: [
          { guard: 'mayRetry', actions: ['useAttempt', 'blame', 'retryLater', 'store'] },
          { target: 'Stopped', actions: ['blame', 'openIncident', 'store', 'tell'] },
        ],
      },
    },
    Started: {
      on: {
        start: 'Started',
        resume: 'Started',
        suspend: { target: 'Suspending', actions: ['takeVersion', begin('suspend'), 'store', 'tell'] },
        stop: stops,
        fail: fails,
        update: { actions: [begin('swap'), 'store'] },
        updated: { actions: ['takeVersion', 'forgive', 'store'] },
        notUpdated: { actions: ['dropVersion', 'blame', 'openIncident', 'store'] },
        withdraw: leaves,
        recover: starts,
        failed: [
          { guard: 'mayRetry', target: 'Starting', actions: ['useAttempt', 'blame', 'retryLater', 'store', 'tell'] },
          { target: 'Stopping', actions: ['blame', 'openIncident', begin('stop'), 'store', 'tell'] },
        ],
      },
    },
    Suspending: {
      on: {
        suspend: 'Suspending',
        stop: stops,
        fail: fails,
        update: takesVersion,
        withdraw: leaves,
        recover: { actions: [begin('suspend'), 'store'] },
        drained: { target: 'Suspended', actions: ['store', 'tell'] },
        failed: fails,
      },
    },
    Suspended: {
      on: {
        suspend: 'Suspended',
        resume: { target: 'Starting', actions: ['allowAttempts', begin('resume'), 'store', 'tell'] },
        start: { target: 'Starting', actions: ['allowAttempts', begin('resume'), 'store', 'tell'] },
        stop: stops,
        fail: fails,
        update: takesVersion,
        withdraw: leaves,
        failed: fails,
      },
    },
    Stopping: {
      on: {
        stop: 'Stopping',
        fail: isBlamed,
        update: [
          { guard: 'isToStart', actions: ['startAgain', 'takeVersion', 'store'] },
          { actions: ['stay', 'takeVersion', 'store'] },
        ],
        withdraw: { actions: ['leave', 'store'] },
        recover: { actions: [begin('stop'), 'store'] },
        drained: [
          { guard: 'isLeaving', target: 'Stopped', actions: ['remove', 'tell'] },
          { guard: 'startsAgain', target: 'Starting', actions: ['stay', begin('start'), 'store', 'tell'] },
          { target: 'Stopped', actions: ['store', 'tell'] },
        ],
      },
    },
  },
});
