import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { systemCaller } from '../../../src/store/index.js';
import { ACTORS } from './actors.js';
import { Identities } from './identities.js';
import { type ModelEntry, type ModelNode, type ModelProperty, pathOf, World } from './model-tree.js';
import type { Expected } from './rules.js';
import type { ReferenceTo, Step } from './step.js';
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

  async take({ kind, actor, input }: Step): Promise<void> {
    const caller = ACTORS[actor];
    if (caller === undefined) throw new Error(`there is no actor ${actor}`);
    const resolved = this.#resolved(input);
    const expected = kindOf(kind).apply(this.world, input, caller);
    if (kind === WAIT) return this.subject.wait((input as { readonly ms: number }).ms);
    const outcome = await this.#outcome(kind, resolved, caller);
    assert.ok(isAsExpected(expected, outcome), `${told(outcome)}, but expected ${toldExpected(expected)}`);
    if ('refused' in outcome || 'codes' in expected) return;
    this.#identify();
    this.#compareAnswer(expected.answer, outcome.answer);
  }

  async #outcome(kind: string, input: unknown, caller: Caller): Promise<Outcome> {
    try {
      return { answer: await this.subject.send(kind, input, caller) };
    } catch (thrown) {
      if (thrown instanceof ServiceError) return { refused: thrown };
      throw thrown;
    }
  }

  #compareAnswer(expected: Extract<Expected, { answer: unknown }>['answer'], answer: unknown): void {
    if (expected === 'version') return assert.ok((answer as { versionId?: string }).versionId);
    if (typeof expected === 'boolean') return assert.equal(answer, expected);
    const { nodeId, errors = [] } = answer as { nodeId: string; errors?: { propertyName: string }[] };
    const node = 'node' in expected ? expected.node : expected;
    const wrong = 'errors' in expected ? expected.errors : [];
    assert.equal(nodeId, this.identities.of(node), `the answer is another node than ${pathOf(node)}`);
    assert.deepEqual(new Set(errors.map(({ propertyName }) => propertyName)), new Set(wrong));
  }

  /** New nodes of the model get the identifiers that the repository gave them. */
  #identify(): void {
    if (this.world.fresh.length === 0) return;
    const view = this.subject.view(SYSTEM);
    for (const node of this.world.fresh) {
      const there = view.at(pathOf(node));
      assert.ok(there, `expected a node at ${pathOf(node)}`);
      this.identities.bind(node, there.id);
    }
    this.world.fresh = [];
  }

  /** The input with identifiers in place of references. */
  #resolved(input: unknown): unknown {
    if (Array.isArray(input)) return input.map((one) => this.#resolved(one));
    if (typeof input !== 'object' || input === null) return input;
    if ('$to' in input) return this.identities.of(this.world.at((input as ReferenceTo).$to));
    return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, this.#resolved(value)]));
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
