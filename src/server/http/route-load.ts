/** Load of one workspace: requests for routes that are under way. */
interface Load {
  requests: number;
  /** Of bodies that come piece by piece, which routes may read into memory. */
  bytes: number;
}

export interface LoadLimits {
  readonly requestsMax: number;
  readonly bytesMax: number;
}

/** Counts what is under way in each workspace, so that there is never more of it than fits. */
export class RouteLoads {
  readonly #limits: LoadLimits;
  readonly #loads = new Map<string, Load>();

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** Counts one more request. Undefined: there is no room for it; else it is to be ended once. */
  begin(partition: string): CountedRequest | undefined {
    const load = this.#loads.get(partition) ?? { requests: 0, bytes: 0 };
    this.#loads.set(partition, load);
    return load.requests < this.#limits.requestsMax ? new CountedRequest(load, this.#limits.bytesMax) : undefined;
  }
}

export class CountedRequest {
  readonly #load: Load;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(load: Load, bytesMax: number) {
    this.#load = load;
    this.#bytesMax = bytesMax;
    load.requests++;
  }

  /** Whether there is room for a body of so many bytes: where there is no other one, for any. */
  hasRoomFor(bytes: number): boolean {
    if (this.#load.bytes > 0 && this.#load.bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    this.#load.bytes += bytes;
    return true;
  }

  end(): void {
    this.#load.requests--;
    this.#load.bytes -= this.#bytes;
    this.#bytes = 0;
  }
}
