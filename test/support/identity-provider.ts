import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

/** What the provider says of somebody. */
export type Account = Readonly<Record<string, unknown>>;

/** How it knows the server that is tested. */
export const CLIENT = { id: 'millrace', secret: 'a secret of the client' };
/** A client that is a program. */
export const ROBOT = 'robot';
/** Whom its tokens for programs are for. */
export const AUDIENCE = 'https://api.example';

/** How long what it makes counts, seconds. */
const TTL = { AccessToken: 600, ClientCredentials: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 };

/** Asks whether to sign out. */
const showForm = (context: { body: string }, form: string): void => {
  context.body = form;
};

/** A real provider of OpenID Connect on a port of its own, at which whoever signs in is who the test says. */
export class IdentityProvider {
  readonly issuer: string;
  /** By subject. */
  readonly accounts = new Map<string, Account>();
  /** Who types name and password, when that is asked for; null: who is asked goes back. */
  account: string | null = '';
  /** How often that was asked. */
  asked = 0;
  /** How many requests came to it. */
  requests = 0;
  readonly #server: Server;
  #provider: Provider | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new IdentityProvider(server);
  }

  /** From now on it answers, and knows the server of that URL. Until then it is down. */
  async serve(baseUrl: string): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key: JWK = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' };
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, response_types: ['code'] },
          grant_types: ['authorization_code'],
          redirect_uris: [`${baseUrl}/bin/auth.cgi/oidc/callback`],
          post_logout_redirect_uris: [`${baseUrl}/bin/auth.cgi/oidc/signed-out`],
        },
        {
          ...{ client_id: ROBOT, client_secret: CLIENT.secret, redirect_uris: [], response_types: [] },
          grant_types: ['client_credentials'],
        },
      ],
      ...{ jwks: { keys: [key] }, cookies: { keys: ['a key of cookies'] }, ttl: TTL },
      claims: {
        ...{ openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
        profile: ['name', 'family_name', 'given_name', 'preferred_username'],
      },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({ ...this.accounts.get(accountId), sub: accountId }),
      }),
      interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        rpInitiatedLogout: { enabled: true, logoutSource: showForm },
        resourceIndicators: {
          ...{ enabled: true, defaultResource: () => undefined },
          getResourceServerInfo: () => ({ scope: 'api', audience: AUDIENCE, accessTokenFormat: 'jwt' }),
        },
      },
    });
  }

  /** A token that a program is given in its own name. */
  async tokenOfRobot(): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${ROBOT}:${encodeURIComponent(CLIENT.secret)}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', resource: AUDIENCE });
    const reply = await fetch(`${this.issuer}/token`, { method: 'POST', headers: { authorization }, body });
    const { access_token: token } = (await reply.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`expected a token, but the answer is ${reply.status}`);
    return token;
  }

  /** Answers nothing any more. */
  stop(): void {
    this.#provider = undefined;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests++;
    const provider = this.#provider;
    if (provider === undefined) return void req.socket.destroy();
    if (req.url?.startsWith('/interaction/') === true) await this.#interact(provider, req, res);
    else provider.callback()(req, res);
  }

  async #interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(req, res);
    const finish = (result: object) =>
      provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
    if (prompt.name === 'login') {
      this.asked++;
      if (this.account === null) return finish({ error: 'access_denied', error_description: 'went back' });
      return finish({ login: { accountId: this.account } });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id ?? '' });
    grant.addOIDCScope(params.scope ?? '');
    return finish({ consent: { grantId: await grant.save() } });
  }
}
