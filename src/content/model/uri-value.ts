/** No character of a URI (RFC 3986; letters beyond ASCII are let through, as by `java.net.URI`). */
const FORBIDDEN = /[\s"<>\\^`{|}\p{Cc}\p{Cs}]/u;

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Whether the text is a URI or a relative reference (RFC 3986 §4.1). */
export function isUri(text: string): boolean {
  if (FORBIDDEN.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  if (text.indexOf('#') !== text.lastIndexOf('#')) return false;
  const end = text.search(/[/?#]/);
  const first = end < 0 ? text : text.slice(0, end);
  const colon = first.indexOf(':');
  return colon < 0 || (SCHEME.test(first.slice(0, colon)) && text.length > colon + 1);
}
