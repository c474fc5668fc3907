import type { Token } from '../element/instance-state.js';
import type { Program } from '../model/program.js';
import { activityOf } from './activity-instances.js';

/** What goes on in an instance: an activity, or what is about to begin or to be left, with a job. */
export interface RunningActivity {
  /** `<process instance>:<number>` of an activity; of what waits for its job `<process instance>:<token>`. */
  readonly id: string;
  /** The one that holds it; null: the process. */
  readonly parentId: string | null;
  readonly activityId: string;
  readonly activityName: string | null;
  readonly activityType: string;
  readonly executionId: string;
  /** Whether it waits for the job that begins or leaves it. */
  readonly isTransition: boolean;
}

/** What goes on where the tokens are, those that hold others first. */
export const runningActivities = (
  { elements }: Pick<Program, 'elements'>,
  instanceId: string,
  tokens: Iterable<Token>,
  /** Numbers of the scopes that hold the instances of an activity that repeats. */
  bodies: ReadonlySet<number>,
): RunningActivity[] =>
  [...tokens].flatMap((token) => {
    const { id, activity, scope, opens, wait } = token;
    const isTransition = wait?.kind === 'job' && (wait.of === 'before' || wait.of === 'after');
    if (!isTransition && (activity === null || token.took !== undefined)) return [];
    const element = elements[token.element];
    return {
      id: `${instanceId}:${isTransition ? id : activity}`,
      parentId: scope === 0 ? null : `${instanceId}:${scope}`,
      ...activityOf(element, opens !== undefined && bodies.has(opens)),
      activityName: element?.name ?? null,
      executionId: `${instanceId}:${id}`,
      isTransition,
    };
  });
