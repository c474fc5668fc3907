import { hashBytes } from '../../store/index.js';

/** A chunk as its command names it. */
export interface ChunkName {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  /** bytes */
  readonly size: number;
}

/** A chunk that waits for its command. */
export interface HeldChunk {
  readonly name: ChunkName;
  /** Lets the bytes go: the command has been answered. */
  release(): void;
}

/** Bytes of commands that are on their way. A command is plain JSON and small, so it names its bytes, which wait here. */
export class PendingChunks {
  readonly #chunks = new Map<string, { readonly bytes: Uint8Array; holders: number }>();

  async hold(bytes: Uint8Array): Promise<HeldChunk> {
    const sha256 = await hashBytes(bytes);
    const chunk = this.#chunks.get(sha256) ?? { bytes, holders: 0 };
    chunk.holders++;
    this.#chunks.set(sha256, chunk);
    const release = () => {
      if (--chunk.holders === 0) this.#chunks.delete(sha256);
    };
    return { name: { sha256, size: bytes.byteLength }, release };
  }

  /** @throws when nobody holds it: its request has ended */
  bytes(sha256: string): Uint8Array {
    const chunk = this.#chunks.get(sha256);
    if (chunk === undefined) throw new Error(`expected chunk ${sha256} to be held, but its request has ended`);
    return chunk.bytes;
  }
}
