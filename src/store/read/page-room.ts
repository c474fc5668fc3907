import { weigh } from '../../shared/weigh.js';

/** The room of a request: how much it may still read; all its reads have it together. */
export interface ReadRoom {
  /** Bytes. */
  readonly bytesLeft: number;
  /** So many bytes were read; more than are left: so many would have been. @throws what is told when more were read than there was room for */
  take(bytes: number): void;
}

/** Ends the making of an answer that would have more bytes than there is room for. */
export class RoomExceeded extends Error {
  override readonly name = 'RoomExceeded';
}

/** How large one answer of the reader's thread may be, about: characters are counted, while it is made. Without `bytesMax` of any size. */
export class PageRoom {
  readonly #bytesMax: number | undefined;
  #left: number;

  constructor(bytesMax?: number) {
    this.#bytesMax = bytesMax;
    this.#left = bytesMax ?? 0;
  }

  /** The answer has this, too. @throws RoomExceeded */
  take(part: unknown): void {
    if (this.#bytesMax === undefined) return;
    this.#left = weigh(part, this.#left);
    if (this.#left < 0) throw new RoomExceeded();
  }

  /** The bytes of the whole answer; 0 where they may be any. @throws RoomExceeded */
  bytesOf(answer: unknown): number {
    if (this.#bytesMax === undefined) return 0;
    const left = weigh(answer, this.#bytesMax);
    if (left < 0) throw new RoomExceeded();
    return this.#bytesMax - left;
  }
}
