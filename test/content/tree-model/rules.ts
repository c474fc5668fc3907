import type { Caller } from '../../../src/shared/caller.js';
import { isLockedFor } from './model-locks.js';
import { privilegesAt } from './model-rights.js';
import { chainOf, type ModelNode, type World } from './model-tree.js';

export type Code = 'BAD_REQUEST' | 'FORBIDDEN' | 'ALREADY_EXISTS' | 'CONFLICT' | 'UNAVAILABLE' | 'NOT_FOUND';

/** What a step must come to: a refusal for one of the reasons, or an answer. */
export type Expected =
  | {
      readonly codes: ReadonlySet<Code>;
      /** Where it may as well be done, as what decides it is not in the model: does it. */
      readonly otherwise?: () => Expected;
    }
  | { readonly answer: Answer | readonly Answer[] };

export type Answer = ModelNode | boolean | 'version' | PropertyErrors;

/** The properties that could not be set; with any, nothing was changed. */
export interface PropertyErrors {
  readonly node: ModelNode;
  readonly errors: readonly string[];
}

/** There is nothing there as far as the caller may know. */
export const NOT_FOUND: Expected = { codes: new Set(['BAD_REQUEST']) };

/**
 * The rules that a step breaks, all of them: which one is told of is the repository's choice, but for one. Whoever may not write there must not
 * learn from the refusal which names are taken.
 */
export class Rules {
  readonly #world: World;
  readonly #caller: Caller;
  readonly #codes = new Set<Code>();

  constructor(world: World, caller: Caller) {
    this.#world = world;
    this.#caller = caller;
  }

  that(holds: boolean, code: Code): this {
    if (!holds) this.#codes.add(code);
    return this;
  }

  granted(node: ModelNode, ...privileges: string[]): this {
    const all = privilegesAt(node, this.#caller);
    return this.that(
      privileges.every((one) => all.has(one)),
      'FORBIDDEN',
    );
  }

  unlocked(node: ModelNode): this {
    return this.that(!isLockedFor(node, this.#caller, this.#world.now), 'CONFLICT');
  }

  /** Properties, mixins or children of the node may change. */
  changeable(node: ModelNode): this {
    const versionable = chainOf(node).findLast(({ versioning }) => versioning !== null);
    return this.unlocked(node).that(versionable?.versioning?.checkedOut !== false, 'CONFLICT');
  }

  /** The refusal; undefined: no rule is broken. */
  get refusal(): Expected | undefined {
    if (this.#codes.size === 0) return undefined;
    const codes = new Set(this.#codes);
    if (codes.has('FORBIDDEN')) codes.delete('ALREADY_EXISTS');
    return { codes };
  }
}
