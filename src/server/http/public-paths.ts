/** A path that answers whoever has no session. */
interface PublicPath {
  readonly path: string;
  /** Whether all that lies below it answers, too. */
  readonly below?: boolean;
  /** What a stranger is told there. */
  readonly what: string;
}

/** All paths that answer without a session; a request to any other one is refused before it is looked at. */
export const PUBLIC_PATHS: readonly PublicPath[] = [
  { path: '/', what: 'what the server is, and where it goes on' },
  { path: '/health', below: true, what: 'whether the server lives and is ready' },
  { path: '/auth/login', what: 'sign-in of programs' },
  { path: '/auth/logout', what: 'sign-out of programs' },
  { path: '/bin/auth.cgi', below: true, what: 'sign-in by the form or with a provider, sign-out' },
  { path: '/idp', below: true, what: 'where the web client looks for a SAML provider' },
  { path: '/bin/cms.cgi', below: true, what: 'files below /content that guests may read' },
  { path: '/graphiql', below: true, what: 'the way to sign-in, and what the page is made of' },
  { path: '/docs', below: true, what: 'the documentation of the package' },
];

/** Whether whoever has no session is answered at the path of the URL. Compared letter by letter: what looks alike is none. */
export function isPublic(url: string): boolean {
  const path = url.split('?')[0] ?? '';
  return PUBLIC_PATHS.some(
    (known) => path === known.path || (known.below === true && path.startsWith(`${known.path}/`)),
  );
}
