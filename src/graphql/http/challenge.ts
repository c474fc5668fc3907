import type { IncomingMessage } from 'node:http';

/**
 * What a 401 asks for (RFC 9110 §11.6.1). Programs are told that they may sign in by HTTP Basic: Java's Authenticator, for one, is asked only then. Browsers
 * are not, as they would open a dialog of their own over the page that sent the request; nor is anybody at the paths of sign-in, which take no Basic.
 */
export function challengeOf({ url = '', headers }: IncomingMessage): string {
  return SIGN_IN.test(url) || isBrowser(headers)
    ? 'Cookie realm="millrace"'
    : 'Basic realm="millrace", charset="UTF-8"';
}

const SIGN_IN = /^\/(auth|idp|bin\/auth\.cgi)(\/|$)/;

/** By what browsers send by themselves: `Sec-Fetch-*` over https, `Origin`, a name that begins as all of theirs do; and by what scripts of pages add. */
const isBrowser = (headers: IncomingMessage['headers']): boolean =>
  ['sec-fetch-mode', 'sec-fetch-site', 'origin', 'x-requested-with'].some((name) => headers[name] !== undefined) ||
  headers['user-agent']?.startsWith('Mozilla/') === true ||
  headers.accept?.includes('text/html') === true;
