import type { TypePack } from '../tree/stored-types.js';
import type { NodeType } from '../type/node-type.js';

/** The most characters of a pack's types as JSON, far enough below a document's most. */
const PACK_TEXT_MAX = 200_000;

/**
 * The packs that a registration changes: types stay where they are as long as there is room, so that few documents are written, and few are read.
 * An empty one is to go. One type after the other.
 */
export function* changedPacks(
  packs: readonly TypePack[],
  types: readonly NodeType[],
  gone: readonly string[],
): Generator<void, readonly TypePack[], void> {
  const open = new Map<string, Pack>();
  for (const pack of packs) {
    open.set(pack.id, new Pack(pack));
    yield;
  }
  for (const name of gone) packOf(open, name)?.remove(name);
  for (const type of types) {
    const own = packOf(open, type.name);
    own?.remove(type.name);
    const fitting = own?.takes(type) ? own : [...open.values()].find((pack) => pack.takes(type));
    (fitting ?? newPack(open)).add(type);
    yield;
  }
  return [...open.values()].filter(({ isChanged }) => isChanged).map((pack) => pack.document);
}

const packOf = (open: ReadonlyMap<string, Pack>, name: string): Pack | undefined =>
  [...open.values()].find((pack) => pack.has(name));

function newPack(open: Map<string, Pack>): Pack {
  let number = open.size;
  while (open.has(String(number))) number++;
  const pack = new Pack({ id: String(number), types: [] });
  open.set(String(number), pack);
  return pack;
}

class Pack {
  readonly #id: string;
  readonly #types: Map<string, NodeType>;
  #size = 0;
  isChanged = false;

  constructor({ id, types }: TypePack) {
    this.#id = id;
    this.#types = new Map(types.map((type) => [type.name, type]));
    for (const type of types) this.#size += sizeOf(type);
  }

  get document(): TypePack {
    return { id: this.#id, types: [...this.#types.values()] };
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  /** Whether there is room; an empty one takes any. */
  takes(type: NodeType): boolean {
    return this.#types.size === 0 || this.#size + sizeOf(type) <= PACK_TEXT_MAX;
  }

  add(type: NodeType): void {
    this.#types.set(type.name, type);
    this.#size += sizeOf(type);
    this.isChanged = true;
  }

  remove(name: string): void {
    const type = this.#types.get(name);
    if (type === undefined) return;
    this.#types.delete(name);
    this.#size -= sizeOf(type);
    this.isChanged = true;
  }
}

function sizeOf(type: NodeType): number {
  const size = SIZES.get(type) ?? JSON.stringify(type).length;
  SIZES.set(type, size);
  return size;
}

/** Of types, which never change. */
const SIZES = new WeakMap<NodeType, number>();
