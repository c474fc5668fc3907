import { eventually } from '../../support/eventually.js';

export interface ReadyBody {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
}

/** What a server says of itself at `/health/ready`. */
export async function readiness(baseUrl: string): Promise<{ status: number; body: ReadyBody }> {
  const answer = await fetch(`${baseUrl}/health/ready`);
  return { status: answer.status, body: (await answer.json()) as ReadyBody };
}

/** @throws when the server is not ready again within seconds */
export const becomesReady = (baseUrl: string): Promise<void> =>
  eventually('it is ready again', async () => (await readiness(baseUrl)).status === 200, 10_000);
