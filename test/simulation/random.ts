/** Chance that a seed decides: sfc32, a small generator of 32-bit words. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = 0x9e37_79b9;
    for (let i = 0; i < 12; i++) this.word();
  }

  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 on, below `max`. */
  below(max: number): number {
    return this.word() % max;
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(of: number): boolean {
    return this.word() < of * 0x1_0000_0000;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** So many hex digits, a multiple of 8. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.word().toString(16).padStart(8, '0');
    return text;
  }
}
