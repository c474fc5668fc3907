import type { Token } from '../element/instance-state.js';
import type { Element, Program } from '../model/program.js';
import { activityOf } from './activity-instances.js';

/** A running activity of an instance, or one that is about to begin or to be left, with a job. */
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

/** Running activities where the tokens are, those that hold others first. */
export const runningActivities = (
  { elements }: Pick<Program, 'elements'>,
  instanceId: string,
  tokens: Iterable<Token>,
  /** The scopes that hold the instances of an activity that repeats: its element, by their numbers. */
  bodies: ReadonlyMap<number, number>,
): RunningActivity[] =>
  [...tokens].flatMap((token) => {
    const isTransition = waitsAround(token);
    const number = isTransition ? token.id : activityAt(token);
    if (number === null) return [];
    const element = elements[token.element];
    return {
      id: `${instanceId}:${number}`,
      parentId: token.scope === 0 ? null : `${instanceId}:${token.scope}`,
      ...activityOf(element, isTransition ? isWhole(token, element, bodies) : bodies.has(token.opens ?? -1)),
      activityName: element?.name ?? null,
      executionId: `${instanceId}:${token.id}`,
      isTransition,
    };
  });

/** Whether it waits for the job that begins or leaves an activity. */
const waitsAround = ({ wait }: Token): boolean => wait?.kind === 'job' && (wait.of === 'before' || wait.of === 'after');

/** The number of the activity that the token is in; one that has completed and is being compensated has the number that it had. */
function activityAt({ activity, opens, wait, took }: Token): number | null {
  if (took !== undefined) return null;
  return activity ?? (wait?.kind === 'compensation' ? (opens ?? null) : null);
}

/** Whether what is about to begin or to be left is an activity that repeats as a whole, and not one of its instances. */
const isWhole = ({ element, scope }: Token, of: Element | undefined, bodies: ReadonlyMap<number, number>): boolean =>
  of?.loop !== undefined && bodies.get(scope) !== element;
