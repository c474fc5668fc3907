import { ExchangeFailure } from '../../expression/routes.js';
import type { Step } from '../flow/outcome.js';
import { keyOf } from '../route-deployers.js';
import type { Deployer } from '../route-port.js';

/** Whether a user may act now. */
export interface Standing {
  mayAct: boolean;
}

/** Whether those who have deployed routes may act now, as it is told. */
export class Standings {
  readonly #known = new Map<string, Standing>();

  of(user: Deployer): Standing {
    const key = keyOf(user);
    const known = this.#known.get(key) ?? { mayAct: true };
    this.#known.set(key, known);
    return known;
  }

  /** These may not, and all others may. */
  refuse(gone: readonly Deployer[]): void {
    for (const standing of this.#known.values()) standing.mayAct = true;
    for (const user of gone) this.of(user).mayAct = false;
  }
}

/** Steps that fail as long as the user may not act who has deployed their route. Whatever handles errors stands within them, and knows nothing of that. */
export const acting =
  (step: Step, routeId: string, standing: Standing, { userId }: Deployer): Step =>
  (exchange) => {
    if (standing.mayAct) return step(exchange);
    throw new ExchangeFailure(
      'org.apache.camel.CamelAuthorizationException',
      `UNAUTHORIZED: expected the user who deployed route '${routeId}' to be one who may act, but '${userId}' is disabled or gone`,
    );
  };
