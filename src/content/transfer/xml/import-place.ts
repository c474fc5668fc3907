import { badRequest, limitExceeded, refuse, ServiceError, unavailable } from '../../../shared/errors.js';
import { requireGoing } from '../../large/delete-node.js';
import { requireRoomFor } from '../../tree/add-node.js';
import type { Change } from '../../tree/change.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { unreferencedSteps } from '../../tree/references.js';
import { subtreeSteps } from '../../tree/subtree.js';
import type { EffectiveType } from '../../type/effective-type.js';
import { forgetHistories } from '../../version/version-history.js';

/** Behavior where an identifier of the XML is that of a node (JCR 2.0 §11.8.1). */
export type UuidBehavior = 'CREATE_NEW' | 'REMOVE_EXISTING' | 'REPLACE_EXISTING' | 'THROW';

/** A node of the XML to be put into the tree. */
export interface Placing {
  readonly name: string;
  readonly type: string | null;
  readonly mixins: readonly string[];
  readonly uuid: string | null;
}

/** How many nodes one decision makes itself. More are staged. */
export const DIRECT_MAX = 150;
/** The same where nodes that are there have to give way, which what is staged cannot make them do. */
export const REPLACING_MAX = 5_000;
/** How many nodes below one that gives way. */
const REMOVED_MAX = 5_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Puts the nodes of one import into the tree, as far as places and identifiers go: their properties come when all are there. */
export class ImportPlaces {
  readonly #change: Change;
  readonly #behavior: UuidBehavior;
  /** Where all of it goes. */
  readonly #target: ContentNode;
  readonly #staged: ((id: string) => boolean) | null;
  readonly #placed = new Set<string>();
  readonly #removed: ContentNode[] = [];

  /** `staged`: which nodes of the same import are there already, where it is staged; null: all of it is one decision. */
  constructor(
    change: Change,
    { target, behavior }: { readonly target: ContentNode; readonly behavior: UuidBehavior },
    staged: ((id: string) => boolean) | null = null,
  ) {
    this.#change = change;
    this.#target = target;
    this.#behavior = behavior;
    this.#staged = staged;
  }

  /** How many nodes gave way, those below them left out. */
  replaced = 0;

  /**
   * The node; undefined: its parent's type creates it by itself, and protects it.
   * @throws FORBIDDEN; CONFLICT (locked, checked in, in the way); ALREADY_EXISTS; BAD_REQUEST (the types do not allow it)
   */
  *place(parent: ContentNode, placing: Placing): Generator<void, ContentNode | undefined, void> {
    if (this.#isOwn(parent.id) && this.#isCreated(parent, placing)) return undefined;
    const uuid = this.#isIdentified(parent, placing) ? placing.uuid : null;
    const existing = uuid === null ? undefined : yield* this.#giveWay(uuid);
    const isInPlace = this.#behavior === 'REPLACE_EXISTING' && existing !== undefined;
    const above = isInPlace ? this.#change.tree.parentOf(existing) : parent;
    return this.#put(above ?? parent, placing, { id: uuid, order: isInPlace ? existing.order : null });
  }

  /** Once all is placed. @throws CONFLICT something refers to a node that gave way and did not come again */
  *forgetRemoved(): Generator<void, void, void> {
    const gone = this.#removed.filter(({ id }) => this.#change.draft.get(nodes, id) === undefined);
    if (!(yield* unreferencedSteps(this.#change, gone)))
      throw tooMuch('has too many references', this.#change.nameOf(this.#target));
    forgetHistories(this.#change, gone);
  }

  /** Whether the type of the parent creates the node when that is filled, and lets nobody else make it. */
  #isCreated(parent: ContentNode, placing: Placing): boolean {
    const effective = this.#typeBelow(parent, placing);
    const definition = effective && this.#change.types.of(parent).childDefinition(placing.name, effective);
    return definition?.protected === true && definition.autoCreated;
  }

  /** Undefined: none is told. */
  #typeBelow(parent: ContentNode, { name, type, mixins }: Placing): EffectiveType | undefined {
    const { types } = this.#change;
    const known = type ?? types.of(parent).defaultChildType(name);
    return known === null ? undefined : types.of({ type: known, mixins });
  }

  /** Whether the node keeps the identifier that the XML says. */
  #isIdentified(parent: ContentNode, placing: Placing): boolean {
    const { uuid } = placing;
    if (uuid === null || this.#behavior === 'CREATE_NEW') return false;
    if (this.#typeBelow(parent, placing)?.isA('mix:referenceable') !== true) return false;
    if (UUID.test(uuid)) return true;
    throw badRequest(`expected jcr:uuid to be a UUID in lower case, but found '${uuid.slice(0, 60)}'`, {
      reason: 'invalid_uuid',
    });
  }

  /** The node that had the identifier, out of the tree now; undefined: there was none. */
  *#giveWay(uuid: string): Generator<void, ContentNode | undefined, void> {
    const existing = this.#change.tree.get(uuid);
    if (existing === undefined) return undefined;
    if (this.#isOwn(uuid)) throw badRequest(`expected each jcr:uuid once, but found '${uuid}' again`);
    if (this.#change.tree.chainOf(existing) === undefined) throw onItsWay(uuid);
    if (this.#behavior === 'THROW') throw taken(uuid);
    if (this.#change.tree.isWithin(this.#target, uuid)) throw inTheWay(uuid);
    if (this.#staged !== null) throw replacesTooMany(uuid);
    yield* this.#remove(existing);
    this.replaced++;
    return existing;
  }

  /** Whether the node is of this import. */
  #isOwn(id: string): boolean {
    return this.#placed.has(id) || this.#staged?.(id) === true;
  }

  *#remove(existing: ContentNode): Generator<void, void, void> {
    const change = this.#change;
    const parent = change.tree.parentOf(existing) ?? refuse(inTheWay(existing.id));
    change.require(parent, 'jcr:removeChildNodes');
    change.requireOpenFor(parent, existing);
    change.types.requireRemovable(change, existing);
    const all = yield* subtreeSteps(change, existing, REMOVED_MAX);
    if (all === undefined) throw tooMuch('has too many nodes below it', change.nameOf(existing));
    if (all.some(({ id }) => this.#placed.has(id))) throw inTheWay(existing.id);
    for (const one of all) {
      requireGoing(change, one);
      yield;
    }
    for (const one of all) change.remove(one);
    this.#removed.push(...all);
  }

  #put(
    parent: ContentNode,
    placing: Placing,
    { id, order }: { readonly id: string | null; readonly order: string | null },
  ) {
    const change = this.#change;
    const { name, mixins } = placing;
    if (!this.#isOwn(parent.id)) {
      change.require(parent, 'jcr:addChildNodes');
      change.requireOpenFor(parent, placing);
    }
    const { type, sns } = change.types.childOf(change, parent, { name, type: placing.type, mixins });
    requireRoomFor(change, parent, { name, sns });
    const made: ContentNode = {
      id: id ?? change.draft.ids.next(),
      parent: parent.id,
      name,
      order: order ?? change.lastKey(parent, sns),
      ...(sns && { sns }),
      type,
      mixins,
      properties: {},
      version: 0,
    };
    this.#placed.add(made.id);
    return change.put(made);
  }
}

const taken = (uuid: string) =>
  new ServiceError('ALREADY_EXISTS', `expected no node with the identifier '${uuid}', but there is one`, {
    reason: 'identifier_taken',
    resourceId: uuid,
  });

/** Whoever has it is out of the tree: a moment later it is free, or in the tree. */
const onItsWay = (uuid: string) =>
  unavailable(
    `expected the identifier '${uuid}' to be free, but it belongs to a node that is just being made or removed; try again`,
    { reason: 'identifier_in_transit', resourceId: uuid },
  );

const replacesTooMany = (uuid: string) =>
  limitExceeded(
    `expected an import of more than ${REPLACING_MAX} nodes to replace none that is there, but there is one with the identifier '${uuid}': delete it first, or import the XML in parts`,
    { reason: 'replaces_too_many', resourceId: uuid },
  );

const inTheWay = (uuid: string) =>
  new ServiceError(
    'CONFLICT',
    `expected the node '${uuid}' to make room, but it is part of what is imported, or lies above it`,
    { reason: 'identifier_in_use', resourceId: uuid },
  );

const tooMuch = (why: string, what: string) =>
  limitExceeded(`expected ${what} to be replaced in one step, but it ${why}: delete it first`, {
    reason: 'subtree_too_large',
  });
