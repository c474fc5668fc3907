/** No character of a URI (RFC 3986; letters beyond ASCII are let through, as by `java.net.URI`). */
const FORBIDDEN = /[\s"<>\\^`{|}\p{Cc}\p{Cs}]/u;

/** `scheme:`, `//authority`, path, `?query`, `#fragment` (RFC 3986, appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(?:#(.*))?$/s;

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Its second group: the address between the brackets, without its zone. */
const IPV6_AUTHORITY = /^([^[\]@]*@)?\[([^[\]%]+)(?:%[^[\]]+)?\](:\d*)?$/;

/** Whether the text is a URI or a relative reference (RFC 3986 §4.1). Brackets stand in queries and fragments too, as with `java.net.URI`. */
export function isUri(text: string): boolean {
  if (FORBIDDEN.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  const [, scheme, authority, path = '', query, fragment = ''] = PARTS.exec(text) ?? [];
  if (fragment.includes('#') || (scheme !== undefined && !SCHEME.test(scheme))) return false;
  if (authority !== undefined) return isAuthority(authority) && isHierarchical(path) && `${authority}${path}` !== '';
  if (scheme === undefined) return isHierarchical(path) && !/^[^/]*:/.test(path);
  return path.startsWith('/') ? isHierarchical(path) : path !== '' || query !== undefined;
}

const isHierarchical = (path: string): boolean => !hasBracket(path);

const hasBracket = (text: string): boolean => /[[\]]/.test(text);

function isAuthority(text: string): boolean {
  if (!hasBracket(text)) return true;
  const address = IPV6_AUTHORITY.exec(text)?.[2];
  return address !== undefined && URL.canParse(`http://[${address}]`);
}
