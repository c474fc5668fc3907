const TOKEN = "[\\w!#$&^.+'*`|~-]+";
const MIME_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})\\s*((?:;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*")\\s*)*)$`);
const CHARSET = /^[A-Za-z][\w.:+-]{0,39}$/;

/** The header `Content-Type` of a stored MIME type: text has a charset. What is no MIME type is sent as bytes without meaning. */
export function contentType(mimeType: string, encoding: string | null): string {
  const [, type, parameters = ''] = MIME_TYPE.exec(mimeType.trim()) ?? [];
  if (type === undefined) return 'application/octet-stream';
  if (!/^text\//i.test(type) || /;\s*charset=/i.test(parameters)) return `${type}${parameters}`;
  const charset = encoding !== null && CHARSET.test(encoding) ? encoding : 'UTF-8';
  return `${type}${parameters}; charset=${charset}`;
}

/** Whether browsers run what such a document brings: HTML, SVG, and XML, which may hold either. */
export function isActive(mimeType: string): boolean {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  return /^(text\/(html|xml|xsl)|application\/xml)$|\+xml$/.test(type) || /\/(x?html|xslt)/.test(type);
}
