import type { Caller } from '../../../../src/shared/caller.js';
import type { World } from '../model-tree.js';
import type { Answer, Expected } from '../rules.js';
import { type Chance, type StepKind, stepKind } from '../step.js';

/** An operation of a transaction. */
interface Part {
  readonly field: string;
  readonly input: unknown;
}

const PARTS_MAX = 4;

/**
 * Several of the other steps as one commit: all that are made up can be done one after the other, but perhaps the last one. `kinds`: those that a
 * transaction may have.
 */
export const contentTransaction = (kinds: Readonly<Record<string, StepKind>>): StepKind<readonly Part[]> =>
  stepKind<readonly Part[]>({
    weight: 4,
    make: (chance) => {
      const world = chance.world.clone();
      const lots = Object.entries(kinds).flatMap(([kind, { weight }]) => Array<string>(weight).fill(kind));
      const count = 1 + chance.random.below(PARTS_MAX);
      const parts: Part[] = [];
      while (parts.length < count) {
        const field = chance.random.pick(lots);
        const input = withKeys(kinds[field]?.make({ ...chance, world }), { ...chance, world }, chance.world);
        parts.push({ field, input });
        if (isRefused(kinds[field]?.apply(world, input, chance.caller))) break;
      }
      return parts;
    },
    apply: (world, parts, caller) => {
      const tried = done(kinds, { world: world.clone(), parts, caller });
      if ('answer' in tried) return done(kinds, { world, parts, caller });
      const { codes, otherwise } = tried;
      const isPerhaps = otherwise !== undefined && 'answer' in otherwise();
      return {
        codes,
        ...(isPerhaps && { otherwise: () => whole(done(kinds, { world, parts, caller })) }),
      };
    },
  });

const whole = (expected: Expected): Expected => ('codes' in expected ? (expected.otherwise?.() ?? expected) : expected);

const isRefused = (expected: Expected | undefined): boolean =>
  expected === undefined || 'codes' in expected || isWrong(expected.answer);

/** Whether there are properties that could not be set, which refuses a transaction. */
const isWrong = (answer: Answer | readonly Answer[]): boolean =>
  typeof answer === 'object' && 'errors' in answer && answer.errors.length > 0;

interface Doing {
  readonly world: World;
  readonly parts: readonly Part[];
  readonly caller: Caller;
}

/** All of it; what comes behind a part that is refused is not looked at. */
function done(kinds: Readonly<Record<string, StepKind>>, { world, parts, caller }: Doing): Expected {
  const answers: Answer[] = [];
  const take = (expected: Expected): Expected | undefined => {
    if ('codes' in expected) return expected;
    if (isWrong(expected.answer)) return { codes: new Set(['BAD_REQUEST']) };
    answers.push(expected.answer as Answer);
    return undefined;
  };
  for (const { field, input } of parts) {
    const expected = kinds[field]?.apply(world, input, caller) ?? { codes: new Set() };
    const refused = take(expected);
    if (refused === undefined) continue;
    if (!('otherwise' in refused) || refused.otherwise === undefined) return refused;
    const { codes, otherwise } = refused;
    return { codes, otherwise: () => take(otherwise()) ?? { answer: answers } };
  }
  return { answer: answers };
}

/** References lead to nodes whose identifiers are known before: by their keys, as paths change on the way. */
function withKeys(input: unknown, chance: Chance, before: World): unknown {
  if (Array.isArray(input)) return input.map((one) => withKeys(one, chance, before));
  if (typeof input !== 'object' || input === null) return input;
  if ('$to' in input) {
    const target = chance.world.at(String(input.$to));
    return target !== undefined && before.withKey(target.key) ? { $key: target.key } : { $to: '/nowhere' };
  }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, withKeys(value, chance, before)]));
}
