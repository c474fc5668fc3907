import type { State } from '../../store/index.js';
import {
  type FrozenEntry,
  type FrozenNode,
  frozenNodeId,
  frozenNodes,
  type Version,
  versions,
} from '../collection/version.js';
import { nodes } from '../collections.js';
import type { ContentNode } from '../model/node.js';
import type { Property } from '../model/property.js';
import { type FrozenContent, frozenContent } from './frozen-tree.js';
import { propertyAction } from './opv.js';
import type { Tree } from './tree.js';
import type { Types } from './types.js';
import { historyOf } from './version-history.js';

/** Where a restored node is put. */
export type Place = Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>;

/** A node that is to be as it was frozen. */
export interface RestoredNode {
  readonly entry: FrozenEntry;
  /** The history that keeps it. */
  readonly history: string;
  readonly place: Place;
  /** Of a node with a history of its own: the version that it now follows. */
  readonly baseVersion?: string;
  /** It is elsewhere in the workspace, and is taken from there with all that is not restored. */
  readonly isTaken: boolean;
}

/** What a restore does (JCR 2.0 §15.7); what is there already as it was frozen is left alone. */
export interface RestorePlan {
  /** Parents first. */
  readonly write: readonly RestoredNode[];
  /** Versionable children that stay as they are, but are put in their place. */
  readonly adopt: readonly (Place & { readonly id: string; readonly isTaken: boolean })[];
  /** Nodes that go, each with all below it that is not restored. */
  readonly remove: readonly string[];
  /** What is kept of the nodes to be written, where the plan was made outside of the decision. */
  readonly bodies?: readonly FrozenNode[];
}

/** What a plan is made from. */
export interface RestoreScene {
  readonly state: Pick<State, 'get' | 'find'>;
  readonly tree: Tree;
  readonly types: Types;
}

/** What it takes to bring the node back to the version, whose existing children give way as their on-parent-version says. */
export function planRestore(scene: RestoreScene, node: ContentNode, version: Version): RestorePlan {
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
  /** What has its place already: a node that several of the versions have is where the outermost of them has it. */
  readonly #placed = new Set<string>();
  /** Versionable children that are gone, and where they come back. */
  readonly #gone: { readonly entry: FrozenEntry; readonly place: Place }[] = [];

  constructor(scene: RestoreScene, root: ContentNode, version: Version) {
    this.#scene = scene;
    this.#root = root;
    this.#version = version;
  }

  run(): RestorePlan {
    const { parent, name, order, sns } = this.#root;
    this.#placed.add(this.#root.id);
    this.#history(this.#version, { parent, name, order, ...(sns && { sns }) });
    for (let next = this.#gone.shift(); next !== undefined; next = this.#gone.shift()) {
      this.#chained(next.entry, next.place);
    }
    const restored = new Set([...this.#write.map(({ entry }) => entry.id), ...this.#adopt.map(({ id }) => id)]);
    return { write: this.#write, adopt: this.#adopt, remove: this.#remove.filter((id) => !restored.has(id)) };
  }

  /** A node that has a history, with all that its version froze. */
  #history(version: Version, place: Place): void {
    const content = frozenContent(this.#scene.state, version.id);
    const root = content?.entry(version.history);
    if (content === undefined || root === undefined) return;
    const frozen: Pending[] = [{ entry: root, place, baseVersion: version.id }];
    for (let next: Pending | undefined = frozen.pop(); next !== undefined; next = frozen.pop()) {
      frozen.push(...this.#node(content, next).reverse());
    }
  }

  /** Gives what comes below it. */
  #node(content: FrozenContent, { entry, place, baseVersion }: Pending): Pending[] {
    const existing = this.#scene.state.get(nodes, entry.id);
    const isTaken = existing !== undefined && this.#isElsewhere(existing);
    const { history } = content.tree;
    const isSame =
      existing !== undefined && baseVersion === undefined && this.#isAsFrozen(existing, { entry, history, place });
    const children = entry.kind === 'node' ? content.children(entry.id) : [];
    if (!isSame) {
      this.#write.push({ entry, history, place, ...(baseVersion !== undefined && { baseVersion }), isTaken });
    }
    if (existing !== undefined) this.#leaving(existing, { entry, children, isTaken });
    return children.flatMap((child) => this.#child(entry, child));
  }

  /** Whether it is there as it was frozen: since then, or once more. */
  #isAsFrozen(existing: ContentNode, { entry, history, place }: Omit<RestoredNode, 'isTaken'>): boolean {
    if (existing.parent !== place.parent) return false;
    if (existing.version === entry.body) return true;
    const { name, order, sns, type, mixins } = existing;
    const isPlaced = name === place.name && order === place.order && sns === place.sns;
    if (!isPlaced || type !== entry.type || mixins.join() !== entry.mixins.join()) return false;
    const body = this.#scene.state.get(frozenNodes, frozenNodeId(history, entry));
    return (
      body !== undefined &&
      isSameContent(existing.properties, restoredProperties(this.#scene.types, entry, body, existing))
    );
  }

  #child({ id: parent }: FrozenEntry, entry: FrozenEntry): Pending[] {
    if (this.#placed.has(entry.id)) return [];
    this.#placed.add(entry.id);
    const { name, order, sns } = entry;
    const place = { parent, name, order, ...(sns && { sns }) };
    if (entry.kind !== 'history') return [{ entry, place }];
    const { state, tree } = this.#scene;
    const live = state.get(nodes, entry.id);
    if (live !== undefined && tree.chainOf(live) !== undefined) this.#adopted(live, place);
    else this.#gone.push({ entry, place });
    return [];
  }

  /** JCR 2.0 §15.7.5: an instance that is there becomes the child. */
  #adopted(live: ContentNode, place: Place): void {
    if (live.parent === place.parent && live.name === place.name && live.order === place.order) return;
    this.#adopt.push({ ...place, id: live.id, isTaken: this.#isElsewhere(live) });
  }

  /** One that is gone comes back as it was when this version was made, or, if it is younger, as in its first version. */
  #chained(entry: FrozenEntry, place: Place): void {
    const { state } = this.#scene;
    if (historyOf(state, entry.id) === undefined) return;
    const made = state.find(versions, 'number', [entry.id], { from: 1, limit: CHAINED_MAX });
    const before = made.filter(({ created }) => created <= this.#version.created);
    const version = before.at(-1) ?? made[0];
    if (version !== undefined) this.#history(version, place);
  }

  /** What is a child now and was none then: it goes, unless its on-parent-version lets it stay. */
  #leaving(existing: ContentNode, { entry, children, isTaken }: Leaving): void {
    const { state, types } = this.#scene;
    const frozen = new Set(children.map(({ id }) => id));
    const effective = types.of(entry);
    for (const child of state.find(nodes, 'name', [existing.id])) {
      if (frozen.has(child.id)) continue;
      const definition = effective.childDefinition(child.name, types.of(child));
      // What is made anew has what comes with it.
      if (entry.kind === 'initial' && definition?.autoCreated === true) continue;
      if (isTaken || !KEPT.has(definition?.onParentVersion ?? 'COPY')) this.#remove.push(child.id);
    }
  }

  #isElsewhere(node: ContentNode): boolean {
    return !this.#scene.tree.isWithin(node, this.#root.id);
  }
}

/**
 * The properties that a node is restored with: those that were frozen, and of those that it has now the ones that versions do not care for.
 */
export function restoredProperties(
  types: Types,
  entry: FrozenEntry,
  { properties: frozen }: FrozenNode,
  existing: ContentNode | undefined,
): Record<string, Property> {
  const own: Record<string, Property> = types.isA(entry, 'mix:referenceable')
    ? { 'jcr:uuid': { type: 'String', value: entry.id } }
    : {};
  if (existing === undefined) return { ...frozen, ...own };
  const effective = types.of(entry);
  const stays = ([name, property]: [string, Property]) =>
    frozen[name] === undefined && KEPT.has(propertyAction(effective, name, property));
  return { ...Object.fromEntries(Object.entries(existing.properties).filter(stays)), ...frozen, ...own };
}

const isSameContent = (a: ContentNode['properties'], b: ContentNode['properties']): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]))
  );
};

/** How many versions of a child are looked at for the one that is restored with its parent. */
const CHAINED_MAX = 200;

/** What a node's children are compared with: itself as frozen, and what it had below it. */
interface Leaving {
  readonly entry: FrozenEntry;
  readonly children: readonly FrozenEntry[];
  readonly isTaken: boolean;
}

/** A frozen node on the way. */
interface Pending {
  readonly entry: FrozenEntry;
  readonly place: Place;
  readonly baseVersion?: string;
}

/** On-parent-versions under which what a version does not have stays as it is. */
export const KEPT: ReadonlySet<string> = new Set(['IGNORE', 'COMPUTE', 'INITIALIZE']);
