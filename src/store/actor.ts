import { type AnyStateMachine, createActor, type EventFromLogic, getNextTransitions, type SnapshotFrom } from 'xstate';

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

/** The actor's persisted snapshot. */
export function snapshotOf<M extends AnyStateMachine>(machine: M, { value, context }: ActorOf<M>): ActorSnapshot<M> {
  const isDone = machine.states[value]?.type === 'final';
  return { status: isDone ? 'done' : 'active', value, historyValue: {}, context, children: {} };
}

/** The state names of a machine; they are the API's values, letter by letter. */
export type StateName<M extends AnyStateMachine> = SnapshotFrom<M>['value'] & string;

/** The stored form of a machine's actor. */
export type ActorOf<M extends AnyStateMachine> = Actor<StateName<M>, SnapshotFrom<M>['context']>;

/** The actor in its initial state. `context` replaces the machine's own. */
export function start<M extends AnyStateMachine>(machine: M, context: SnapshotFrom<M>['context']): ActorOf<M> {
  const { initial } = hostOf(machine);
  return { ...initial, context } as ActorOf<M>;
}

/**
 * The actor after the event, or undefined when its present state does not accept it. Pure: nothing is run, the given actor stays as it is.
 * One reused scope per machine gives the result of XState's `transition()` at a fifth of its cost.
 */
export function step<M extends AnyStateMachine>(
  machine: M,
  actor: ActorOf<M>,
  event: EventFromLogic<M>,
): ActorOf<M> | undefined {
  const { steps } = hostOf(machine);
  const question = questionOf(actor, event);
  if (question === undefined) return take(machine, actor, event);
  const known = steps.get(question);
  if (known !== undefined) return known.after as ActorOf<M> | undefined;
  const after = take(machine, actor, event);
  if (steps.size >= STEPS_MAX) steps.clear();
  steps.set(question, { after: after && frozen(after) });
  return after;
}

/** Steps that are kept of a machine: thousands of actors take the same few. */
const STEPS_MAX = 1_000;
const QUESTION_MAX = 300;

/** What the step depends on, as a text; undefined where it is long, or holds more than plain values. */
function questionOf(actor: Actor, event: object): string | undefined {
  const known = flatText(actor.context);
  const asked = flatText(event);
  if (known === undefined || asked === undefined) return undefined;
  const question = `${actor.value}/${known}/${asked}`;
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
const frozen = <A extends Actor>(actor: A): A => {
  Object.freeze(actor.context);
  return Object.freeze(actor);
};

function take<M extends AnyStateMachine>(
  machine: M,
  actor: ActorOf<M>,
  event: EventFromLogic<M>,
): ActorOf<M> | undefined {
  const { scope, transition } = hostOf(machine);
  const before = revive(machine, actor);
  if (!before.can(event)) return undefined;
  return persisted(transition(before, event, scope)) as ActorOf<M>;
}

/** The event types that the actor's present state accepts, as `availableOperations` offers them; guards are asked with the bare type. */
export function accepts<M extends AnyStateMachine>(machine: M, actor: ActorOf<M>): string[] {
  const snapshot = revive(machine, actor);
  const types = getNextTransitions(snapshot).map((transition) => transition.eventType);
  return [...new Set(types)].filter((type) => type !== '');
}

interface Snapshot {
  readonly value: unknown;
  readonly context: unknown;
  can(event: unknown): boolean;
}

interface Host {
  readonly initial: Actor;
  readonly scope: unknown;
  readonly transition: (snapshot: Snapshot, event: unknown, scope: unknown) => Snapshot;
  readonly revived: Map<string, Snapshot>;
  /** Steps that were taken: machines are pure, so the same question has the same answer. */
  readonly steps: Map<string, { readonly after: Actor | undefined }>;
}

const hosts = new WeakMap<AnyStateMachine, Host>();

function hostOf(machine: AnyStateMachine): Host {
  const known = hosts.get(machine);
  if (known !== undefined) return known;
  // An actor that is never started: its scope lets the machine compute transitions, and nothing can run in it.
  const inert = createActor(machine, { input: {} as never });
  const self = inert as unknown as { _actorScope: { actionExecutor: unknown } };
  const scope = { ...self._actorScope, actionExecutor: () => {}, defer: () => {} };
  const host: Host = {
    initial: persisted(inert.getSnapshot() as unknown as Snapshot),
    scope,
    transition: (snapshot, event, inScope) =>
      machine.transition(snapshot as never, event as never, inScope as never) as unknown as Snapshot,
    revived: new Map(),
    steps: new Map(),
  };
  hosts.set(machine, host);
  return host;
}

/** The live form of a stored actor: the state's nodes are resolved once per state, the context is the actor's own. */
function revive(machine: AnyStateMachine, actor: Actor): SnapshotFrom<AnyStateMachine> & Snapshot {
  const { revived } = hostOf(machine);
  let template = revived.get(actor.value);
  if (template === undefined) {
    template = machine.resolveState({ value: actor.value, context: actor.context } as never) as unknown as Snapshot;
    revived.set(actor.value, template);
  }
  return Object.assign(Object.create(Object.getPrototypeOf(template)), template, { context: actor.context });
}

function persisted(snapshot: Snapshot): Actor {
  return { value: snapshot.value as string, context: snapshot.context as object };
}
