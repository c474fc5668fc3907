import { parseClaimMapping } from '../provider/claim-mapping.js';
import { choice, optional, type Setting, text } from './settings.js';

const URL_EXPECTED = 'an https URL without query and fragment (http for this machine alone)';

/** Sign-in with a provider, and who may sign in without one. */
export const providerSettings = {
  oidcIssuer: optional({
    name: 'MILLRACE_OIDC_ISSUER',
    expected: URL_EXPECTED,
    description:
      "The provider that people sign in with, by OpenID Connect: its issuer, letter by letter as it names itself. It must know this server's `…/bin/auth.cgi/oidc/callback`. Unset: people sign in by the form. See docs/operations.md.",
    parse: (given) => providerUrl(given),
  }),
  oidcClientId: optional({
    name: 'MILLRACE_OIDC_CLIENT_ID',
    expected: 'the id of a client of the provider',
    description: 'What the provider knows this server by.',
    parse: (given) => given,
  }),
  oidcClientSecret: optional({
    name: 'MILLRACE_OIDC_CLIENT_SECRET',
    expected: 'the secret of the client',
    description: 'What this server proves itself to the provider by. Unset: by PKCE alone.',
    secret: true,
    parse: (given) => given,
  }),
  oidcScopes: text(
    'MILLRACE_OIDC_SCOPES',
    'openid profile email',
    'scopes with spaces between them',
    'What the provider is asked to tell. `openid` must be among them; that of groups has another name with each provider.',
  ),
  oidcNameClaim: text(
    'MILLRACE_OIDC_NAME_CLAIM',
    'preferred_username',
    'the name of a claim',
    'The claim that a user is named by who is made at the first sign-in. Afterwards the name stays, whatever the claim says.',
  ),
  claimMapping: {
    name: 'MILLRACE_CLAIM_MAPPING',
    expected: 'rules such as groups=staff -> group office/clerks; groups=it -> role administrator',
    fallback: undefined,
    description:
      'Which groups and roles a user has by its claims, as of its last sign-in: rules `<claim>=<value> -> group <id>` or `… -> role <id>`, with semicolons or line ends between them. A claim within another one is named with dots (`realm_access.roles`). What an administrator gave stays.',
    secret: false,
    parse: parseClaimMapping,
  } satisfies Setting<ReturnType<typeof parseClaimMapping>>,
  localSignIn: choice(
    'MILLRACE_LOCAL_SIGN_IN',
    'on',
    ['on', 'off'],
    'Whether users may sign in by a password kept here, by the form and by HTTP Basic, also where there is a provider.',
  ),
};

/** What contradicts itself, or lacks something. */
export function providerProblems(config: ProviderConfig): string[] {
  const { oidcIssuer, oidcClientId, oidcScopes, localSignIn } = config;
  const found: [boolean, string][] = [
    [
      (oidcIssuer === undefined) !== (oidcClientId === undefined),
      'MILLRACE_OIDC_CLIENT_ID: expected it and MILLRACE_OIDC_ISSUER, or neither, but one is missing',
    ],
    [
      config.oidcClientSecret !== undefined && oidcIssuer === undefined,
      'MILLRACE_OIDC_CLIENT_SECRET: expected MILLRACE_OIDC_ISSUER beside it, but that is missing',
    ],
    [
      oidcScopes !== undefined && !oidcScopes.split(' ').includes('openid'),
      `MILLRACE_OIDC_SCOPES: expected 'openid' among them, but found '${oidcScopes}'`,
    ],
    [
      localSignIn === 'off' && oidcIssuer === undefined,
      'MILLRACE_LOCAL_SIGN_IN: expected MILLRACE_OIDC_ISSUER beside off, but without it nobody could sign in',
    ],
  ];
  return found.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}

type ProviderConfig = {
  readonly [K in keyof typeof providerSettings]: (typeof providerSettings)[K] extends Setting<infer T> ? T : never;
};

/** A URL that nobody on the way can change: of this machine also without TLS. As it is written: issuers are compared letter by letter. */
function providerUrl(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const { protocol, hostname, search, hash, username, password } = new URL(given);
  const isPlain = hash === '' && username === '' && password === '' && search === '';
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isPlain && isSafe && !/\s/.test(given) ? given : undefined;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/;
