import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFromLogic,
  getNextTransitions,
  type SnapshotFrom,
  transition,
} from 'xstate';

/**
 * An actor as it is stored: what of XState's persisted snapshot may differ between two actors of a machine; {@link snapshotOf} gives the
 * snapshot. Machines are flat: no `after`, no `invoke`, no children, no history; an actor is done in a final state, and nowhere else.
 */
export interface Actor<V extends string = string, C = object> {
  readonly value: V;
  readonly context: C;
}

/** XState's persisted form of a stored actor: `createActor(machine, { snapshot })` restores it. */
export interface ActorSnapshot<M extends AnyStateMachine> extends Actor<StateName<M>, SnapshotFrom<M>['context']> {
  readonly status: 'active' | 'done';
  readonly historyValue: object;
  readonly children: object;
}

/** The stored actor as XState's persisted snapshot; `done` where its state is a final one. */
export function snapshotOf<M extends AnyStateMachine>(machine: M, { value, context }: ActorOf<M>): ActorSnapshot<M> {
  const isDone = machine.states[value]?.type === 'final';
  return { status: isDone ? 'done' : 'active', value, historyValue: {}, context, children: {} };
}

/** The state names of a machine; they are the API's values, letter by letter. */
export type StateName<M extends AnyStateMachine> = SnapshotFrom<M>['value'] & string;

/** The stored form of a machine's actor. */
export type ActorOf<M extends AnyStateMachine> = Actor<StateName<M>, SnapshotFrom<M>['context']>;

/** Action of a transition, as data: named by the machine, performed by the operations. */
export interface Action {
  readonly type: string;
  readonly params?: unknown;
}

/** The implementation of an action that a machine only names: nothing happens within the machine. */
export const caused = (): void => {};

/** The actor after an event, and what the transition causes, in this order; nothing where there is nothing to do. */
export type Step<M extends AnyStateMachine> = readonly [actor: ActorOf<M>, actions: readonly Action[]];

/** The actor in its initial state, with this context. */
export function start<M extends AnyStateMachine>(machine: M, context: SnapshotFrom<M>['context']): ActorOf<M> {
  return { value: machine.config.initial as StateName<M>, context };
}

/**
 * Takes the actor through an event; gives it as it is then, and the actions. Pure: nothing is performed, the given actor stays as it is.
 * `refused`: the caller's error for a state that does not accept the event. @throws what `refused` gives; else {@link EventRefused}
 */
export function step<M extends AnyStateMachine>(
  machine: M,
  actor: ActorOf<M>,
  event: EventFromLogic<M>,
  refused: () => Error = () => new EventRefused(machine, actor, event),
): Step<M> {
  const taken = ask(machine, actor, event);
  if (taken === undefined) throw refused();
  return taken;
}

/** Whether the actor's state accepts the event. */
export const can = <M extends AnyStateMachine>(machine: M, actor: ActorOf<M>, event: EventFromLogic<M>): boolean =>
  ask(machine, actor, event) !== undefined;

/** An event that the actor's state does not accept, and for which the caller has no error of its own: a mistake in the program. */
export class EventRefused extends Error {
  constructor({ id }: AnyStateMachine, { value }: Actor, { type }: { readonly type: string }) {
    super(`expected the actor '${id}' to accept '${type}', but it is ${value}`);
    this.name = 'EventRefused';
  }
}

/** The event types that lead the actor to another state or cause something, as `availableOperations` offers them; guards are not asked. */
export function accepts<M extends AnyStateMachine>(machine: M, actor: ActorOf<M>): string[] {
  const leading = getNextTransitions(restored(machine, actor)).filter(
    ({ actions, source, target, reenter }) => actions.length > 0 || reenter || target?.some((node) => node !== source),
  );
  return [...new Set(leading.map(({ eventType }) => eventType))];
}

/** One performer for each action that a machine names. */
export type Performers<A extends Action, S> = {
  readonly [T in A['type']]: (scene: S, params: Extract<A, { readonly type: T }>['params']) => void;
};

/** Turns what a transition causes into documents, events and jobs. */
export function perform<A extends Action, S>(
  performers: Performers<A, S>,
  actions: readonly Action[],
  scene: NoInfer<S>,
): void {
  for (const { type, params } of actions) {
    const performer = performers[type as A['type']] as ((scene: S, params: unknown) => void) | undefined;
    if (performer === undefined) throw new Error(`nothing performs '${type}'`);
    performer(scene, params);
  }
}

/** Machines are pure, so the same question has the same answer: thousands of actors take the same few steps. undefined: refused. */
const known = new WeakMap<AnyStateMachine, Map<string, Step<AnyStateMachine> | undefined>>();
/** Steps that are kept of a machine, with up to 1 kB each: those of some thousand users, who are named in a few each. */
const STEPS_MAX = 10_000;
const QUESTION_MAX = 300;

function ask<M extends AnyStateMachine>(machine: M, actor: ActorOf<M>, event: EventFromLogic<M>): Step<M> | undefined {
  const steps = known.get(machine) ?? noneKnown(machine);
  const question = questionOf(actor, event);
  if (question === undefined) return take(machine, actor, event);
  const answer = steps.get(question);
  if (answer !== undefined || steps.has(question)) return answer as Step<M> | undefined;
  const taken = take(machine, actor, event);
  if (steps.size >= STEPS_MAX) steps.clear();
  steps.set(question, taken && frozen(taken));
  return taken;
}

function noneKnown(machine: AnyStateMachine): Map<string, Step<AnyStateMachine> | undefined> {
  const steps = new Map<string, Step<AnyStateMachine> | undefined>();
  known.set(machine, steps);
  return steps;
}

/** What the step depends on, as a text; undefined where it is long, or holds more than plain values. */
function questionOf(actor: Actor, event: object): string | undefined {
  const context = flatText(actor.context);
  const asked = flatText(event);
  if (context === undefined || asked === undefined) return undefined;
  const question = `${actor.value}/${context}/${asked}`;
  return question.length <= QUESTION_MAX ? question : undefined;
}

/** Plain values, each by its type; of texts the length comes first, so that none reads as two. */
function flatText(values: object): string | undefined {
  let text = '';
  for (const name in values) {
    const value: unknown = values[name as keyof typeof values];
    if (typeof value === 'string') text += `${name}=${value.length}"${value};`;
    else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) text += `${name}=${value};`;
    else return undefined;
  }
  return text;
}

/** Handed to many: none may change it. */
function frozen<M extends AnyStateMachine>([actor, actions]: Step<M>): Step<M> {
  Object.freeze(actor.context);
  return Object.freeze([Object.freeze(actor), Object.freeze(actions)] as const);
}

function take<M extends AnyStateMachine>(machine: M, actor: ActorOf<M>, event: EventFromLogic<M>): Step<M> | undefined {
  const before = restored(machine, actor);
  if (!before.can(event)) return undefined;
  const [{ value, context }, actions] = transition(machine as AnyStateMachine, before, event);
  return [{ value, context }, actions.map(dataOf)];
}

const dataOf = ({ type, params }: Action): Action => (params === undefined ? { type } : { type, params });

/** The actor as XState knows it. */
const restored = (machine: AnyStateMachine, { value, context }: Actor): AnyMachineSnapshot =>
  machine.resolveState({ value, context });
