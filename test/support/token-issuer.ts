import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** How a token differs from one that is taken. */
export interface Otherwise {
  readonly header?: object;
  readonly claims?: JWTPayload;
  /** Claims that it does not have. */
  readonly without?: readonly string[];
  readonly key?: PrivateKey | Uint8Array;
}

/** Who its tokens are for. */
export const AUDIENCE = 'https://api.example';

/** An issuer of JSON Web Tokens, also for a code of OpenID Connect, whose keys are on a port of its own. */
export class TokenIssuer {
  readonly issuer: string;
  /** How often its keys were asked for. */
  asked = 0;
  /** What it answers instead of them. */
  answer: { readonly status: number; readonly body: string } | undefined;
  /** What a code is given for. */
  idToken: string | undefined;
  readonly #server: Server;
  readonly #keys: JWK[] = [];
  readonly #own = new Map<string, PrivateKey>();

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (req, res) => {
      if (req.url === '/keys') this.asked++;
      const { status = 200, body = this.#say(req.url ?? '') } = this.answer ?? {};
      res.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  }

  static async start(): Promise<TokenIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TokenIssuer(server);
    await issuer.addKey('first');
    return issuer;
  }

  /** From now on it signs by it, too. */
  async addKey(kid: string, alg = 'RS256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    this.#own.set(kid, privateKey);
    this.#keys.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }

  /** The public key as programs keep it: in PEM. */
  publicPem(): Promise<string> {
    return import('jose').then(async ({ importJWK }) =>
      exportSPKI((await importJWK(this.#keys[0] ?? {})) as PrivateKey),
    );
  }

  /** A token about somebody that is taken for ten minutes, unless it is to be otherwise. */
  async token(subject: string, { header, claims, without = [], key }: Otherwise = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: this.issuer, aud: AUDIENCE, sub: subject, iat: now, exp: now + 600, ...claims };
    const kept = Object.fromEntries(Object.entries(said).filter(([name]) => !without.includes(name)));
    const own = this.#own.get('first');
    if (own === undefined) throw new Error('expected a key');
    return new SignJWT(kept).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(key ?? own);
  }

  key(kid: string): PrivateKey {
    const found = this.#own.get(kid);
    if (found === undefined) throw new Error(`expected a key '${kid}'`);
    return found;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #say(path: string): string {
    if (path === '/keys') return JSON.stringify({ keys: this.#keys });
    if (path === '/token') return JSON.stringify({ access_token: 'x', token_type: 'bearer', id_token: this.idToken });
    const { issuer } = this;
    const endpoints = { authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token` };
    return JSON.stringify({ issuer, jwks_uri: `${issuer}keys`, ...endpoints });
  }
}
