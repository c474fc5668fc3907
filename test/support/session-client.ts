import { GraphqlClient } from './graphql-client.js';
import type { LiveServer } from './server.js';

/** A user with a session of its own. */
export interface SessionClient extends GraphqlClient {
  signOut(): Promise<void>;
}

/** Signs a user in, whose password is its name. */
export async function sessionClient(
  { baseUrl }: Pick<LiveServer, 'baseUrl'>,
  userId: string,
  workspace = 'web',
): Promise<SessionClient> {
  const login = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: userId, password: userId }),
  });
  if (login.status !== 200) throw new Error(`expected '${userId}' to sign in, but the answer is ${login.status}`);
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const client = new GraphqlClient(`${baseUrl}/bin/graphql.cgi/${workspace}`, { cookie });
  const signOut = async () => void (await fetch(`${baseUrl}/auth/logout`, { method: 'POST', headers: { cookie } }));
  return Object.assign(client, { signOut });
}
