import { isOrdered } from './model-types.js';

/** The model: a plain tree of objects. Nothing here knows how the repository keeps nodes. */
export interface ModelNode {
  /** What tells it apart for life. */
  readonly key: number;
  name: string;
  parent: ModelNode | null;
  /** In their order, where the node's type keeps one. */
  children: ModelNode[];
  type: string;
  mixins: string[];
  properties: Map<string, ModelProperty>;
  acl: ModelEntry[];
  lock: ModelLock | null;
  versioning: ModelVersioning | null;
  /** Another one each time that it gets another place among ordered siblings; null where they have no order. */
  place: number | null;
}

/** What a versionable node has. */
export interface ModelVersioning {
  readonly checkedOut: boolean;
  /** The number of the version that it follows. */
  readonly base: number;
}

/** The versions of a node, whether it is there or not. */
export interface ModelHistory {
  /** By their numbers; the root version is the first. */
  readonly versions: readonly ModelVersion[];
  /** Numbers of versions. */
  readonly labels: ReadonlyMap<string, number>;
  /** It went with its node. */
  readonly isGone: boolean;
}

export interface ModelVersion {
  /** ms */
  readonly created: number;
  /** Null: the root version. */
  readonly frozen: FrozenModelNode | null;
}

/** A node as a version keeps it. */
export type FrozenModelNode = Pick<ModelNode, 'key' | 'name' | 'type' | 'place'> & {
  readonly mixins: readonly string[];
  readonly properties: ReadonlyMap<string, ModelProperty>;
  readonly children: readonly FrozenModelNode[];
  /** It has a history of its own, which this stands for. */
  readonly isHistory: boolean;
  /** The number of the version that it followed; null: it was not versionable. */
  readonly base: number | null;
};

/** References hold the key of their target. */
export interface ModelProperty {
  readonly type: string;
  readonly multiple: boolean;
  readonly values: readonly unknown[];
}

export interface ModelEntry {
  readonly principal: string;
  readonly privileges: readonly string[];
  readonly allow: boolean;
}

export interface ModelLock {
  /** What a caller may show to be its holder. */
  readonly token: string;
  readonly owner: string;
  readonly deep: boolean;
  readonly sessionId: string | null;
  readonly expires: number | null;
  readonly timeoutMs: number | null;
}

/** What a new node is made of. */
export type NewModelNode = Pick<ModelNode, 'name' | 'type'> &
  Partial<Pick<ModelNode, 'mixins' | 'properties' | 'acl' | 'lock'>>;

/** The tree and the time. */
export class World {
  /** ms */
  now: number;
  root: ModelNode;
  /** Nodes whose identifiers are not known yet. */
  fresh: ModelNode[] = [];
  /** By the keys of their nodes. */
  histories = new Map<number, ModelHistory>();
  #keys = 0;
  #places = 0;
  #locks = 0;

  constructor(now: number, root: NewModelNode) {
    this.now = now;
    this.root = this.#made(root, null);
  }

  /** Another one, in which the same can be tried out. */
  clone(): World {
    const copy = new World(this.now, this.root);
    copy.root = cloned(this.root, null);
    copy.fresh = [];
    copy.histories = new Map(this.histories);
    copy.#keys = this.#keys;
    copy.#places = this.#places;
    copy.#locks = this.#locks;
    return copy;
  }

  /** The new last child of the parent. */
  add(parent: ModelNode, made: NewModelNode): ModelNode {
    const node = this.#made(made, parent);
    node.place = this.newPlace(parent);
    parent.children.push(node);
    return node;
  }

  newPlace(parent: ModelNode): number | null {
    return isOrdered(parent) ? ++this.#places : null;
  }

  newToken(): string {
    return `token ${++this.#locks}`;
  }

  withKey(key: number): ModelNode | undefined {
    return this.all().find((node) => node.key === key);
  }

  #made({ name, type, mixins = [], properties, acl = [], lock = null }: NewModelNode, parent: ModelNode | null) {
    const node: ModelNode = {
      key: ++this.#keys,
      name,
      parent,
      children: [],
      type,
      mixins: [...mixins],
      properties: new Map(properties),
      acl: [...acl],
      lock,
      versioning: null,
      place: null,
    };
    this.fresh.push(node);
    return node;
  }

  /** The node at `/a/b[2]/c`; undefined: there is none. */
  at(path: string): ModelNode | undefined {
    let node: ModelNode | undefined = this.root;
    for (const step of stepsOf(path)) node = node && childAt(node, step);
    return node;
  }

  all(): ModelNode[] {
    return [...within(this.root)];
  }
}

function cloned(node: ModelNode, parent: ModelNode | null): ModelNode {
  const { mixins, properties, acl } = node;
  const copy = { ...node, parent, mixins: [...mixins], properties: new Map(properties), acl: [...acl] };
  copy.children = node.children.map((child) => cloned(child, copy));
  return copy;
}

export interface PathStep {
  readonly name: string;
  readonly index: number;
}

export const stepsOf = (path: string): PathStep[] =>
  path
    .split('/')
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = text, index = '1'] = /^(.*?)(?:\[(\d+)\])?$/.exec(text) ?? [];
      return { name, index: Number(index) };
    });

/** The how-manieth child of the name, from 1. */
export const childAt = ({ children }: ModelNode, { name, index }: PathStep): ModelNode | undefined =>
  children.filter((child) => child.name === name)[index - 1];

export const childNamed = (parent: ModelNode, name: string): ModelNode | undefined =>
  childAt(parent, { name, index: 1 });

/** The node and all that lies below it. */
export function* within(node: ModelNode): Generator<ModelNode> {
  yield node;
  for (const child of node.children) yield* within(child);
}

/** The nodes from the root to this one. */
export const chainOf = (node: ModelNode): ModelNode[] =>
  node.parent === null ? [node] : [...chainOf(node.parent), node];

export const isWithin = (node: ModelNode, above: ModelNode): boolean => chainOf(node).includes(above);

/** Whether the node is in the tree: one that was taken out still says where it was. */
export const isThere = (world: World, node: ModelNode): boolean =>
  node === world.root || (node.parent?.children.includes(node) === true && isThere(world, node.parent));

/** The name as a path has it: with an index where it is not the first of its name. */
export function segmentOf(node: ModelNode): string {
  const index = (node.parent?.children ?? []).filter(({ name }) => name === node.name).indexOf(node) + 1;
  return index > 1 ? `${node.name}[${index}]` : node.name;
}

export const pathOf = (node: ModelNode): string =>
  node.parent === null
    ? '/'
    : chainOf(node)
        .slice(1)
        .map((one) => `/${segmentOf(one)}`)
        .join('');

/** Takes the node away from where it is. */
export function detach(node: ModelNode): void {
  if (node.parent === null) throw new Error('the root has no parent');
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** The file's content, where properties of a file are; else the node itself. */
export const contentOf = (node: ModelNode): ModelNode | undefined => childNamed(node, 'jcr:content');
