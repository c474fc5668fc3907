/** Those who wait for an answer, by numbers that are given again when somebody has been answered. As `InFlight`, it makes nothing old. */
export class WaitingSlots<T> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  add(waiting: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = waiting;
    return slot;
  }

  /** Undefined: nobody waits there any more. */
  take(slot: number): T | undefined {
    const waiting = this.#slots[slot];
    if (waiting === undefined) return undefined;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
    return waiting;
  }

  /** All, who wait no more then. */
  takeAll(): T[] {
    this.#free.length = 0;
    return this.#slots.splice(0).filter((waiting) => waiting !== undefined);
  }
}
