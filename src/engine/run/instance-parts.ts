import type { State } from '../../store/index.js';
import { type Away, type InstancePart, instanceParts, type NewJob, partId } from '../collections.js';
import type { InstanceState, Token } from '../element/instance-state.js';
import { isAbandoned, largeScopes, type Part, type Path } from '../element/large-scope.js';
import type { Migration } from '../element/move.js';

/** A part as it was when it was brought back: what is written is compared with it. */
export interface StoredPart {
  readonly within: Path;
  readonly text: string;
  /** The elements of its tokens, those around others left out. */
  readonly elements: readonly number[];
}

/** The parts on the paths, from outside in. */
export function partsOn(state: Pick<State, 'get'>, instanceId: string, paths: Iterable<Path>): InstancePart[] {
  const ids = new Set<string>();
  for (const path of paths) for (const [, token] of path) ids.add(partId(instanceId, token));
  return [...ids].flatMap((id) => state.get(instanceParts, id) ?? []);
}

/** `missed`: the migrations that it has not taken yet, while the instance counts it where they lead. */
export const storedPart = (
  { within, tokens, scopes, spilled }: InstancePart,
  missed: readonly Migration[] = [],
): StoredPart => ({
  within,
  text: textOf({ tokens, scopes, spilled }),
  elements: leavesOf(tokens).map((element) => missed.reduce((at, { elements }) => elements[at] ?? 0, element)),
});

/** How many tokens are away, by where a migration leads them. */
export const awayMoved = (away: Away, { elements }: Migration): Away =>
  mapValues(away, (counts) => {
    const moved: Record<string, number> = {};
    for (const [element, count] of Object.entries(counts)) {
      const to = elements[Number(element)] ?? 0;
      moved[to] = (moved[to] ?? 0) + count;
    }
    return moved;
  });

const mapValues = <V>(record: Readonly<Record<string, V>>, change: (value: V) => V): Record<string, V> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** What is compared of a part. */
export const textOf = ({ tokens, scopes, spilled }: Pick<InstancePart, 'tokens' | 'scopes' | 'spilled'>): string =>
  JSON.stringify([tokens, scopes, spilled]);

const leavesOf = (tokens: readonly Token[]): number[] =>
  tokens.flatMap(({ wait, element }) => (wait?.kind === 'scope' ? [] : [element]));

/** How many tokens are away, when these parts took the place of those. Undefined: none is. */
export function awayAfter(
  state: InstanceState,
  before: Away | undefined,
  gone: Iterable<StoredPart>,
  come: Iterable<Part>,
): Away | undefined {
  const counts = new Map(Object.entries(before ?? {}).map(([scope, away]) => [scope, { ...away }]));
  const add = (within: Path, elements: readonly number[], by: number) => {
    const scope = String(within[0]?.[0]);
    const away = counts.get(scope) ?? {};
    for (const element of elements) away[element] = (away[element] ?? 0) + by;
    counts.set(scope, away);
  };
  for (const { within, elements } of gone) add(within, elements, -1);
  for (const { within, tokens } of come) add(within, leavesOf(tokens), 1);
  const alive = largeScopes(state);
  const left = [...counts].flatMap(([scope, away]) => {
    const one = alive?.get(Number(scope));
    const some = Object.entries(away).filter(([, count]) => count > 0);
    return one === undefined || one.abandoned !== undefined || some.length === 0
      ? []
      : [[scope, Object.fromEntries(some)]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Whether what has this path was left behind: it is there only until it is cleared away. */
export const isLeft = (
  instance: { readonly state: Pick<InstanceState, 'scopes'>; readonly endTime: number | null },
  within: Path | undefined,
): boolean => within !== undefined && (instance.endTime !== null || isAbandoned(instance.state, within));

/** Where the token is that waits for the job, if it is in a large scope. */
export const pathOfJob = ({ input }: Pick<NewJob, 'input'>): Path | undefined =>
  (input as { readonly within?: Path } | null)?.within;
