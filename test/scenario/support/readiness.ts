import { eventually } from './killable-server.js';

/** What a server says of itself at `/health/ready`. */
export async function readiness(baseUrl: string): Promise<{ status: number; body: Record<string, string> }> {
  const answer = await fetch(`${baseUrl}/health/ready`);
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

/** @throws when the server is not ready again within seconds */
export const becomesReady = (baseUrl: string): Promise<void> =>
  eventually('it is ready again', async () => (await readiness(baseUrl)).status === 200, 10_000);
