import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instanceParts, jobs, runs, type Task, tasks } from '../../../src/engine/collections.js';
import { presentTask } from '../../../src/engine/run/present.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const SIZE = 104;
/** Other stories than the usual: `MILLRACE_FUZZ_SEED=4711 npm test -- test/engine/operation/random-migrations.test.ts`. */
const RUNS = {
  numRuns: Number(process.env.MILLRACE_FUZZ_RUNS ?? 2),
  seed: Number(process.env.MILLRACE_FUZZ_SEED ?? 1),
};

const multi = `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
const sub = (id: string, ids: readonly string[], body: string, loop = '') =>
  element('subProcess', id, {}, loop + line(ids, body).replaceAll(/"(start|end)/g, `"in-${id}-$1`));
const task = (id: string, loop = '') => element('userTask', id, {}, loop);
const [c, d, z] = [task('c'), task('d'), task('z')];
const a = element('task', 'a');
const m = element('task', 'm', { completionQuantity: String(SIZE) });
/** A message that ends the sub-process, behind which another task waits. */
const stopped = (id: string) =>
  element('boundaryEvent', 'stop', { attachedToRef: id }, '<bpmn:messageEventDefinition messageRef="halt"/>') +
  task('s') +
  flows('stop', 's');

/** Versions of a process, the elements at other positions in each. An instance begins by the first. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  'a loop in a sub-process': [
    line(['q', 'z'], sub('q', ['c'], task('c', multi)) + stopped('q') + z),
    line(['q', 'z'], z + sub('q', ['h'], sub('h', ['c'], task('c', multi)) + stopped('h'))),
    line(['q', 'd', 'z'], sub('q', ['h'], sub('h', ['c'], c)) + d + z + stopped('q')),
    line(['c', 'z'], z + c),
    line(['h', 'z'], z + sub('h', ['c'], c) + stopped('h')),
    line(['c', 'z'], task('c', multi) + z),
    line(['k', 'z'], z + sub('k', ['h', 'z2'], task('z2') + sub('h', ['c', 'd'], c + d)) + stopped('k')),
  ],
  'a sub-process of each that is taken away': [
    line(['g', 'z'], sub('g', ['h', 'd'], sub('h', ['c'], c) + d, multi) + z),
    line(['h', 'd', 'z'], z + d + sub('h', ['c'], c)),
    line(['g', 'z'], sub('g', ['c', 'd'], d + c) + z),
    line(['g', 'z'], z + sub('g', ['h', 'd'], sub('h', ['c'], c) + d, multi)),
    line(['c', 'd', 'z'], z + c + d),
    line(['k', 'z'], z + sub('k', ['h', 'd'], d + sub('h', ['c'], c)) + stopped('k')),
  ],
  'scopes within each of many': [
    line(['g', 'z'], sub('g', ['c', 'd'], c + d, multi) + z),
    line(['a', 'g', 'z'], a + sub('g', ['c', 'd'], c + d, multi) + z),
    line(['g', 'z'], z + sub('g', ['h', 'd'], sub('h', ['c'], c) + d, multi)),
    line(['g', 'z'], sub('g', ['h'], sub('h', ['c', 'd'], d + c), multi) + z),
    line(['o', 'z'], z + sub('o', ['g'], sub('g', ['c', 'd'], c + d, multi))),
  ],
  'a scope around so many of the process': [
    line(['m', 'c', 'd', 'z'], m + c + d + z),
    line(['m', 'h', 'z'], m + z + sub('h', ['c', 'd'], d + c)),
    line(['m', 'h', 'z'], m + sub('h', ['k', 'd'], sub('k', ['c'], c) + d) + z),
    line(['m', 'h', 'd', 'z'], m + z + d + sub('h', ['c'], c) + stopped('h')),
    line(['a', 'm', 'k', 'z'], m + z + a + sub('k', ['h'], sub('h', ['c', 'd'], d + c) + stopped('h'))),
  ],
  'a loop that is taken away': [
    line(['c', 'z'], task('c', multi) + z),
    line(['a', 'c', 'z'], a + task('c', multi) + z),
    line(['h', 'z'], z + sub('h', ['c'], task('c', multi)) + stopped('h')),
    line(['h', 'z'], sub('h', ['c', 'd'], d + c) + z + stopped('h')),
    line(['h', 'c', 'z'], sub('h', ['a'], a) + c + z),
    line(['k', 'z'], z + sub('k', ['h', 'z2'], task('z2') + sub('h', ['c'], c))),
  ],
};

type Step =
  | { readonly kind: 'complete'; readonly at: number }
  | { readonly kind: 'job' | 'stop' }
  | { readonly kind: 'cancel'; readonly activity: string }
  | { readonly kind: 'migrate'; readonly to: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('complete' as const), at: fc.nat(3 * SIZE) }), weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant('migrate' as const), to: fc.nat(6) }), weight: 4 },
  { arbitrary: fc.constant<Step>({ kind: 'job' }), weight: 3 },
  { arbitrary: fc.constant<Step>({ kind: 'stop' }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), activity: fc.constantFrom('c', 'd', 'h') }),
    weight: 1,
  },
);

/** The token of the task, or the one around it that stays the same in whatever scopes it is. */
const numberOf = ({ within, tokenId }: Task): number => within?.[0]?.[1] ?? tokenId;

/** An instance that is driven, and whose jobs are done at once, or when a step says so. */
class Driven {
  readonly engine = new EngineHarness();
  readonly versions: readonly string[];
  id = '';
  #deployed = 0;

  constructor(versions: readonly string[]) {
    this.versions = versions;
  }

  async start(): Promise<this> {
    await this.#deploy(0);
    this.id = await this.engine.start();
    await this.engine.settle();
    return this;
  }

  async take(step: Step): Promise<void> {
    if (this.ended) return;
    const { api } = this.engine;
    if (step.kind === 'complete')
      await this.#complete(
        step.at,
        // What follows all of them begins when all have followed.
        this.#open.filter(({ elementId }) => elementId === 'c' || elementId === 'd'),
      );
    if (step.kind === 'migrate') await this.#migrate(step.to % this.versions.length);
    if (step.kind === 'job') await this.#runJob();
    if (step.kind === 'stop') {
      const message = { processInstanceId: this.id, messageName: 'halt', variables: [] };
      await refusalOf(this.engine.run(api.correlateMessage, message as never, admin)).catch(() => '');
    }
    if (step.kind === 'cancel') {
      const instructions = [{ type: 'cancel' as const, activityId: step.activity }];
      const it = this.engine.run(api.modifyProcessInstance, { processInstanceId: this.id, instructions }, admin);
      await refusalOf(it).catch(() => '');
    }
  }

  /** Completes what is left, in the order of its tokens. */
  async finish(): Promise<void> {
    for (let n = 0; n < 4 * SIZE && !this.ended; n++) await this.#complete(n * 7, this.#open);
    await this.engine.settle();
  }

  get ended(): boolean {
    return this.engine.instance(this.id).endTime !== null;
  }

  /** Tasks that are shown, each by its activity and its token. */
  get open(): string[] {
    return this.#open.map((each) => `${each.elementId} ${numberOf(each)}`);
  }

  /** How many activity instances there were of each, and how many of them were cancelled. */
  get history(): object {
    const kept = this.engine.all(runs).sort((one, other) => one.n - other.n);
    const all = activityInstances(kept, (id) => this.engine.programs.of(this.engine.state(), id));
    const counts: Record<string, number> = {};
    for (const { activityId, canceled } of all)
      counts[`${activityId} ${canceled}`] = (counts[`${activityId} ${canceled}`] ?? 0) + 1;
    return Object.fromEntries(Object.entries(counts).sort());
  }

  assertSound(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
    for (const { id, size } of stored.scopes)
      if (size !== undefined)
        assert.equal(size, stored.tokens.filter(({ scope }) => scope === id).length, `size of ${id}`);
  }

  get #open(): Task[] {
    const state = this.engine.state(undefined, Number.MAX_SAFE_INTEGER);
    const shown = this.engine.all(tasks).filter((each) => presentTask(state, each) !== undefined);
    return shown.sort((one, other) => numberOf(one) - numberOf(other) || (one.elementId < other.elementId ? -1 : 1));
  }

  async #complete(at: number, open: readonly Task[]): Promise<void> {
    const one = open[at % open.length];
    if (one !== undefined) await this.engine.run(this.engine.api.completeTask, { taskId: one.id }, admin);
  }

  async #runJob(): Promise<void> {
    const next = this.engine.all(jobs).find((job) => job.immediate && job.actor.value === 'waiting');
    if (next !== undefined) await this.engine.runJob(next.id);
  }

  async #migrate(to: number): Promise<void> {
    const { definitionId: sourceProcessDefinitionId } = this.engine.instance(this.id);
    const targetProcessDefinitionId = await this.#deploy(to);
    const instructions = [{ sourceActivityIds: ['c'], targetActivityIds: ['c'] }];
    const input = { processInstanceId: this.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    const { migrateInstance } = this.engine.engine.jobs;
    const send = () =>
      refusalOf(this.engine.run(migrateInstance, { ...input, instructions }, supervisor)).catch(() => '');
    // The long job sends it again.
    if (!(await send()).startsWith('UNAVAILABLE')) return;
    await this.engine.settle();
    assert.doesNotMatch(await send(), /^UNAVAILABLE/);
  }

  async #deploy(at: number): Promise<string> {
    const content = bpmn(this.versions[at] ?? '', { root: '<bpmn:message id="halt" name="halt"/>' });
    const [id = ''] = await this.engine.deploy(content, `v${++this.#deployed}`);
    return id;
  }
}

describe('migrations of what is stored apart, one after the other', () => {
  for (const [name, versions] of Object.entries(FAMILIES)) {
    it(`come to the same whenever it follows them: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 10 }), async (steps) => {
          const both = [await new Driven(versions).start(), await new Driven(versions).start()] as const;
          const [atOnce, later] = both;
          for (const step of steps) {
            for (const it of both) {
              await it.take(step);
              if (it === atOnce) await it.engine.settle();
              it.assertSound();
            }
          }
          await later.engine.settle();
          assert.deepEqual(later.open, atOnce.open);
          for (const it of both) {
            await it.finish();
            it.assertSound();
            assert.deepEqual([it.ended, it.engine.all(instanceParts).length], [true, 0]);
          }
          // A scope may have begun for what was to be cancelled.
          if (!steps.some(({ kind }) => kind === 'cancel')) assert.deepEqual(later.history, atOnce.history);
        }),
        RUNS,
      );
    }).timeout(120_000);
  }
});
