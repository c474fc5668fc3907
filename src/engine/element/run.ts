import type { DataDeclaration, Program, VariableChange } from '../model/program.js';
import { dropBundle } from './bundle.js';
import type { ReportedTask } from './external-facts.js';
import {
  type Done,
  type Effect,
  type HistoryEntry,
  type InstanceState,
  RULES,
  type RunContext,
  type Scope,
  type TaskDraft,
  type Token,
  type Variables,
  type Wait,
} from './instance-state.js';
import { isAwaited, LARGE_FROM, largeScopes } from './large-scope.js';
import { type Place, type Prepared, prepare } from './prepared.js';

/** Of a program without conditions: nothing is ever put in. */
const NO_WAITS = new Set<Wait>();

/** One run while it happens: the instance's state and what came of it so far. */
export class Run {
  readonly program: Program;
  readonly prepared: Prepared;
  readonly state: InstanceState;
  readonly context: RunContext;
  readonly effects: Effect[] = [];
  readonly history: HistoryEntry[] = [];
  /** The tokens that move, the next one last: one branch goes on until it waits, then the next, as in Camunda. */
  readonly moving: Token[] = [];
  /** Visits of an element so far. */
  steps = 0;
  /** How many steps have led to this run since the last wait, less those of the run that do not count. */
  stepsBefore = 0;
  /** Answers used so far. */
  answered = 0;
  /** The token whose activity has begun in this step, and whose beginning the history does not have yet. */
  begun: Token | null = null;
  /** The token whose end listeners are being told: they are told once, even if one of them ends with an error. */
  ending: Token | null = null;
  /** By inclusive gateway: a token for which it waited when it was looked at last. Null: none was looked at. */
  awaited: Map<string, Token | undefined> | null = null;
  /** What has changed since the conditions were looked at, where there are any. */
  changed: Changed[] = [];
  /** Variables that are gone when the run is over. */
  readonly transient: { readonly scope: number; readonly name: string }[] = [];
  /** Conditions that have begun to be waited for since then. */
  readonly fresh: Set<Wait>;
  /** Looks at the conditions; null where the program has none. */
  observe: ((run: Run) => void) | null = null;
  /** Whether there are large scopes. */
  isLarge: boolean;
  /** Whether listeners are passed over. */
  silent = false;
  /** Whether inputs and outputs are not mapped. */
  unmapped = false;
  /** How many instructions of a modification the run was given itself; null: it has none to carry out. */
  instructed: number | null = null;
  /** What rested has left nothing in the process: how, and what is kept with the instance if it ends by it. */
  emptied: { readonly over: 'completed' | 'cancelled'; readonly reason: string } | null = null;
  /** The called instance that has just completed and can be compensated: by the activity that called it. */
  undoable: { readonly activity: number; readonly called: string } | null = null;
  /** The last decision: its task's expressions see the result. */
  decision: { readonly token: Token; readonly rows: readonly Variables[] } | null = null;
  /** The instance's business key by now. */
  businessKey: string | null;

  constructor(program: Program, state: InstanceState, context: RunContext) {
    this.program = program;
    this.prepared = prepare(program);
    this.state = state;
    this.context = context;
    this.businessKey = context.businessKey;
    this.isLarge = largeScopes(state) !== undefined;
    this.fresh = this.prepared.isConditional ? new Set() : NO_WAITS;
  }

  /** By which rules the run is made: of a replayed one, those that it was made by. */
  get rules(): number {
    return this.context.rules ?? RULES;
  }

  /** Whether the run is replayed as it was made by the first rules. */
  get isFormer(): boolean {
    return this.rules < 2;
  }

  /** Steps since the last wait. */
  get stepsUnwaited(): number {
    return this.stepsBefore + this.steps;
  }

  /** What happens from now on is told to no listener, and what is left maps no outputs. */
  hush(): void {
    this.silent = true;
    this.unmapped = true;
  }

  /** A number that was never used in this instance. */
  number(): number {
    return this.state.next++;
  }

  place(element: number): Place {
    const place = this.prepared.places[element];
    if (place === undefined) throw new RangeError(`process '${this.program.key}' has no element ${element}`);
    return place;
  }

  /** The place of the token's element: of an activity that repeats that of the whole, or of the instance that the token is. */
  placeOf(token: Token): Place {
    const place = this.place(token.element);
    const { instance } = place;
    return instance !== null && this.scope(token.scope).element === token.element ? instance : place;
  }

  /** The scope; undefined where it was closed. */
  find(id: number): Scope | undefined {
    for (const scope of this.state.scopes) if (scope.id === id) return scope;
    return undefined;
  }

  scope(id: number): Scope {
    const scope = this.find(id);
    if (scope === undefined) throw new RangeError(`instance '${this.context.instanceId}' has no scope ${id}`);
    return scope;
  }

  /** The innermost scope that the token sees: that of its activity, else the one it moves in. */
  innermost(token: Token): number {
    return token.opens ?? token.scope;
  }

  /** A new token that goes to the element next. */
  spawn(element: number, scope: number, via: number | null): Token {
    const token: Token = { id: this.number(), element, scope, via, activity: null };
    this.state.tokens.push(token);
    if (this.isLarge || this.state.tokens.length > LARGE_FROM) this.#grow(this.scope(scope), token);
    return token;
  }

  /** Counts the token in its scope, where that is large, or becomes so by it. */
  #grow(scope: Scope, { id }: Token): void {
    if (scope.size !== undefined) {
      scope.size++;
    } else if (
      this.state.tokens.length > LARGE_FROM &&
      this.rules >= 4 &&
      !this.prepared.gathering.has(scope.element)
    ) {
      if (this.within(scope.id).length <= LARGE_FROM) return;
      scope.from = id;
      this.enlarge(scope);
    }
  }

  /** The scope has many tokens from now on. */
  enlarge(scope: Scope): void {
    scope.size = this.within(scope.id).length;
    this.isLarge = true;
  }

  /** Takes the token out of the instance. */
  drop(token: Token): void {
    if (!removeFrom(this.state.tokens, token)) return;
    const scope = this.isLarge ? this.find(token.scope) : undefined;
    if (scope?.size !== undefined) scope.size--;
    removeFrom(this.moving, token);
  }

  /** Opens the scope of the token's activity. */
  open(token: Token, activity: number): void {
    const { data } = this.placeOf(token).element;
    const variables = data === undefined ? {} : declared(data);
    this.state.scopes.push({ id: activity, parent: token.scope, element: token.element, variables });
    token.opens = activity;
  }

  /** Closes the scope of the token's activity, if it has one. */
  close(token: Token): void {
    if (token.opens === undefined) return;
    const scope = this.scope(token.opens);
    this.closeAside(scope);
    if (!scope.kept && scope.abandoned === undefined && !scope.husk) this.forget(scope);
    token.opens = undefined;
  }

  /** Nothing is any more in a scope that was left. */
  vacate(scope: Scope): void {
    delete scope.abandoned;
    if (scope.parent !== null) this.forget(scope);
  }

  /** Takes the scope out of the instance, with those that are kept for compensation in it. */
  forget(scope: Scope): void {
    this.forgetDone(scope.done);
    removeFrom(this.state.scopes, scope);
  }

  /** What has completed is not compensated any more. */
  forgetDone(done: readonly Done[] = []): void {
    for (const { scope, bundle } of done) {
      if (scope !== undefined) this.forget(this.scope(scope));
      if (bundle !== undefined) this.effects.push({ type: 'discard', bundles: dropBundle(this.state, bundle) });
    }
  }

  /** Forgets what the body of a loop keeps for itself. */
  closeAside({ repeats }: Scope): void {
    if (repeats?.aside === undefined) return;
    removeFrom(this.state.scopes, this.scope(repeats.aside));
    delete repeats.aside;
  }

  /** The token moves no more for now. */
  halt(token: Token): void {
    removeFrom(this.moving, token);
  }

  /** What stands for the process itself where a token is asked for. */
  get root(): Token {
    return { id: 0, element: 0, scope: 0, via: null, activity: null, opens: 0 };
  }

  /** The token that waits for the scope's inner tokens; undefined for the process. */
  owner(scope: number): Token | undefined {
    return this.state.tokens.find((token) => token.opens === scope);
  }

  /** Whether there are tokens directly within the scope. */
  isEmpty(id: number): boolean {
    if (this.isLarge) {
      const { size, abandoned } = this.scope(id);
      if (size !== undefined) return abandoned !== undefined || (size === 0 && !isAwaited(this.state, id));
    }
    return !this.state.tokens.some((token) => token.scope === id);
  }

  /** The scope around; of one whose surroundings were left, the process's. */
  around(scope: Scope): Scope | undefined {
    return scope.parent === null ? undefined : (this.find(scope.parent) ?? this.scope(0));
  }

  /** The tokens directly within the scope; of a large one those that are here. */
  within(scope: number): Token[] {
    return this.state.tokens.filter((token) => token.scope === scope);
  }

  /** The history's word that the token's activity began, where it does not have it yet. */
  writeBegun(token: Token): void {
    if (this.begun !== token || token.activity === null) return;
    const task = token.wait?.kind === 'task' ? token.wait.id : null;
    if (this.placeOf(token).instance !== null) this.history.push([4, token.activity, token.element, token.scope]);
    else this.history.push([0, token.activity, token.element, token.scope, task]);
    this.begun = null;
  }
}

/** Gives whether it was there. */
function removeFrom<T>(list: T[], item: T): boolean {
  const at = list.lastIndexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** What a scope begins with: all that its element declares, as nothing. */
export const declared = (data: readonly DataDeclaration[]): Variables =>
  Object.fromEntries(data.map(({ name }) => [name, { type: 'Null', value: null }]));

/** A variable that was set or removed. */
interface Changed {
  /** Where. */
  readonly scope: number;
  readonly name: string;
  readonly change: VariableChange;
}

/** The place of an evaluation: whose expression it is, and what that sees. */
export interface At {
  readonly token: Token;
  /** Whose expression it is. */
  readonly place: Place;
  /** The scope from which variables are seen. */
  readonly scope: number;
  /** The task that `task` means, where there is one. */
  readonly task?: TaskDraft;
  /** The task that `externalTask` means, where there is one. */
  readonly external?: ReportedTask;
  /** Event that is told of: `start`, `end`, `create` … in a listener. */
  readonly event?: string;
  /** The id of the sequence flow that is taken, in its listener. */
  readonly flow?: string;
  /** Whether the activity is left before it is done, in its end listener. Default false. */
  readonly canceled?: boolean;
}

/** The place of what is evaluated within the token's activity. */
export const at = (run: Run, token: Token, place: Place): At => ({ token, place, scope: run.innermost(token) });
