import type { Request, Response, Router } from 'express';
import express from 'express';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { type BodyRules, formOf, jsonOf, withBody } from '../http/body.js';
import { loginPage } from '../http/pages.js';
import { replyError, replyHtml, replyJson, replyNotAllowed, replyRedirect, setRetryAfter } from '../http/reply.js';
import { isForeign, ownPath, refuseForeign, type TrustedPages } from '../http/request-origin.js';
import { PROVIDER_PATHS, type ProviderSignIn } from '../provider/provider-sign-in.js';
import type { SessionCookie } from './cookies.js';
import type { SignIn } from './sign-in.js';
import { noPasswords } from './sign-in-way.js';

/** Parts of the routes of sign-in. */
interface AuthRouteParts {
  readonly signIn: SignIn;
  readonly cookie: SessionCookie;
  readonly sessionAbsoluteMs: number;
  readonly body: BodyRules;
  /** The provider that people sign in with; undefined: there is none. */
  readonly provider?: ProviderSignIn | undefined;
  /** Whether people may sign in by a password that is kept here. */
  readonly hasPasswords: boolean;
  /** Whose forms and scripts may sign people in and out; known once the server listens. */
  readonly trusted: () => TrustedPages;
}

/**
 * Sign-in and sign-out: `/auth/login` and `/auth/logout` for programs, and the paths at which the original's web client looks for a SAML
 * provider: there a plain form signs people in, or a provider of OpenID Connect. There is no SAML provider; its other paths say so.
 */
export function authRoutes(parts: AuthRouteParts): Router {
  const router = express.Router();

  router.post('/auth/login', async (req, res) => {
    refuseForeign(req, parts.trusted());
    if (!req.is('application/json')) return replyError(res, notJson(), 415);
    const { userId, password } = await withBody(req, parts.body, jsonOf, loginInput);
    await beginSession(parts, req, res, userId, password);
    replyJson(res, 200, { userId });
  });
  router.post('/auth/logout', async (req, res) => {
    refuseForeign(req, parts.trusted());
    await endSession(parts, req, res);
    res.status(204).end();
  });

  const { provider, hasPasswords } = parts;
  const showForm = (req: Request, res: Response) => replyHtml(res, 200, loginPage(relayState(req.query)));
  const goToProvider = provider && ((req: Request, res: Response) => provider.begin(req, res, pathOf(parts, req)));
  router.get('/bin/auth.cgi/saml2/login', goToProvider ?? showForm);
  router.get('/bin/auth.cgi/login', hasPasswords ? showForm : (goToProvider ?? showForm));
  router.post('/bin/auth.cgi/saml2/login', (req, res) => signInByForm(parts, req, res));
  router.get('/bin/auth.cgi/saml2/logout', async (req, res) => {
    // A page elsewhere that links here must not sign anybody out.
    const further = isForeign(req, parts.trusted()) ? undefined : await endSession(parts, req, res);
    if (further !== undefined) replyRedirect(res, further);
    else if (relayState(req.query) === '') res.status(200).end();
    else replyRedirect(res, pathOf(parts, req));
  });
  if (provider !== undefined) {
    router.get(PROVIDER_PATHS.callback, (req, res) => provider.finish(req, res));
    router.get(PROVIDER_PATHS.signedOut, (req, res) => {
      replyRedirect(res, ownPath(textOf(req.query.state), req, parts.trusted().baseUrl) ?? '/');
    });
  }

  router.get('/idp/api/sp', (_req, res) => void res.status(204).end());
  router.post('/idp/api/logout', async (req, res) => {
    refuseForeign(req, parts.trusted());
    const logoutUrl = await endSession(parts, req, res);
    replyJson(res, 200, { status: 'success', ...(logoutUrl !== undefined && { data: { logoutUrl } }) });
  });
  for (const [path, allowed] of Object.entries({ ...METHODS, ...(provider && METHODS_OF_PROVIDER) })) {
    router.all(path, (_req, res) => replyNotAllowed(res, allowed));
  }
  router.use(['/bin/auth.cgi', '/idp'], (req) => {
    throw new ServiceError(
      'NOT_FOUND',
      `expected a path of sign-in, but '${req.originalUrl.split('?')[0]}' belongs to a SAML provider, and this server has none; sign in at /bin/auth.cgi/saml2/login or POST /auth/login`,
      { reason: 'no_saml_provider' },
    );
  });
  return router;
}

/** What the paths above take. */
const METHODS: Readonly<Record<string, string>> = {
  '/auth/login': 'POST',
  '/auth/logout': 'POST',
  '/bin/auth.cgi/login': 'GET, HEAD',
  '/bin/auth.cgi/saml2/login': 'GET, HEAD, POST',
  '/bin/auth.cgi/saml2/logout': 'GET, HEAD',
  '/idp/api/sp': 'GET, HEAD',
  '/idp/api/logout': 'POST',
};

/** @throws UNAUTHORIZED */
function requirePasswords({ hasPasswords }: AuthRouteParts): void {
  if (!hasPasswords) throw noPasswords();
}

/** Where the request wants to be led: a path of this server, whatever it says. */
const pathOf = ({ trusted }: AuthRouteParts, req: Request): string =>
  ownPath(relayState(req.query), req, trusted().baseUrl) ?? '/';

const METHODS_OF_PROVIDER: Readonly<Record<string, string>> = {
  [PROVIDER_PATHS.callback]: 'GET, HEAD',
  [PROVIDER_PATHS.signedOut]: 'GET, HEAD',
};

async function signInByForm(parts: AuthRouteParts, req: Request, res: Response): Promise<void> {
  refuseForeign(req, parts.trusted());
  requirePasswords(parts);
  const isForm = Boolean(req.is('application/x-www-form-urlencoded'));
  const fields = isForm ? await withBody(req, parts.body, formOf, fieldsOf) : {};
  if ('SAMLResponse' in fields) {
    throw new ServiceError(
      'NOT_FOUND',
      'expected a user and a password, but found a SAML response; this server has no SAML provider',
      {
        reason: 'no_saml_provider',
      },
    );
  }
  const wanted = relayState(fields);
  try {
    await beginSession(parts, req, res, textOf(fields.username), textOf(fields.password));
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    setRetryAfter(res, thrown);
    replyHtml(res, FORM_STATUS[thrown.code] ?? 400, loginPage(wanted, FORM_PROBLEM[thrown.code] ?? thrown.message));
    return;
  }
  replyRedirect(res, ownPath(wanted, req, parts.trusted().baseUrl) ?? '/');
}

const FORM_STATUS: Readonly<Record<string, number>> = { UNAUTHORIZED: 401, RATE_LIMITED: 429, UNAVAILABLE: 503 };
const FORM_PROBLEM: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'User or password is wrong.',
  RATE_LIMITED: 'Too many failed sign-ins. Try again later.',
};

async function beginSession(
  parts: AuthRouteParts,
  req: Request,
  res: Response,
  userId: string,
  password: string,
): Promise<void> {
  requirePasswords(parts);
  const { signIn, cookie, sessionAbsoluteMs } = parts;
  const { secret } = await signIn.signIn(req, userId, password);
  res.setHeader('Set-Cookie', cookie.give(secret, sessionAbsoluteMs));
}

/** Where the sign-out goes on, if it does: the provider's. */
async function endSession(
  { signIn, cookie, provider, trusted }: AuthRouteParts,
  req: Request,
  res: Response,
): Promise<string | undefined> {
  const ended = await signIn.signOut(req);
  res.appendHeader('Set-Cookie', cookie.take());
  return provider?.leave(ended, res, ownPath(relayState(req.query), req, trusted().baseUrl) ?? '/');
}

const notJson = () =>
  badRequest('expected a body with Content-Type application/json', { reason: 'unsupported_media_type' });

function loginInput(body: unknown): { userId: string; password: string } {
  const { username, password } = fieldsOf(body);
  if (typeof username !== 'string' || typeof password !== 'string') {
    throw badRequest('expected a JSON object with the texts "username" and "password"', {
      reason: 'missing_credentials',
    });
  }
  return { userId: username, password };
}

/** Fields of forms and queries of sign-in; anything may be missing or of another type. */
interface Fields {
  readonly username?: unknown;
  readonly password?: unknown;
  readonly RelayState?: unknown;
  readonly redirect_uri?: unknown;
  readonly SAMLResponse?: unknown;
}

const fieldsOf = (body: unknown): Fields => (typeof body === 'object' && body !== null ? body : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Where to go afterwards; the original's client gives it one name, its other pages another. */
const relayState = (fields: Fields): string => textOf(fields.RelayState) || textOf(fields.redirect_uri);
