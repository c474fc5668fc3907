/** What documents may do that lie in the tree: values of the header `Content-Security-Policy`. */

/** On the server's own origin: only others' pages may not frame it. */
export const OWN_PAGE = "frame-ancestors 'self'";

/** What users upload must not act for whoever looks at it. */
export const SHOWN_FILE = 'sandbox';
