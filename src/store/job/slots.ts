/** Which jobs run here, and which exclusive names they hold. */
export class Slots {
  readonly #max: number;
  readonly #jobs = new Map<string, string | null>();
  readonly #exclusive = new Map<string, Set<string>>();

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#jobs.size;
  }

  get left(): number {
    return this.#max - this.#jobs.size;
  }

  /** A slot for a job that would begin at once; `ending`: the job whose outcome makes it, which does not stand in its way. */
  reserve(id: string, exclusive: string | null, ending?: string): boolean {
    const holders = exclusive === null ? undefined : this.#exclusive.get(exclusive);
    const alone =
      holders === undefined ||
      holders.size === 0 ||
      (holders.size === 1 && ending !== undefined && holders.has(ending));
    if (this.left <= 0 || !alone || this.#jobs.has(id)) return false;
    this.hold(id, exclusive);
    return true;
  }

  hold(id: string, exclusive: string | null): void {
    this.#jobs.set(id, exclusive);
    if (exclusive === null) return;
    const holders = this.#exclusive.get(exclusive) ?? new Set();
    this.#exclusive.set(exclusive, holders.add(id));
  }

  /** Whether the job had a slot. */
  free(id: string): boolean {
    const exclusive = this.#jobs.get(id);
    if (exclusive === undefined) return false;
    this.#jobs.delete(id);
    if (exclusive === null) return true;
    const holders = this.#exclusive.get(exclusive);
    holders?.delete(id);
    if (holders?.size === 0) this.#exclusive.delete(exclusive);
    return true;
  }
}
