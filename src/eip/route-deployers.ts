import type { Deployer } from './route-port.js';

/** The users whose routes run, and which of them may act no more. */
export class RouteDeployers {
  readonly #mayAct: (user: Deployer) => boolean;
  readonly #refuse: (gone: readonly Deployer[]) => void;
  readonly #known = new Map<string, Deployer>();
  #told = '[]';

  /** `refuse`: told of all who may not, whenever these are others. */
  constructor(mayAct: (user: Deployer) => boolean, refuse: (gone: readonly Deployer[]) => void) {
    this.#mayAct = mayAct;
    this.#refuse = refuse;
  }

  /** Of a route that is about to run. */
  add(user: Deployer): void {
    const key = keyOf(user);
    if (this.#known.has(key)) return;
    this.#known.set(key, user);
    this.look();
  }

  look(): void {
    const gone = [...this.#known.values()].filter((user) => !this.#mayAct(user));
    const told = JSON.stringify(gone.map(keyOf));
    if (told === this.#told) return;
    this.#told = told;
    this.#refuse(gone);
  }
}

/** Another one for each user, also of one name. */
export const keyOf = ({ userId, principalId }: Deployer): string => JSON.stringify([userId, principalId]);
