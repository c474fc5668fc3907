import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { ACTORS } from './actors.js';
import { Identities } from './identities.js';
import { seen } from './model-rights.js';
import { isThere, type ModelEntry, type ModelNode, type ModelProperty, pathOf, World } from './model-tree.js';
import { isPath } from './places.js';
import type { Answer, Expected } from './rules.js';
import { type ReferenceTo, type RevisionOf, type Step, targetOf, type VersionOf } from './step.js';
import { kindOf, WAIT } from './steps.js';
import { BEGUN, type Subject } from './subject.js';

/** What a step came to: an answer, or a refusal. */
type Outcome = { readonly answer: unknown } | { readonly refused: ServiceError };

const SYSTEM = systemCaller('test');

/** The repository and the model, taking the same steps. What differs is thrown as an AssertionError. */
export class Lockstep {
  readonly subject: Subject;
  readonly world: World;
  readonly identities = new Identities();

  private constructor(subject: Subject, world: World) {
    this.subject = subject;
    this.world = world;
  }

  /** The model begins with what the repository has from its first start. */
  static begin(subject: Subject): Lockstep {
    const stored = subject.stored();
    const root = stored.find(({ parent }) => parent === null);
    if (root === undefined) throw new Error('expected a root');
    const world = new World(BEGUN, { ...takenOver(root) });
    const all = new Lockstep(subject, world);
    const below = (id: string, parent: ModelNode): void => {
      for (const node of stored.filter((one) => one.parent === id)) {
        const made = world.add(parent, takenOver(node));
        below(node.id, made);
      }
    };
    below(root.id, world.root);
    all.#identify();
    return all;
  }

  async take(step: Step): Promise<void> {
    const { kind, actor, input, shows } = step;
    const acting = ACTORS[actor];
    if (acting === undefined) throw new Error(`there is no actor ${actor}`);
    const [caller, modelCaller] = this.#showing(acting, shows);
    const resolved = this.#resolved(input, caller);
    const said = this.#expected(step, modelCaller);
    if (kind === WAIT) return this.subject.wait((input as { readonly ms: number }).ms);
    const outcome = await this.#outcome(kind, resolved, caller);
    const expected = 'answer' in outcome && 'codes' in said ? (said.otherwise?.() ?? said) : said;
    assert.ok(isAsExpected(expected, outcome), `${told(outcome)}, but expected ${toldExpected(expected)}`);
    if ('refused' in outcome || 'codes' in expected) return;
    this.#identify();
    this.#compareAnswers(expected.answer, outcome.answer);
  }

  async #outcome(kind: string, input: unknown, caller: Caller): Promise<Outcome> {
    try {
      return { answer: await this.subject.send(kind, input, caller) };
    } catch (thrown) {
      if (thrown instanceof ServiceError) return { refused: thrown };
      throw thrown;
    }
  }

  #compareAnswers(expected: Answer | readonly Answer[], answer: unknown): void {
    if (!Array.isArray(expected)) return this.#compareAnswer(expected as Answer, answer);
    const steps = answer as readonly { readonly answer: unknown }[];
    assert.equal(steps.length, expected.length);
    for (const [i, one] of (expected as readonly Answer[]).entries()) this.#compareAnswer(one, steps[i]?.answer);
  }

  #compareAnswer(expected: Answer, answer: unknown): void {
    if (expected === 'version') return assert.ok((answer as { versionId?: string }).versionId);
    if (typeof expected === 'boolean') return assert.equal(answer, expected);
    const { nodeId, errors = [] } = answer as { nodeId: string; errors?: { propertyName: string }[] };
    const node = 'node' in expected ? expected.node : expected;
    const wrong = 'errors' in expected ? expected.errors : [];
    // What came and went within a transaction was never found by its path.
    if (!isThere(this.world, node)) return;
    assert.equal(nodeId, this.identities.of(node), `the answer is another node than ${pathOf(node)}`);
    assert.deepEqual(new Set(errors.map(({ propertyName }) => propertyName)), new Set(wrong));
  }

  /** New nodes of the model get the identifiers that the repository gave them. */
  #identify(): void {
    if (this.world.fresh.length === 0) return;
    const view = this.subject.view(SYSTEM);
    for (const node of this.world.fresh) {
      if (!isThere(this.world, node)) continue;
      const there = view.at(pathOf(node));
      assert.ok(there, `expected a node at ${pathOf(node)}`);
      this.identities.bind(node, there.id);
    }
    this.world.fresh = [];
  }

  #versionName({ $version, of }: VersionOf): string {
    const names = this.subject.versionNamesOf(this.identities.of(this.world.at(of)));
    return names[$version] ?? 'nowhere';
  }

  /** The input with identifiers in place of references. */
  #resolved(input: unknown, caller: Caller): unknown {
    if (Array.isArray(input)) return input.map((one) => this.#resolved(one, caller));
    if (typeof input !== 'object' || input === null) return input;
    if ('$version' in input) return this.#versionName(input as VersionOf);
    if ('$to' in input || '$key' in input) return this.identities.of(targetOf(this.world, input as ReferenceTo));
    if ('$revision' in input) return this.#revision(input as RevisionOf, caller);
    return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, this.#resolved(value, caller)]));
  }

  /** The node's version as the caller sees it, or an older one. */
  #revision({ $revision: path, isStale }: RevisionOf, caller: Caller): number {
    const view = this.subject.view(caller);
    const node = isPath(path) ? view.at(path) : undefined;
    if (node === undefined) return 0;
    return Math.max(node.version, view.contentOf(node).version) - (isStale ? 1 : 0);
  }

  /** What the step must come to, done to the model. */
  #expected({ kind, input }: Step, caller: Caller): Expected {
    const { expectedVersion } = input as { readonly expectedVersion?: RevisionOf };
    const path = expectedVersion?.isStale === true ? expectedVersion.$revision : null;
    if (path === null || !isPath(path) || seen(this.world, path, caller) === undefined)
      return kindOf(kind).apply(this.world, input, caller);
    // Somebody has changed it since: refused, whatever else it is refused for.
    const otherwise = kindOf(kind).apply(this.world.clone(), input, caller);
    return { codes: new Set([...('codes' in otherwise ? otherwise.codes : []), 'CONFLICT']) };
  }

  /** The actor with the token that it shows: as the repository knows it, and as the model does. */
  #showing(caller: Caller, path: string | undefined): readonly [Caller, Caller] {
    const node = path === undefined ? undefined : this.world.at(path);
    if (node === undefined || node.lock === null) return [caller, caller];
    const token = this.subject.view(SYSTEM).get(this.identities.of(node))?.lock?.token;
    assert.ok(token, `${pathOf(node)} holds no lock`);
    return [
      { ...caller, lockTokens: [token] },
      { ...caller, lockTokens: [node.lock.token] },
    ];
  }
}

const isAsExpected = (expected: Expected, outcome: Outcome): boolean =>
  'codes' in expected
    ? 'refused' in outcome && (expected.codes as ReadonlySet<string>).has(outcome.refused.code)
    : 'answer' in outcome;

const told = (outcome: Outcome): string =>
  'refused' in outcome ? `${outcome.refused.code} (${outcome.refused.message})` : JSON.stringify(outcome.answer);

const toldExpected = (expected: Expected): string =>
  'codes' in expected ? [...expected.codes].join(' or ') : 'it to be done';

/** What the repository makes by itself at the first start is given. */
function takenOver(node: ContentNode) {
  const properties = Object.entries(node.properties).map(([name, property]): [string, ModelProperty] => [
    name,
    'values' in property
      ? { type: property.type, multiple: true, values: property.values }
      : { type: property.type, multiple: false, values: [property.value] },
  ]);
  return {
    name: node.name,
    type: node.type,
    mixins: [...node.mixins],
    acl: (node.acl ?? []).map((entry): ModelEntry => ({ ...entry })),
    properties: new Map(properties),
  };
}
