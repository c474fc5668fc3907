import { parseClaimMapping } from '../provider/claim-mapping.js';
import { choice, duration, list, optional, type Setting, text } from './settings.js';

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
  jwtAudience: optional({
    name: 'MILLRACE_JWT_AUDIENCE',
    expected: 'the audience of tokens',
    description:
      'What the `aud` of a JSON Web Token must name, so that it is taken as a bearer token (`Authorization: Bearer …`). Unset: none is taken.',
    parse: (given) => given,
  }),
  jwtIssuer: optional({
    name: 'MILLRACE_JWT_ISSUER',
    expected: URL_EXPECTED,
    description: 'Whose tokens are taken, letter by letter as their `iss` says it. Unset: `MILLRACE_OIDC_ISSUER`.',
    parse: (given) => providerUrl(given),
  }),
  jwtKeysUrl: optional({
    name: 'MILLRACE_JWT_KEYS_URL',
    expected: 'an https URL (http for this machine alone)',
    description: 'Where the keys of that issuer are (a JWKS). Unset: where its discovery document says (`jwks_uri`).',
    parse: (given) => providerUrl(given, true),
  }),
  jwtAlgorithms: list({
    name: 'MILLRACE_JWT_ALGORITHMS',
    expected: `names with commas between them, of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA`,
    description: 'By which algorithms tokens may be signed. Unset: `RS256,PS256,ES256,EdDSA`.',
    parse: (given) => (ALGORITHMS.test(given) ? given : undefined),
  }),
  jwtClockToleranceMs: duration(
    'MILLRACE_JWT_CLOCK_TOLERANCE',
    '30s',
    "How far the clock of an issuer may be from this server's: so much longer its tokens count, and so much earlier.",
  ),
  jwtFirstSignIn: choice(
    'MILLRACE_JWT_FIRST_SIGN_IN',
    'refuse',
    ['refuse', 'make'],
    'What becomes of a token whose subject is nobody here: it is refused, or makes a user, as the first sign-in with the provider does.',
  ),
};

/** Contradictions and gaps among the settings of providers, each as a sentence. */
export function providerProblems(config: ProviderConfig): string[] {
  const { oidcIssuer, oidcClientId, oidcScopes, localSignIn, jwtAudience, jwtIssuer, jwtKeysUrl } = config;
  const issuer = jwtIssuer ?? oidcIssuer;
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
    [
      jwtAudience !== undefined && issuer === undefined,
      'MILLRACE_JWT_AUDIENCE: expected MILLRACE_JWT_ISSUER or MILLRACE_OIDC_ISSUER beside it, but both are missing',
    ],
    [
      jwtAudience === undefined && (jwtIssuer ?? jwtKeysUrl) !== undefined,
      'MILLRACE_JWT_AUDIENCE: expected it beside MILLRACE_JWT_ISSUER and MILLRACE_JWT_KEYS_URL, but it is missing',
    ],
    [
      jwtAudience !== undefined && jwtAudience === oidcClientId && issuer === oidcIssuer,
      'MILLRACE_JWT_AUDIENCE: expected another audience than MILLRACE_OIDC_CLIENT_ID, but it is the same: what tells who has signed in would let anybody call who has seen it',
    ],
  ];
  return found.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}

type ProviderConfig = {
  readonly [K in keyof typeof providerSettings]: (typeof providerSettings)[K] extends Setting<infer T> ? T : never;
};

/** Signatures that nobody can make who knows what they are checked by. */
const ALGORITHMS = /^((RS|PS|ES)(256|384|512)|EdDSA)$/;

/** A URL that nobody on the way can change: of this machine also without TLS. As it is written: issuers are compared letter by letter. */
function providerUrl(given: string, hasQuery = false): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const { protocol, hostname, search, hash, username, password } = new URL(given);
  const isPlain = hash === '' && username === '' && password === '' && (hasQuery || search === '');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isPlain && isSafe && !/\s/.test(given) ? given : undefined;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/;
