import { AssertionError } from 'node:assert/strict';
import { Random } from '../../support/random.js';
import { compareAll, compareSome, compareTrees } from './compare.js';
import { Lockstep } from './lockstep.js';
import type { Step } from './step.js';
import { someStep } from './steps.js';
import { Subject, type SubjectOptions } from './subject.js';

/** Below it everything happens. */
const LAB = '/content/lab';

/** What every history begins with: a place in which everybody may do everything. */
const OPENING: readonly Step[] = [
  { kind: 'createNode', actor: 0, input: { path: '/content', name: 'lab', nodeType: 'nt:unstructured' } },
  {
    kind: 'setAccessControl',
    actor: 0,
    input: { path: LAB, entries: [{ principal: 'everyone', privileges: ['jcr:all'], allow: true }] },
  },
];

/** How often all that is stored is looked at. */
const STEPS_PER_TREE = 50;

export interface Course {
  readonly seed: number;
  readonly steps: number;
  /** The repository ends and begins again after so many. */
  readonly stepsPerRestart: number;
}

/** What went wrong, and how to see it again. */
export class Difference extends Error {
  constructor({ seed }: Course, problem: Problem, steps: readonly Step[]) {
    const told = steps.map((step) => `  ${JSON.stringify(step)},`).join('\n');
    super(`seed ${seed}: ${problem.message}\nthe least steps that were found to lead there:\n[\n${told}\n]`);
    this.name = 'Difference';
  }
}

interface Problem {
  readonly message: string;
  /** How many steps were taken until then. */
  readonly steps: number;
}

/** Takes random steps on an empty repository. @throws {@link Difference}, with as few steps as were found to show it */
export async function live(course: Course, options: SubjectOptions): Promise<void> {
  const random = new Random(course.seed);
  const looking = new Random(course.seed + 1);
  const taken: Step[] = [];
  const problem = await run(options, async (at) => {
    while (taken.length < course.steps) {
      const step = OPENING[taken.length] ?? someStep(random, at.world, LAB);
      taken.push(step);
      await at.take(step);
      compareSome(at, looking);
      if (taken.length % STEPS_PER_TREE === 0) compareTrees(at);
      if (taken.length % course.stepsPerRestart === 0) await at.subject.reopen();
    }
    compareAll(at);
  });
  if (problem !== undefined) throw new Difference(course, problem, await shrunk(taken, options));
}

/** Takes given steps, and looks at everything after each. */
export async function replay(steps: readonly Step[], options: SubjectOptions): Promise<void> {
  const problem = await replayed(steps, options);
  if (problem !== undefined) throw new Error(problem.message);
}

const replayed = (steps: readonly Step[], options: SubjectOptions): Promise<Problem | undefined> =>
  run(options, async (at, count) => {
    for (const step of steps) {
      count();
      await at.take(step);
      compareTrees(at);
    }
    compareAll(at);
  });

async function run(
  options: SubjectOptions,
  steps: (at: Lockstep, count: () => void) => Promise<void>,
): Promise<Problem | undefined> {
  const subject = new Subject(options);
  await subject.open();
  let taken = 0;
  try {
    await steps(Lockstep.begin(subject), () => taken++);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof AssertionError)) throw thrown;
    return { message: thrown.message, steps: taken };
  } finally {
    await subject.close();
  }
}

/** How often steps are taken again, to find out which of them matter. */
const REPLAYS_MAX = 600;

/** The steps without those that change nothing about it, in memory; all of them where it is not seen there. */
async function shrunk(steps: readonly Step[], { scratch }: SubjectOptions): Promise<readonly Step[]> {
  const options = { scratch, folder: null };
  const first = await replayed(steps, options);
  if (first === undefined) return steps;
  let left = steps.slice(0, first.steps);
  let replays = 0;
  for (let size = Math.ceil(left.length / 2), isDone = false; !isDone && replays < REPLAYS_MAX; ) {
    const before = left.length;
    for (
      let at = left.length - size;
      at > -size && replays < REPLAYS_MAX;
      at = Math.min(at, left.length) - size, replays++
    ) {
      const fewer = [...left.slice(0, Math.max(at, 0)), ...left.slice(at + size)];
      const problem = await replayed(fewer, options);
      if (problem !== undefined) left = fewer.slice(0, problem.steps);
    }
    isDone = size === 1 && left.length === before;
    size = Math.ceil(size / 2);
  }
  return left;
}
