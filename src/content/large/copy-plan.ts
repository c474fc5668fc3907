import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import type { ContentNode } from '../tree/node.js';
import { answered, answersOf, asking, type Problem } from './large-work.js';

/** Asked with the kind `stageCopy`; answered with a {@link StagedCopy}. */
export interface CopyQuestion {
  /** The partition that is copied to. */
  readonly partition: string;
  /** Null: the source is in the same. */
  readonly sourceWorkspace: string | null;
  readonly sourcePath: string;
  readonly destPath: string;
  readonly name: string;
  readonly expectedVersion: number | null;
  /** Whether lists of the source come with it, as far as the caller may read them. */
  readonly withLists: boolean;
  /** ms, domain clock */
  readonly now: number;
}

/** A copy out of the tree: put where it belongs, it is there with all below it. */
export type StagedCopy =
  | { readonly rootId: string; readonly leavesLists: boolean; readonly problem: null }
  | { readonly problem: Problem };

export const STAGE_COPY = 'stageCopy';

/** How many nodes one commit stages: few enough for a decision to be short. */
export const STAGED_MAX = 250;

/** The staged copy, or the ask for it. */
export function stagedCopy(change: Change, question: CopyQuestion): StagedCopy | Asking {
  const text = JSON.stringify(question);
  const last = answersOf(change, STAGE_COPY, (asked) => JSON.stringify(asked) === text).at(-1);
  return last === undefined ? asking(STAGE_COPY, question) : answered<StagedCopy>(last);
}

/** Asked of the reader: which nodes are copied, and what changed since it was asked before. */
export interface PlanCopy {
  readonly partition: string;
  readonly path: string;
  readonly expectedVersion: number | null;
  /** What the last plan said; null: there is none. */
  readonly last: { readonly revision: number; readonly ids: string } | null;
  /** Whether types and namespaces are wanted: the copy goes to another workspace. */
  readonly isAbroad: boolean;
  readonly withLists: boolean;
  readonly seed: string;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** The nodes that are copied, as they were at a revision. Lists of identifiers are texts, one per line: they may be long. */
export interface CopyPlan {
  readonly revision: number;
  readonly problem: Problem | null;
  readonly sourceId: string;
  /** All, parents first. */
  readonly ids: string;
  /** Those that must be staged, or staged anew. */
  readonly changed: string;
  /** Those that are staged and must not be. */
  readonly gone: string;
  /** The copies of what changed, of the same revision, where those are few: with them all is as it was then. */
  readonly page: CopiedPage | null;
  /** Names of primary types and mixins. */
  readonly types: readonly string[];
  /** Registered namespaces by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
}

/** Asked of the reader: the copies of some nodes. */
export interface CopyPage {
  readonly partition: string;
  readonly sourceId: string;
  readonly ids: string;
  readonly withLists: boolean;
  readonly seed: string;
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** Copies to be staged. A page may end early; nodes that are gone are passed over. */
export interface CopiedPage {
  readonly copies: readonly ContentNode[];
  /** Whether one of them is without the access control list of its source. */
  readonly leavesLists: boolean;
  /** What they refer to by strong references outside of what is copied. */
  readonly targets: readonly string[];
  /** How many of the identifiers it is about. */
  readonly count: number;
}
