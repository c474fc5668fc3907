import type { State } from '../../store/index.js';
import {
  externalTasks,
  jobs,
  pathOfJob,
  processInstances,
  type Subscription,
  subscriptions,
  tasks,
} from '../collections.js';
import type { Input, InstanceState } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';

/** Where the token is that the input is for. */
export function pathsOf(state: State, input: Input): Path[] {
  const path = pathOf(state, input);
  return path === undefined ? [] : [path];
}

function pathOf(state: State, input: Input): Path | undefined {
  switch (input.type) {
    case 'completeTask':
    case 'taskError':
    case 'taskEscalation':
    case 'taskEvent':
      return state.get(tasks, input.taskId)?.within;
    case 'job':
    case 'cycle':
    case 'callDone':
    case 'callError': {
      const job = state.get(jobs, input.jobId);
      return job && pathOfJob(job);
    }
    case 'completeExternalTask':
    case 'failExternalTask':
    case 'externalTaskError':
      return state.get(externalTasks, input.taskId)?.within;
    case 'calledEnded':
    case 'calledEscalated':
      return state.get(processInstances, input.calledId)?.calledBy?.within;
    case 'trigger':
      return state.get(subscriptions, input.subscriptionId)?.within;
    default:
      return undefined;
  }
}

/** The subscriptions to the name of those tokens of a large instance that are never away: to others the event comes as to other instances. */
export function hereFor(state: State, { tokens, scopes }: InstanceState, name: string): Subscription[] {
  const armed = [
    ...tokens.flatMap(({ boundaries = [] }) => boundaries),
    ...scopes.flatMap(({ events = [] }) => events),
  ];
  const waits = [...tokens.map(({ wait }) => wait), ...armed.map(({ wait }) => wait)];
  const ids = new Set(waits.flatMap((wait) => (wait?.kind === 'subscription' ? [wait.id] : [])));
  const found = [...ids].flatMap((id) => state.get(subscriptions, id) ?? []);
  return found.filter((it) => it.eventName === name && it.within === undefined);
}
