import { ServiceError, unavailable } from '../../shared/errors.js';
import {
  completedLongJob,
  type JobAttempt,
  type LongJobOutcome,
  type Operation,
  remove,
  steppedOperation,
} from '../../store/index.js';
import { attachStaged, beingMade, protectedNames, stagedNode } from '../large/staging.js';
import { parentAt } from '../tree/add-node.js';
import { Change } from '../tree/change.js';
import { detachedTrees } from '../tree/detached.js';
import { type AccessEntry, type ContentNode, nodes } from '../tree/node.js';
import { typeStamps } from '../tree/stored-types.js';

/** A staged node that comes into the tree, with all that lies below it. */
export interface AttachedNode {
  readonly id: string;
  readonly name: string;
  /** Null: the destination. */
  readonly parentId: string | null;
}

/** A node that is changed to what the archive has. */
export interface OverwrittenNode {
  readonly id: string;
  readonly type: string;
  readonly mixins: readonly string[];
  readonly properties: ContentNode['properties'];
  readonly acl: readonly AccessEntry[] | null;
  /** Whether these are all its properties; else those that are not named stay. */
  readonly isWhole: boolean;
}

/** Input of `publishImport`: the staged nodes of an import, and the changes of nodes that were there, which become visible together. */
export interface PublishImport extends JobAttempt {
  /** Null: nothing was staged. */
  readonly holderId: string | null;
  readonly destinationPath: string;
  /** The registration of node types that the nodes were checked against; null: there was none. */
  readonly typeStamp: string | null;
  readonly attached: readonly AttachedNode[];
  readonly overwritten: readonly OverwrittenNode[];
  /** Whether access control lists come with them. */
  readonly setsAccess: boolean;
  readonly outcome: LongJobOutcome;
}

/** How many nodes one publishing may change: each is read, with what is above it. */
export const PUBLISHED_MAX = 10_000;
/** The folders on the way, what held the nodes, the job. */
const OWN_WRITES = 500;

/**
 * Makes a staged import visible, and completes its job, by one commit; node by node, as the main thread is not to be held for all of them.
 * @throws FORBIDDEN, CONFLICT (locked, checked in; the job's abort was asked), ALREADY_EXISTS, BAD_REQUEST (the types do not allow it),
 * UNAVAILABLE (what was checked has changed meanwhile)
 */
export const publishImport: Operation<PublishImport, null> = {
  ...steppedOperation('publishImport', function* (state, input: PublishImport, { caller }) {
    const change = new Change(state, caller);
    if ((state.get(typeStamps, 'types')?.stamp ?? null) !== input.typeStamp)
      throw unavailable('expected the node types to stay as they are, but they have changed meanwhile; try again', {
        reason: 'types_changed',
      });
    if (input.holderId !== null) beingMade(change.draft, input.holderId, 'import');
    const destination = parentAt(change, input.destinationPath, {});
    const parents = new Parents(change, input, destination);
    for (const one of input.attached) {
      const staged = stagedNode(change, one.id, 'import');
      attachStaged(change, parents.of(one.parentId), { ...staged, name: one.name });
      yield;
    }
    for (const one of input.overwritten) {
      overwrite(change, one);
      yield;
    }
    const { write = [], ...decided } = yield* change.decisionSteps(null);
    const { holderId, jobId, attempt, outcome } = input;
    const ended = completedLongJob(state, { jobId, attempt }, outcome);
    // What is published holds nothing together any more.
    const held = holderId === null ? [] : [remove(nodes, holderId), remove(detachedTrees, holderId)];
    return {
      ...decided,
      write: [...write, ...held, ...ended.write],
      events: [...(decided.events ?? []), ...ended.events],
    };
  }),
  limits: { reads: 10 * PUBLISHED_MAX, writes: PUBLISHED_MAX + OWN_WRITES },
};

/** The nodes that others come below, each asked once whether the caller may add to it. */
class Parents {
  readonly #change: Change;
  readonly #destination: ContentNode;
  readonly #setsAccess: boolean;
  readonly #known = new Map<string, ContentNode>();

  constructor(change: Change, { setsAccess }: PublishImport, destination: ContentNode) {
    this.#change = change;
    this.#destination = destination;
    this.#setsAccess = setsAccess;
  }

  of(id: string | null): ContentNode {
    const key = id ?? this.#destination.id;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const change = this.#change;
    const parent = id === null ? this.#destination : change.tree.get(id);
    if (parent === undefined || !change.access.canRead(parent)) throw changedMeanwhile(key);
    change.require(parent, 'jcr:addChildNodes');
    if (this.#setsAccess) change.require(parent, 'jcr:modifyAccessControl');
    this.#known.set(key, parent);
    return parent;
  }
}

function overwrite(change: Change, made: OverwrittenNode): void {
  const present = change.draft.get(nodes, made.id);
  if (present === undefined || present.type !== made.type || !change.access.canRead(present))
    throw changedMeanwhile(made.id);
  change.require(present, 'jcr:modifyProperties');
  if (made.acl !== null) change.require(present, 'jcr:modifyAccessControl');
  change.requireChangeable(present);
  const added = made.mixins.filter((mixin) => !change.types.isA(present, mixin));
  if (added.length > 0) change.require(present, 'jcr:nodeTypeManagement');
  const kept = made.isWhole ? change.types.of(present) : null;
  // What the repository itself keeps of the node is not the archive's to say.
  const stays = Object.entries(present.properties).filter(
    ([name, property]) => kept === null || kept.governing(name, property).some((definition) => definition.protected),
  );
  const node: ContentNode = {
    ...present,
    mixins: [...present.mixins, ...added],
    properties: { ...Object.fromEntries(stays), ...made.properties, ...beginningOf(present) },
    ...(made.acl !== null && { acl: made.acl }),
  };
  change.exempt(node.id, protectedNames(change.types, node));
  change.put(change.types.touched(change, node));
}

/** How a node came into being stays as it is. */
const beginningOf = ({ properties }: ContentNode) =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => BEGINNING.has(name)));

const BEGINNING: ReadonlySet<string> = new Set(['jcr:created', 'jcr:createdBy', 'jcr:uuid']);

const changedMeanwhile = (id: string) =>
  new ServiceError(
    'UNAVAILABLE',
    `expected node '${id}' to be as it was when it was looked at, but it changed meanwhile`,
    {
      reason: 'tree_busy',
      resourceId: id,
    },
  );
