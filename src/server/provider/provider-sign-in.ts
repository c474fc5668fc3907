import type { Request, Response } from 'express';
import { externalIdOf, type SessionRecord, type SignedInBy } from '../../identity/index.js';
import { ServiceError } from '../../shared/errors.js';
import { problemPage } from '../http/pages.js';
import { replyHtml, replyRedirect, setRetryAfter } from '../http/reply.js';
import type { SessionCookie } from '../session/cookies.js';
import type { SignIn } from '../session/sign-in.js';
import type { ExternalUsers } from './external-users.js';
import type { PendingSignIns } from './pending-sign-in.js';
import type { Provider, Vouched } from './provider.js';

/** Paths of sign-in with a provider. */
export const PROVIDER_PATHS = {
  callback: '/bin/auth.cgi/oidc/callback',
  signedOut: '/bin/auth.cgi/oidc/signed-out',
} as const;

interface ProviderSignInParts {
  readonly provider: Pick<Provider, 'issuer' | 'begin' | 'finish' | 'endSessionUrl'>;
  readonly users: Pick<ExternalUsers, 'signIn'>;
  readonly pending: PendingSignIns;
  readonly signIn: Pick<SignIn, 'signInVouched'>;
  /** That of sessions. */
  readonly cookie: SessionCookie;
  readonly sessionAbsoluteMs: number;
  /** Says that somebody has signed out in this browser, or was not let in: the provider is then to ask who it is. */
  readonly left: SessionCookie;
  /** How clients reach the server; known once it listens. */
  readonly baseUrl: () => string;
  /** Whether the form is there, too. */
  readonly hasForm: boolean;
}

/** Signs people in with a provider: leads browsers there, and takes them when they come back. */
export class ProviderSignIn {
  readonly #parts: ProviderSignInParts;

  constructor(parts: ProviderSignInParts) {
    this.#parts = parts;
  }

  /** Leads to the provider; afterwards to the path. */
  async begin(req: Request, res: Response, path: string): Promise<void> {
    const { provider, pending, left } = this.#parts;
    try {
      const { url, challenge } = await provider.begin(this.#url(PROVIDER_PATHS.callback), left.read(req) !== undefined);
      res.appendHeader('Set-Cookie', await pending.give({ ...challenge, path }));
      replyRedirect(res, url);
    } catch (thrown) {
      this.#tell(res, thrown, path);
    }
  }

  /** The browser has come back: begins a session and leads to where it was to go. */
  async finish(req: Request, res: Response): Promise<void> {
    const { provider, pending, signIn, cookie, left, sessionAbsoluteMs } = this.#parts;
    const state = typeof req.query.state === 'string' ? req.query.state : '';
    const begun = await pending.read(req, state);
    if (begun === undefined) return this.#tell(res, notBegun(), '/');
    res.appendHeader('Set-Cookie', pending.take(state));
    const url = new URL(req.originalUrl, this.#parts.baseUrl());
    let vouched: Vouched | undefined;
    try {
      const { secret } = await signIn.signInVouched(req, { name: provider.issuer, attempt: state }, async () => {
        vouched = await provider.finish(url, begun);
        return this.#userOf(vouched);
      });
      res.appendHeader('Set-Cookie', left.take());
      res.appendHeader('Set-Cookie', cookie.give(secret, sessionAbsoluteMs));
      replyRedirect(res, begun.path);
    } catch (thrown) {
      this.#tell(res, thrown, begun.path, vouched?.subject);
    }
  }

  /** Notes that whoever was signed in by it has signed out here, and says where the sign-out goes on, if it does; afterwards to the path. */
  async leave(ended: SessionRecord | undefined, res: Response, path: string): Promise<string | undefined> {
    if (ended?.provider === undefined) return undefined;
    res.appendHeader('Set-Cookie', this.#parts.left.give('1', LEFT_MS));
    if (ended.provider.issuer !== this.#parts.provider.issuer) return undefined;
    const back = { backTo: this.#url(PROVIDER_PATHS.signedOut), state: path };
    return this.#parts.provider.endSessionUrl(ended.provider.idToken, back);
  }

  async #userOf({ subject, claims, idToken }: Vouched): Promise<{ userId: string; provider: SignedInBy }> {
    const { issuer } = this.#parts.provider;
    const userId = await this.#parts.users.signIn({ issuer, subject, claims, isProgram: false });
    const kept = idToken.length > ID_TOKEN_MAX ? null : idToken;
    return { userId, provider: { issuer, externalId: externalIdOf(issuer, subject), idToken: kept } };
  }

  #url(path: string): string {
    return `${this.#parts.baseUrl()}${path}`;
  }

  /** A page that says why nobody is signed in, and what can be done. @throws what is no refusal */
  #tell(res: Response, thrown: unknown, path: string, subject?: string): void {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { provider, left, hasForm } = this.#parts;
    const isKnown = subject !== undefined && thrown.code !== 'UNAVAILABLE' && thrown.code !== 'RATE_LIMITED';
    const known = isKnown ? [`The provider ${provider.issuer} knows you as ${subject}.`, HINTS[thrown.code] ?? ''] : [];
    // Who tries again may be somebody else there.
    if (isKnown) res.appendHeader('Set-Cookie', left.give('1', LEFT_MS));
    const relay = `RelayState=${encodeURIComponent(path)}`;
    setRetryAfter(res, thrown);
    const links: [string, string][] = [[`/bin/auth.cgi/saml2/login?${relay}`, 'Try again']];
    if (hasForm) links.push([`/bin/auth.cgi/login?${relay}`, 'Sign in by a password that is kept here']);
    replyHtml(
      res,
      STATUS[thrown.code] ?? 403,
      problemPage('Not signed in', [sentence(thrown.message), ...known], links),
    );
  }
}

const STATUS: Readonly<Record<string, number>> = { UNAUTHORIZED: 401, RATE_LIMITED: 429, UNAVAILABLE: 503 };

/** What an administrator can do for somebody who is not let in. */
const HINTS: Readonly<Record<string, string>> = {
  ALREADY_EXISTS:
    'If that user is you, an administrator of this server can link it with what the provider knows you as (linkExternalIdentity, in the workspace system). Else the provider has to name you otherwise.',
  BAD_REQUEST:
    'An administrator of this server can make a user and link it with what the provider knows you as (linkExternalIdentity, in the workspace system), or the provider has to name you otherwise.',
  FORBIDDEN: 'An administrator of this server can let you in again.',
  CONFLICT: 'An administrator of this server has to be somebody else before the provider takes that from you.',
};

/** How long the provider is to ask who it is, after a sign-out. */
const LEFT_MS = 60 * 60 * 1000;
/** Longer ones fit in no URL that every server on the way takes. */
const ID_TOKEN_MAX = 4_096;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const notBegun = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'expected a sign-in that was begun in this browser, at this address, in the last ten minutes',
    { reason: 'not_begun' },
  );
