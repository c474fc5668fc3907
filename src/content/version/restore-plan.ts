import { ServiceError, unavailable } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { type Whereabout, Whereabouts } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { strongTargets } from '../tree/references.js';
import type { Types } from '../tree/types.js';
import { type FrozenContent, frozenContent, versionLost } from './frozen-tree.js';
import { KEPT, madeNode, type Place, type RestoredNode, restoredHolder, restoredProperties } from './restored-node.js';
import { type FrozenEntry, frozenNodeId, frozenNodes, type Version, versions } from './version.js';
import { historyOf } from './version-history.js';

/** Steps of a restore (JCR 2.0 §15.7); what is there already as it was frozen is left alone. */
export interface RestorePlan {
  /** Parents first. */
  readonly write: readonly RestoredNode[];
  /** Versionable children that stay as they are, but are put in their place. */
  readonly adopt: readonly (Place & { readonly id: string; readonly isTaken: boolean })[];
  /** Nodes that go, each with all below it that is not restored. */
  readonly remove: readonly string[];
  /** Nodes that were made out of the tree and are put in their place, each with all below it. */
  readonly attach: readonly (Place & { readonly id: string })[];
}

/** A node that is gone and is to be made out of the tree. */
export interface MissingNode extends RestoredNode {
  /** Whether the node above it is there already. */
  readonly isTop: boolean;
}

/** Nodes that are made out of the tree before a restore. */
export interface RestoreStage {
  /** Parents first. */
  readonly missing: readonly MissingNode[];
  /** What the nodes that are made already refer to by strong references and is not restored. */
  readonly targets: readonly string[];
}

/** State and types that a restore is planned on. */
interface RestoreScene {
  readonly state: Pick<State, 'get' | 'find'>;
  readonly types: Types;
  /** Whether nodes that are gone are made out of the tree first. Else the restore writes all by itself. */
  readonly isStaged: boolean;
}

/**
 * Plans how the node is brought back to the version, whose existing children give way as their on-parent-version says.
 * @throws UNAVAILABLE a node that is gone is being made by somebody else; CONFLICT a child that is gone has no version
 */
export function planRestore(scene: RestoreScene, node: ContentNode, version: Version): RestorePlan & RestoreStage {
  const plan = new Planning(scene, node, version);
  return plan.run();
}

class Planning {
  readonly #scene: RestoreScene;
  readonly #root: ContentNode;
  readonly #version: Version;
  readonly #write: RestoredNode[] = [];
  readonly #adopt: RestorePlan['adopt'][number][] = [];
  readonly #remove: string[] = [];
  readonly #whereabouts: Whereabouts;
  readonly #attach: RestorePlan['attach'][number][] = [];
  readonly #missing: MissingNode[] = [];
  /** Nodes that are made out of the tree, or will be. */
  readonly #made = new Set<string>();
  readonly #restored = new Set<string>();
  readonly #targets = new Set<string>();
  /** What has its place already: a node that several of the versions have is where the outermost of them has it. */
  readonly #placed = new Set<string>();
  /** Versionable children that are gone, and where they come back. */
  readonly #gone: { readonly entry: FrozenEntry; readonly place: Place }[] = [];

  constructor(scene: RestoreScene, root: ContentNode, version: Version) {
    this.#scene = scene;
    this.#root = root;
    this.#version = version;
    this.#whereabouts = new Whereabouts(scene.state, root.id, restoredHolder(root.id));
  }

  run(): RestorePlan & RestoreStage {
    const { parent, name, order, sns } = this.#root;
    this.#placed.add(this.#root.id);
    this.#history(this.#version, { parent, name, order, ...(sns && { sns }) });
    for (let next = this.#gone.shift(); next !== undefined; next = this.#gone.shift()) {
      this.#chained(next.entry, next.place);
    }
    const isLeft = (id: string) => !this.#restored.has(id);
    return {
      write: this.#write,
      adopt: this.#adopt,
      remove: this.#remove.filter(isLeft),
      attach: this.#attach,
      missing: this.#missing,
      targets: [...this.#targets].filter(isLeft),
    };
  }

  /** A node that has a history, with all that its version froze. */
  #history(version: Version, place: Place): void {
    const content = frozenContent(this.#scene.state, version.id) ?? versionLost();
    const root = content.entry(version.history) ?? versionLost();
    const frozen: Pending[] = [{ entry: root, place, baseVersion: version.id }];
    for (let next: Pending | undefined = frozen.pop(); next !== undefined; next = frozen.pop()) {
      frozen.push(...this.#node(content, next).reverse());
    }
  }

  /** Gives what comes below it. */
  #node(content: FrozenContent, { entry, place, baseVersion }: Pending): Pending[] {
    const existing = this.#scene.state.get(nodes, entry.id);
    const where = existing === undefined ? 'lost' : this.#whereabouts.of(existing);
    const { history } = content.tree;
    const base = baseVersion === undefined ? {} : { baseVersion };
    const restored = { entry, history, place, ...base, isTaken: where === 'elsewhere' };
    this.#restored.add(entry.id);
    if (this.#isMade(where, entry.id)) this.#make(restored, existing);
    else if (existing === undefined || !this.#isAsFrozen(existing, restored)) this.#write.push(restored);
    const children = entry.kind === 'node' ? content.children(entry.id) : [];
    if (existing !== undefined) this.#leaving(existing, { entry, children, isAll: where !== 'within' });
    return children.flatMap((child) => this.#child(entry, child));
  }

  /** Whether the node is one that is made out of the tree. @throws UNAVAILABLE somebody else does so */
  #isMade(where: Whereabout, id: string): boolean {
    if (where === 'foreign')
      throw unavailable('expected what is restored not to be restored or imported by somebody else; try again', {
        reason: 'tree_busy',
        resourceId: id,
      });
    return this.#scene.isStaged && (where === 'lost' || where === 'staged');
  }

  #make(restored: RestoredNode, existing: ContentNode | undefined): void {
    const { entry, place } = restored;
    const isTop = !this.#made.has(place.parent ?? '');
    this.#made.add(entry.id);
    if (existing === undefined || !this.#isAsMade(existing, restored, isTop)) {
      this.#missing.push({ ...restored, isTop });
      return;
    }
    if (isTop) this.#attach.push({ ...place, id: entry.id });
    for (const target of strongTargets(existing)) this.#targets.add(target);
  }

  #isAsMade({ version: _, ...existing }: ContentNode, restored: RestoredNode, isTop: boolean): boolean {
    const { state: reading, types } = this.#scene;
    const body = reading.get(frozenNodes, frozenNodeId(restored.history, restored.entry)) ?? versionLost();
    const holderId = isTop ? restoredHolder(this.#root.id) : null;
    const { version: __, ...made } = madeNode({ reading, types, body, holderId }, restored);
    return JSON.stringify(existing) === JSON.stringify(made);
  }

  /** Whether it is there as it was frozen: since then, or once more. */
  #isAsFrozen(existing: ContentNode, { entry, history, place, baseVersion }: RestoredNode): boolean {
    if (baseVersion !== undefined) return false;
    if (existing.parent !== place.parent) return false;
    if (existing.version === entry.body) return true;
    const { name, order, sns, type, mixins } = existing;
    const isPlaced = name === place.name && order === place.order && sns === place.sns;
    if (!isPlaced || type !== entry.type || mixins.join() !== entry.mixins.join()) return false;
    const body = this.#scene.state.get(frozenNodes, frozenNodeId(history, entry)) ?? versionLost();
    return isSameContent(existing.properties, restoredProperties(this.#scene.types, entry, body, existing));
  }

  #child({ id: parent }: FrozenEntry, entry: FrozenEntry): Pending[] {
    if (this.#placed.has(entry.id)) return [];
    this.#placed.add(entry.id);
    const { name, order, sns } = entry;
    const place = { parent, name, order, ...(sns && { sns }) };
    if (entry.kind !== 'history') return [{ entry, place }];
    const live = this.#scene.state.get(nodes, entry.id);
    const where = live && this.#whereabouts.of(live);
    if (live !== undefined && (where === 'within' || where === 'elsewhere')) this.#adopted(live, place, where);
    else this.#gone.push({ entry, place });
    return [];
  }

  /** JCR 2.0 §15.7.5: an instance that is there becomes the child. */
  #adopted(live: ContentNode, place: Place, where: Whereabout): void {
    this.#restored.add(live.id);
    if (live.parent === place.parent && live.name === place.name && live.order === place.order) return;
    this.#adopt.push({ ...place, id: live.id, isTaken: where === 'elsewhere' });
  }

  /**
   * One that is gone comes back as it was when this version was made, or, if it is younger, as in its first version.
   * @throws CONFLICT it has none
   */
  #chained(entry: FrozenEntry, place: Place): void {
    const { state } = this.#scene;
    const history = historyOf(state, entry.id);
    const made = history ? state.find(versions, 'number', [history.id], { from: 1, limit: CHAINED_MAX }) : [];
    const before = made.filter(({ created }) => created <= this.#version.created);
    const version = before.at(-1) ?? made[0];
    if (version === undefined) throw neverCheckedIn(entry);
    this.#history(version, place);
  }

  /** What is a child now and was none then: it goes, unless its on-parent-version lets it stay. */
  #leaving(existing: ContentNode, { entry, children, isAll }: Leaving): void {
    const { state, types } = this.#scene;
    const frozen = new Set(children.map(({ id }) => id));
    const effective = types.of(entry);
    for (const child of state.find(nodes, 'name', [existing.id])) {
      if (frozen.has(child.id)) continue;
      const definition = effective.childDefinition(child.name, types.of(child));
      // What is made anew has what comes with it.
      if (entry.kind === 'initial' && definition?.autoCreated === true) continue;
      if (isAll || !KEPT.has(definition?.onParentVersion ?? 'COPY')) this.#remove.push(child.id);
    }
  }
}

const neverCheckedIn = ({ id, name }: FrozenEntry) =>
  new ServiceError(
    'CONFLICT',
    `expected '${name}', which the version has and is gone, to come back with its own versions, but it has none`,
    { reason: 'child_without_version', resourceId: id },
  );

const isSameContent = (a: ContentNode['properties'], b: ContentNode['properties']): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]))
  );
};

/** How many versions of a child are looked at for the one that is restored with its parent. */
const CHAINED_MAX = 200;

/** The frozen state with which a node's children are compared: itself, and its children then. */
interface Leaving {
  readonly entry: FrozenEntry;
  readonly children: readonly FrozenEntry[];
  /** Whether all of them go that the version does not have. */
  readonly isAll: boolean;
}

/** A frozen node on the way. */
interface Pending {
  readonly entry: FrozenEntry;
  readonly place: Place;
  readonly baseVersion?: string;
}
