import { limitExceeded } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { type InstancePart, instanceParts, type ProcessInstance, partId } from '../collections.js';
import type { Instruction, Scope, StartInstruction, Token } from '../element/instance-state.js';
import { largeScopes, type Path } from '../element/large-scope.js';
import { elementNamed, flowNamed } from '../element/named.js';
import type { Program } from '../model/program.js';

/** What instructions look for among the tokens of an instance. */
interface Sought {
  /** Tokens at these elements. */
  readonly elements: ReadonlySet<number>;
  /** Tokens, activity instances and scopes of these numbers. */
  readonly numbers: ReadonlySet<number>;
  /** Everything there is. */
  readonly isAll: boolean;
}

/** How many parts are read at once. */
const PAGE = 500;

/** How many parts one modification changes: all of them are written by one commit. */
const TOUCHED_MAX = 1_000;

const tooMany = (instanceId: string) =>
  limitExceeded(
    `expected a modification to reach at most ${TOUCHED_MAX} of the tokens that process instance '${instanceId}' has in large scopes, but it would reach more; name activity instances, or what holds them all`,
    { reason: 'modification_too_large', resourceId: instanceId },
  );

/** Where the tokens are that the instructions look for, as far as these are in large scopes. @throws BAD_REQUEST (an unknown element), LIMIT_EXCEEDED */
export function touchedBy(
  state: State,
  { id: instanceId, state: here }: ProcessInstance,
  program: Program,
  instructions: readonly Instruction[],
): Path[] {
  const { elements, isAll, ...asked } = soughtBy(program, instructions);
  const found = findNumbered(state, { id: instanceId, state: here }, asked.numbers);
  const sought: Sought = { elements, isAll, numbers: found.left };
  const scopes = [...(largeScopes(here)?.values() ?? [])].filter(({ abandoned }) => abandoned === undefined);
  const paths = found.paths;
  for (const scope of scopes) {
    const parts = mayHold(program, scope, sought) ? partsOf(state, instanceId, scope.id) : [];
    for (const part of parts) {
      if (isTouched(part, sought)) paths.push(part.within);
      if (paths.length > TOUCHED_MAX) throw tooMany(instanceId);
      // It may hold large scopes of its own.
      scopes.push(...part.scopes.filter(({ size }) => size !== undefined));
    }
  }
  return paths;
}

/** Those of the numbers that need not be looked for: they are here, or the part is known by its token, which comes just before its scope where it is one of many. */
function findNumbered(
  state: State,
  { id, state: here }: Pick<ProcessInstance, 'id' | 'state'>,
  numbers: ReadonlySet<number>,
): { readonly paths: Path[]; readonly left: ReadonlySet<number> } {
  const paths: Path[] = [];
  const left = new Set<number>();
  for (const number of numbers) {
    const sought: Sought = { elements: new Set(), numbers: new Set([number]), isAll: false };
    if (isTouched(here, sought)) continue;
    const parts = [number, number - 1].flatMap((token) => state.get(instanceParts, partId(id, token)) ?? []);
    const part = parts.find((each) => isTouched(each, sought));
    if (part === undefined) left.add(number);
    else paths.push(part.within);
  }
  return { paths, left };
}

function soughtBy(program: Program, instructions: readonly Instruction[]): Sought {
  const elements = new Set<number>();
  const numbers = new Set<number>();
  for (const each of instructions) {
    if (each.type !== 'cancel') {
      for (const element of elementsAround(program, each)) elements.add(element);
      if (each.ancestor !== null) numbers.add(each.ancestor);
    } else if ('number' in each.what) numbers.add(each.what.number);
    else elements.add(elementNamed(program, each.what.activityId).element);
  }
  numbers.delete(0);
  // With the last one the process is left as a whole.
  const isAll = instructions
    .slice(0, -1)
    .some((each) => each.type === 'cancel' && 'number' in each.what && each.what.number === 0);
  return { elements, numbers, isAll };
}

/** The activities in which something begins, and those whose place it takes. */
function* elementsAround(program: Program, { type, id }: StartInstruction): Generator<number> {
  const isFlow = type === 'startTransition';
  const at = isFlow ? (program.flows[flowNamed(program, id)]?.source ?? 0) : elementNamed(program, id).element;
  const { attachedTo, loop } = program.elements[at] ?? {};
  if (attachedTo != null) yield attachedTo;
  if (loop !== undefined) yield at;
  for (let scope = parentOf(program, at); scope > 0; scope = parentOf(program, scope)) yield scope;
}

const parentOf = ({ elements }: Program, element: number): number => elements[element]?.parent ?? 0;

/** Whether tokens that are sought may be within the scope: what happens at its own element does not. */
function mayHold(program: Program, scope: Scope, { elements, numbers, isAll }: Sought): boolean {
  if (isAll || numbers.size > 0) return true;
  return [...elements].some((element) => {
    for (let at = parentOf(program, element); at >= 0; at = program.elements[at]?.parent ?? -1)
      if (at === scope.element) return true;
    return false;
  });
}

function isTouched(
  { tokens, scopes }: Pick<InstancePart, 'tokens' | 'scopes'>,
  { elements, numbers, isAll }: Sought,
): boolean {
  const isNumbered = ({ id, activity, opens }: Token) =>
    numbers.has(id) || (activity !== null && numbers.has(activity)) || (opens !== undefined && numbers.has(opens));
  return (
    isAll ||
    tokens.some((token) => elements.has(token.element) || isNumbered(token)) ||
    scopes.some(({ id }) => numbers.has(id))
  );
}

function* partsOf(state: State, instanceId: string, scope: number): Generator<InstancePart> {
  for (let after = ''; ; ) {
    const page = state.range(instanceParts, 'instance', [instanceId, scope, after], PAGE);
    const own = page.filter((part) => part.instanceId === instanceId && part.scope === scope && part.id !== after);
    yield* own;
    if (own.length === 0 || page.length < PAGE) return;
    after = own.at(-1)?.id ?? '';
  }
}
