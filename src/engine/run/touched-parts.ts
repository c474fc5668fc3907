import { limitExceeded } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import {
  type Away,
  type InstancePart,
  instanceParts,
  outermost,
  type ProcessInstance,
  partId,
} from '../collections.js';
import type { Instruction, Scope, StartInstruction } from '../element/instance-state.js';
import { largeScopes, missed, type Path, rootOf } from '../element/large-scope.js';
import { isCancelled, ledBy, whereLed } from '../element/move.js';
import { elementNamed, flowNamed } from '../element/named.js';
import { scopesAround } from '../model/elements.js';
import type { Program } from '../model/program.js';
import { partsOf } from './instance-parts.js';

/** How many parts one decision looks at. */
const LOOKED_AT_MAX = 2_000;

const tooMany = (instanceId: string) =>
  limitExceeded(
    `expected to find what the modification names among ${LOOKED_AT_MAX} of the tokens that process instance '${instanceId}' has in large scopes, but there are more; name the activity instance that holds it (ancestorActivityInstanceId), or cancel that`,
    { reason: 'modification_too_large', resourceId: instanceId },
  );

/** How many tokens that rest are brought back to be cancelled: with more of them it is done by and by. */
const CANCELLED_MAX = 100;

/** Of what something may begin in, so many are brought back: with two it is told that there are several. */
const AROUND_MAX = 12;

/** What a modification finds in large scopes. */
export interface Touched {
  /** Where it is that is brought back. */
  readonly paths: readonly Path[];
  /** Whether that is all; else what is to be cancelled rests there, too. */
  readonly isAll: boolean;
}

/** Where the tokens are that the instructions look for, as far as these are in large scopes. @throws BAD_REQUEST (an unknown element), LIMIT_EXCEEDED */
export function touchedBy(
  state: State,
  instance: ProcessInstance,
  program: Program,
  instructions: readonly Instruction[],
): Touched {
  if (instance.away === undefined) return { paths: [], isAll: true };
  const { cancelled, around, numbers } = soughtBy(program, instructions);
  const isFew = awayIn(instance.away) <= LOOKED_AT_MAX || awayAt(program, instance.away, cancelled) === 0;
  const isAll = isFew && awayAt(program, instance.away, cancelled) <= CANCELLED_MAX;
  const found = findNumbered(state, instance, numbers);
  const search = new Search(program, { cancelled: isAll ? cancelled : NONE, around, numbers: found.left });
  const paths = [...found.paths, ...search.run(state, instance, instance.away)];
  return { paths, isAll };
}

const NONE: ReadonlySet<number> = new Set();

const awayIn = (away: Away): number =>
  Object.values(away)
    .flatMap((counts) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);

/** How many of the tokens that are away are at these elements, or in them. 0: directly in the process. */
function awayAt(program: Program, away: Away, elements: ReadonlySet<number>): number {
  let found = 0;
  for (const [scope, counts] of Object.entries(away)) {
    for (const [leaf, count] of Object.entries(counts)) {
      const isIn = (scope === '0' && elements.has(0)) || isWithin(program, Number(leaf), elements);
      if (isIn) found += count;
    }
  }
  return found;
}

/** Whether the element is one of these, or in one; the process itself is none. */
function isWithin(program: Program, element: number, elements: ReadonlySet<number>): boolean {
  return [element, ...scopesAround(program, element)].some((at) => at > 0 && elements.has(at));
}

interface Wanted {
  readonly cancelled: ReadonlySet<number>;
  readonly around: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
}

/** Looks through the parts of large scopes in which something may be that is sought. */
class Search {
  readonly #program: Program;
  readonly #wanted: Wanted;
  readonly #numbers: Set<number>;
  readonly #around = new Map<number, number>();

  constructor(program: Program, wanted: Wanted) {
    this.#program = program;
    this.#wanted = wanted;
    this.#numbers = new Set(wanted.numbers);
  }

  /** Where those are that were sought. */
  run(state: State, { id: instanceId, state: here }: ProcessInstance, away: Away): Path[] {
    const paths: Path[] = [];
    const scopes = this.#scopes(here, away);
    let looked = 0;
    for (const scope of scopes) {
      for (const part of partsOf(state, instanceId, scope.id)) {
        if (this.#isDone) return paths;
        if (++looked > LOOKED_AT_MAX) throw tooMany(instanceId);
        if (this.#isSought(asLed(this.#program, here, part))) paths.push(part.within);
        // It may hold large scopes of its own.
        scopes.push(...part.scopes.filter(({ size }) => size !== undefined));
      }
    }
    return paths;
  }

  /** The large scopes in which something may be. */
  #scopes(here: ProcessInstance['state'], away: Away): Scope[] {
    const alive = [...(largeScopes(here)?.values() ?? [])].filter(({ abandoned }) => abandoned === undefined);
    const isMeant = (id: number) => this.#mayBeIn(away[id] ?? {}, id);
    const leading = (here.moves ?? []).flatMap(ledBy).filter(({ to }) => isMeant(to));
    return alive.filter(({ id }) => isMeant(id) || leading.some(({ scope }) => scope === id));
  }

  get #isDone(): boolean {
    const { cancelled, around } = this.#wanted;
    const isSettled = (element: number) => this.#around.get(element) === AROUND_MAX;
    return this.#numbers.size + cancelled.size === 0 && [...around].every(isSettled);
  }

  #mayBeIn(counts: Away[string], scope: number): boolean {
    const { cancelled, around } = this.#wanted;
    if (this.#numbers.size > 0 || (scope === 0 && cancelled.has(0))) return true;
    const sought = new Set([...cancelled, ...around]);
    return Object.keys(counts).some((leaf) => isWithin(this.#program, Number(leaf), sought));
  }

  #isSought(part: Seen): boolean {
    const { cancelled } = this.#wanted;
    const isRoot = cancelled.has(0) && part.scope === 0;
    const isCancelled = isRoot || [...cancelled].some((element) => part.elements.has(element));
    return [isCancelled, this.#isNamed(part), this.#isAround(part)].some(Boolean);
  }

  #isNamed(part: Seen): boolean {
    const found = [...this.#numbers].filter((number) => isNumbered(part, number));
    for (const number of found) this.#numbers.delete(number);
    return found.length > 0;
  }

  #isAround({ elements: at }: Seen): boolean {
    const wanted = [...this.#wanted.around].filter(
      (element) => at.has(element) && (this.#around.get(element) ?? 0) < AROUND_MAX,
    );
    for (const element of wanted) this.#around.set(element, (this.#around.get(element) ?? 0) + 1);
    return wanted.length > 0;
  }
}

/** What rests, with the positions of what is in it. */
type Seen = Pick<InstancePart, 'scope' | 'tokens' | 'scopes'> & { readonly elements: ReadonlySet<number> };

/** What rests as the migrations that it is still to take lead it: also in scopes that these add. What is to be cancelled is not there. */
function asLed(program: Program, { moves }: ProcessInstance['state'], part: InstancePart): Seen {
  const root = rootOf(part);
  const behind = root === undefined ? [] : missed({ moves }, root);
  if (root === undefined || behind.length === 0)
    return { ...part, elements: new Set(part.tokens.map(({ element }) => element)) };
  const around = outermost(part.within) ?? 0;
  const tokens = part.tokens.filter(({ element }) => !isCancelled(around, element, behind));
  const places = tokens.map(({ element }) => whereLed(0, element, behind)[1]).filter((element) => element >= 0);
  const elements = new Set(places.flatMap((element) => [element, ...scopesAround(program, element)]));
  return { tokens, scopes: part.scopes, scope: whereLed(root.scope, root.element, behind)[0], elements };
}

/** How far behind the number of its token a part is looked for: that of what begins in it at once comes soon behind. */
const BEHIND_MAX = 64;

/** Where the numbers are that are found without looking at all: what is not here began with its part, in most cases. The others are left. */
function findNumbered(
  state: State,
  { id, state: here }: Pick<ProcessInstance, 'id' | 'state'>,
  numbers: ReadonlySet<number>,
): { readonly paths: Path[]; readonly left: ReadonlySet<number> } {
  const paths: Path[] = [];
  const left = new Set<number>();
  for (const number of numbers) {
    if (isNumbered(here, number)) continue;
    const part = nearestPart(state, id, number);
    if (part !== undefined && isNumbered(part, number)) paths.push(part.within);
    else left.add(number);
  }
  return { paths, left };
}

function soughtBy(program: Program, instructions: readonly Instruction[]): Wanted {
  const starts = instructions.flatMap((each) => (each.type === 'cancel' ? [] : [each]));
  // With the last instruction the process is left as a whole; before that, all goes that is in it.
  const cancels = instructions.flatMap((each, n) => {
    const isLast = n === instructions.length - 1;
    return each.type !== 'cancel' || (isLast && 'number' in each.what && each.what.number === 0) ? [] : [each.what];
  });
  const named = cancels.flatMap((what) => ('number' in what ? [what.number] : []));
  const elements = cancels.flatMap((what) =>
    'number' in what ? [] : [elementNamed(program, what.activityId).element],
  );
  return {
    cancelled: new Set([...elements, ...named.filter((number) => number === 0)]),
    around: new Set(starts.flatMap((each) => [...elementsAround(program, each)])),
    numbers: new Set([...named, ...starts.map(({ ancestor }) => ancestor ?? 0)].filter((number) => number > 0)),
  };
}

/** The part whose token comes last before the number. */
function nearestPart(state: State, instanceId: string, number: number): InstancePart | undefined {
  for (let token = number; token > Math.max(0, number - BEHIND_MAX); token--) {
    const part = state.get(instanceParts, partId(instanceId, token));
    if (part !== undefined) return part;
  }
  return undefined;
}

/** The activities in which something begins, where none is named, and that whose place it takes. */
function* elementsAround(program: Program, { type, id, ancestor }: StartInstruction): Generator<number> {
  const isFlow = type === 'startTransition';
  const at = isFlow ? (program.flows[flowNamed(program, id)]?.source ?? 0) : elementNamed(program, id).element;
  const { attachedTo, loop } = program.elements[at] ?? {};
  if (attachedTo != null) yield attachedTo;
  if (ancestor !== null) return;
  if (loop !== undefined) yield at;
  yield* scopesAround(program, at).filter((scope) => scope > 0);
}

/** Whether a token, an activity instance or a scope has the number. */
const isNumbered = ({ tokens, scopes }: Pick<InstancePart, 'tokens' | 'scopes'>, number: number): boolean =>
  tokens.some(({ id, activity, opens }) => id === number || activity === number || opens === number) ||
  scopes.some(({ id }) => id === number);
