/** What documents may do that lie in the tree: values of the header `Content-Security-Policy`. */

/** On the server's own origin, and harmless or trusted: only others' pages may not frame it. */
export const OWN_PAGE = "frame-ancestors 'self'";

/**
 * Whoever may write it must not act for whoever looks at it: it may run, but in an origin that nobody else has, from which it reaches neither
 * what the browser keeps of the server's origin nor the API. Never `allow-same-origin`: that would undo it.
 */
export const SANDBOXED_PAGE = `sandbox allow-scripts allow-forms allow-popups allow-downloads; ${OWN_PAGE}`;

/** Looked at only. */
export const SHOWN_FILE = 'sandbox';

/** On the origin of content, where there is nothing to take: pages of the server's own origin may frame it, too. */
export const contentOriginPage = (baseUrl: string): string => `${OWN_PAGE} ${baseUrl}`;
