import type { Caller } from '../../../src/shared/caller.js';
import type { Random } from '../../support/random.js';
import type { ModelNode, World } from './model-tree.js';
import type { Expected } from './rules.js';

/** One call: plain JSON, so that it can be printed and done again. */
export interface Step {
  /** The name of its kind: that of the operation. */
  readonly kind: string;
  /** Which of the actors. */
  readonly actor: number;
  /** The operation's input; of references: {@link ReferenceTo}. */
  readonly input: unknown;
  /** The actor shows the token of the lock that the node at the path holds. */
  readonly shows?: string;
}

/** A reference in a step's input: to whatever is at the path when the step is taken, or to the node with the key in the model. */
export type ReferenceTo = { readonly $to: string } | { readonly $key: number };

/** The name of a version in a step's input, by its number among the versions of whatever is at the path then. */
export interface VersionOf {
  readonly $version: number;
  readonly of: string;
}

/** The version of a node in a step's input: the present one of whatever is at the path then, or an older one. */
export interface RevisionOf {
  readonly $revision: string;
  readonly isStale: boolean;
}

/** What a kind of steps is made from. */
export interface Chance {
  readonly random: Random;
  readonly world: World;
  readonly caller: Caller;
  /** Below it everything happens. */
  readonly lab: string;
}

/** A kind of steps: how they are made up, and what the rules say of them. */
// biome-ignore lint/suspicious/noExplicitAny: a table of kinds of any input
export interface StepKind<I = any> {
  /** How often, in relation to the others. */
  readonly weight: number;
  readonly make: (chance: Chance) => I;
  /** What must come of it, done to the model. */
  readonly apply: (world: World, input: I, caller: Caller) => Expected;
}

export const stepKind = <I>(kind: StepKind<I>): StepKind<I> => kind;

/** References in a model's properties: the target's key, or this where there is no target. */
export const NOWHERE = 0;

/** What a reference of an input leads to. */
export const targetOf = (world: World, to: ReferenceTo): ModelNode | undefined =>
  '$to' in to ? world.at(to.$to) : world.withKey(to.$key);
