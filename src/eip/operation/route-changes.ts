import {
  type Decision,
  Draft,
  type FeedEvent,
  type IncidentChanges,
  incidents,
  moveIncident,
  type NewJob,
  newIncident,
  openIncident,
  type Performers,
  perform,
  type State,
  step,
} from '../../store/index.js';
import { type Route, type RouteCause, routes } from '../collections.js';
import { routeNotIn } from '../errors.js';
import { routeStateEvent } from '../events.js';
import { type RouteAction, type RouteEvent, type RouteWork, routeMachine } from '../machine/route.js';
import type { RouteFault } from '../route-port.js';

/** When a route whose consumer did not start is tried again. */
export interface Backoff {
  /** How often it is started in all. */
  readonly attempts: number;
  /** Before the second attempt, ms; twice as long before each further one. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
}

/** The changes of a decision about routes: documents, events and jobs. */
export class RouteChanges {
  readonly draft: Draft;
  readonly state: State;
  readonly backoff: Backoff;
  readonly events: FeedEvent[] = [];
  readonly jobs: NewJob[] = [];

  constructor(state: State, backoff: Backoff) {
    this.state = state;
    this.draft = new Draft(state);
    this.backoff = backoff;
  }

  decision<A>(answer: A): Decision<A> {
    return { write: this.draft.writes(), events: this.events, jobs: this.jobs, answer };
  }

  add({ write, events }: IncidentChanges): void {
    for (const { collection, id, document } of write)
      if (document === null) this.draft.remove(collection, id);
      else this.draft.put(collection, document);
    this.events.push(...events);
  }
}

/** Details of an event of a route. */
interface Told {
  /** Who set it off. Default: whoever set off what it is on its way to. */
  readonly by?: RouteCause;
  readonly fault?: RouteFault | undefined;
  /** For the work that it causes. */
  readonly timeoutMs?: number;
}

/** Takes a route through an event, with all that this causes; gives it as it is then. @throws CONFLICT (its state does not accept it) */
export function moveRoute(changes: RouteChanges, before: Route, event: RouteEvent, told: Told = {}): Route {
  const [actor, actions] = step(routeMachine, before.actor, event, () => routeNotIn(before, event.type));
  const { by = before.by, timeoutMs = before.timeoutMs } = told;
  const moved = actions.length === 0 ? before : { ...before, actor, by, timeoutMs };
  const scene: RouteScene = { changes, before, told, route: moved };
  perform(routePerformers, actions, scene);
  return scene.route;
}

interface RouteScene {
  readonly changes: RouteChanges;
  readonly before: Route;
  readonly told: Told;
  /** As it is by now. */
  route: Route;
}

function begin(scene: RouteScene, work: RouteWork): void {
  scene.route = { ...scene.route, work, turn: scene.route.turn + 1 };
}

/** One performer for each action that the route's machine names. */
const routePerformers: Performers<RouteAction, RouteScene> = {
  begin: (scene, { work }) => begin(scene, work),
  swapNext: (scene) => {
    if (scene.route.next !== null) begin(scene, 'swap');
  },
  takeVersion: (scene) => {
    const { route } = scene;
    scene.route = { ...route, version: route.next ?? route.version, next: null };
  },
  dropVersion: (scene) => {
    scene.route = { ...scene.route, next: null };
  },
  forgive: (scene) => {
    const { route, changes } = scene;
    const incident = route.incidentId === null ? undefined : changes.state.get(incidents, route.incidentId);
    if (incident !== undefined) changes.add(moveIncident(incident, { type: 'resolve' }));
    scene.route = { ...route, startedAt: route.startedAt ?? changes.state.now, fault: null, incidentId: null };
  },
  blame: (scene) => {
    const { message = 'it did not say why', ...fault } = scene.told.fault ?? {};
    scene.route = { ...scene.route, fault: { message, ...fault, at: scene.changes.state.now } };
  },
  retryLater: (scene) => {
    const { changes, route } = scene;
    const { attempts, delayMs, delayMaxMs } = changes.backoff;
    const failed = Math.max(0, attempts - route.actor.context.attempts - 1);
    const dueAt = changes.state.now + Math.min(delayMaxMs, delayMs * 2 ** failed);
    const id = changes.state.ids.next();
    changes.jobs.push({ id, type: RETRY_JOB, dueAt, input: { routeId: route.id, turn: route.turn } });
    scene.route = { ...route, work: null };
  },
  openIncident: (scene) => {
    const { changes, route } = scene;
    const message = `route '${route.id}': ${route.fault?.message}`;
    const facts = { type: 'failedRoute', message, configuration: route.id };
    const open = route.incidentId === null ? undefined : changes.state.get(incidents, route.incidentId);
    if (open !== undefined) changes.add(moveIncident({ ...open, ...facts }, { type: 'annotate', annotation: null }));
    else {
      const incident = newIncident(changes.state, facts);
      changes.add(openIncident(incident));
      scene.route = { ...route, incidentId: incident.id };
    }
  },
  store: (scene) => {
    const { value } = scene.route.actor;
    const isIdle = value === 'Stopped' || value === 'Starting';
    scene.route = { ...scene.route, startedAt: isIdle ? null : scene.route.startedAt };
    scene.changes.draft.put(routes, scene.route);
  },
  remove: ({ changes, route }) => {
    changes.draft.remove(routes, route.id);
    const incident = route.incidentId === null ? undefined : changes.state.get(incidents, route.incidentId);
    if (incident !== undefined) changes.add(moveIncident(incident, { type: 'resolve' }));
    const input = { incarnation: route.incarnation };
    changes.jobs.push({
      id: changes.state.ids.next(),
      type: ERASE_JOB,
      dueAt: changes.state.now,
      immediate: true,
      input,
    });
  },
  tell: ({ changes, before, route, told }) => {
    changes.events.push(
      routeStateEvent({
        routeId: route.id,
        previousState: before.actor.value,
        currentState: route.actor.value,
        at: changes.state.now,
        ...route.by,
        error: told.fault?.message ?? null,
      }),
    );
  },
};

/** Types of the jobs about routes: the next attempt to start one, and what is left of one that is gone. */
export const RETRY_JOB = 'startRoute';
export const ERASE_JOB = 'eraseRoute';
